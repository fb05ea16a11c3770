import type ts from "typescript";
import type { Position } from "../../engine/state";
import type { Acceptance, AcceptedResource, Placed, Reality } from "./accepted";
import { adviceFor } from "./advice";
import { applied, type ChangedFile } from "./apply";
import { positionOf } from "./declarations";
import { Instances, type Instance } from "./instances";
import { notAlike, Planner, type PropertyPlan, type ResourceChange } from "./plan";
import type { ProgramSource } from "./program";
import { References } from "./references";
import { keyOfChange } from "./rewrite";
import { Sharing } from "./sharing";
import { attempt, Refusal } from "./value";
import { appliedToYaml, isYaml } from "./yaml";

interface Located extends Reality {
  at: readonly Instance[] | Refusal;
}

/** A property of an instance, and its plan until that is refused. */
interface Planned {
  readonly instance: Instance;
  readonly property: string;
  /** The resources that it is a property of: several if stacks share a declaration. */
  readonly of: readonly ResourceChange[];
  /** The same, with those that have not changed in it. */
  readonly all: readonly Reality[];
  plan: PropertyPlan | undefined;
  refused: Refusal | undefined;
}

/** Edits a program so that it declares what is real: each resource whole or not at all, everything else byte for byte as it was. */
export class Acceptor {
  readonly #instances: Instances;
  readonly #sharing: Sharing;

  constructor(private readonly source: ProgramSource) {
    this.#instances = new Instances(source);
    this.#sharing = new Sharing(this.#instances);
  }

  /**
   * Finds the edits that make the program declare what is real. Nothing is written.
   *
   * @param realities every resource of ours in the stacks that run the program: those without changes must not change, and their ids are
   *   the values of the program's references
   * @param left resources that are left as they are
   */
  accept(realities: readonly Reality[], left: ReadonlySet<AcceptedResource> = new Set()): Acceptance {
    const located = realities.map((one): Located => ({ ...one, at: this.#instances.locate(one.resource) }));
    const planned = this.#planned(located);
    const lost = located.filter(({ at, changes }) => at instanceof Refusal && changes.length > 0);
    const out = new Set([...left, ...lost.map(({ resource }) => resource)]);
    while (this.#drops(planned, out));
    const accepted = located.filter((one) => !left.has(one.resource));
    return this.#report(accepted, planned, this.#applied(planned.flatMap(({ plan }) => plan ?? [])));
  }

  #planned(located: readonly Located[]): Planned[] {
    const ofInstance = new Map<Instance, Located[]>(this.#instances.all.map((one) => [one, []]));
    const declared = located.flatMap((one) => {
      const instances = one.at instanceof Refusal ? [] : one.at;
      for (const instance of instances) ofInstance.get(instance)?.push(one);
      return instances.slice(0, 1).map(({ declaration }) => [one.resource, declaration] as const);
    });
    const references = new References(this.source, this.#instances.symbols, declared);
    const planner = new Planner(this.#sharing, references);
    return [...ofInstance].flatMap(([instance, all]) => {
      const changes = all.flatMap((one) => one.changes.map((change) => ({ resource: one.resource, change })));
      return [...Map.groupBy(changes, ({ change }) => change.property)].map(([property, of]): Planned => {
        const plan = attempt(() => planner.plan(instance, of, all));
        const isRefused = plan instanceof Refusal;
        return { instance, property, of, all, plan: isRefused ? undefined : plan, refused: isRefused ? plan : undefined };
      });
    });
  }

  /**
   * Refuses what would change a resource that must not change, and drops the plans of a resource of which one property is refused.
   *
   * @param out resources that are left as they are: more are added
   * @returns whether anything was dropped
   */
  #drops(planned: readonly Planned[], out: Set<AcceptedResource>): boolean {
    let changed = false;
    for (const one of planned) {
      const outside = one.of.filter(({ resource }) => out.has(resource)).length;
      if (outside > 0 && outside < one.of.length) one.refused ??= notAlike(one.instance, one.all);
      if (outside > 0 || one.refused) one.plan = undefined;
      if (!one.refused || outside === one.of.length) continue;
      for (const { resource } of one.of) out.add(resource);
      changed = true;
    }
    const ofInstance = Map.groupBy(planned, ({ instance }) => instance);
    const wanted = new Map(planned.map((one) => [one, new Set(one.plan?.changes.map(keyOfChange))]));
    for (const one of planned) {
      for (const change of one.plan?.changes ?? []) {
        const key = keyOfChange(change);
        const others = this.#sharing.of(change).filter(({ instance, property }) => {
          return !ofInstance.get(instance)?.some((of) => of.property === property && wanted.get(of)?.has(key));
        });
        if (others.length === 0) continue;
        changed = true;
        if (one.plan?.instead) one.plan = { ...one.plan, changes: one.plan.instead, instead: undefined };
        else one.refused = new Refusal(this.#sharing.reason(one.instance, others), change.node);
        break;
      }
    }
    return changed;
  }

  #applied(plans: readonly PropertyPlan[]): Map<string, ChangedFile> {
    const changes = new Map(plans.flatMap((plan) => plan.changes.map((one) => [keyOfChange(one), one])));
    const byFile = Map.groupBy(changes.values(), ({ node }) => node.getSourceFile());
    const files = [...byFile].map(([file, own]): [string, ChangedFile] => {
      const here = plans.filter((plan) => plan.changes.some(({ node }) => node.getSourceFile() === file));
      const imports = here.flatMap((plan) => plan.imports);
      return [file.fileName, isYaml(file) ? appliedToYaml(file, own) : applied(this.source, file, own, imports)];
    });
    return new Map(files);
  }

  #report(located: readonly Located[], planned: readonly Planned[], files: ReadonlyMap<string, ChangedFile>): Acceptance {
    const edited = new Instances(this.source.with([...files].map(([path, { text }]) => [path, text])));
    const instances = new Map(this.#instances.all.map((one, i) => [one, edited.all[i] ?? one]));
    const edits = [...files].map(([path, { text }]) => ({ path, before: this.source.text(path) ?? "", after: text }));
    const acceptance: Acceptance = { edits, placed: [], same: [], unplaced: [] };
    const byResource = Map.groupBy(
      planned.flatMap((one) => one.of.map(({ resource }) => ({ one, resource }))),
      ({ resource }) => resource,
    );
    for (const { resource, changes, at } of located) {
      const own = (byResource.get(resource) ?? []).map(({ one }) => one);
      const isWhole = own.every(({ refused }) => !refused);
      for (const change of changes) {
        const { property } = change;
        const all = own.filter((one) => one.property === property);
        const refused = at instanceof Refusal ? at : all.find((one) => one.refused)?.refused;
        if (refused) {
          const position = refused.node && placeNow(refused.node, files);
          const advice = adviceFor(resource, change, refused);
          acceptance.unplaced.push({ resource, property, reason: refused.why, advice, ...(position && { position }) });
        } else if (isWhole && all[0]) {
          const { instance, plan } = all[0];
          const list = plan && plan.changes.length > 0 ? acceptance.placed : acceptance.same;
          list.push({ resource, property, ...placeOf(edited, instances.get(instance) ?? instance, property) });
        }
      }
    }
    return acceptance;
  }
}

function placeNow(node: ts.Node, files: ReadonlyMap<string, ChangedFile>): Position {
  const { fileName: file } = node.getSourceFile();
  const changed = files.get(file);
  if (!changed) return positionOf(node);
  const lines = changed.text.slice(0, changed.moved(node.getStart())).split("\n");
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Returns the position of a property of an instance, or else of its declaration, and the parts of the program that give it its value. */
function placeOf(instances: Instances, instance: Instance, property: string): Pick<Placed, "position" | "ranges"> {
  const value = instances.memberOf(instance, property);
  const { node } = instance.declaration;
  const written = value?.how === "missing" ? value.object.node : value?.node.parent;
  const parts = value?.set && written ? [value.set.property, written, node] : [node];
  const ranges = parts.map((one) => ({ file: one.getSourceFile().fileName, start: one.getStart(), end: one.end }));
  return { position: positionOf(parts[0] ?? node), ranges };
}
