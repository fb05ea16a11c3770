import type ts from "typescript";
import type { Position } from "../common/position";
import type { Acceptance, AcceptedResource, PlacedEdit, ObservedResource } from "./acceptance";
import { adviceFor } from "./advice";
import { applied, type ChangedFile } from "./text-edits";
import { positionOf } from "./declarations";
import { Instances, type Instance } from "./instances";
import { notAlike, Planner, type PropertyPlan, type ResourceChange } from "./property-plan";
import type { ProgramSource } from "./program-source";
import { SourceReferences } from "./source-references";
import { keyOfChange } from "./rewriter";
import { Sharing } from "./sharing";
import { attempt, Refusal } from "./value";
import { appliedToYaml } from "./yaml-edits";
import { isYaml } from "./yaml-source";

interface Located extends ObservedResource {
  at: readonly Instance[] | Refusal;
}

/** A property of an instance, and its plan until that is refused. */
interface Planned {
  readonly instance: Instance;
  readonly property: string;
  /** The resources that it is a property of: several if stacks share a declaration. */
  readonly of: readonly ResourceChange[];
  /** The same, with those that have not changed in it. */
  readonly all: readonly ObservedResource[];
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
  accept(realities: readonly ObservedResource[], left: ReadonlySet<AcceptedResource> = new Set()): Acceptance {
    const located = realities.map((reality): Located => ({ ...reality, at: this.#instances.locate(reality.resource) }));
    const planned = this.#planned(located);
    const lost = located.filter(({ at, changes }) => at instanceof Refusal && changes.length > 0);
    const out = new Set([...left, ...lost.map(({ resource }) => resource)]);
    while (this.#drops(planned, out));
    const accepted = located.filter((item) => !left.has(item.resource));
    return this.#report(accepted, planned, this.#applied(planned.flatMap(({ plan }) => plan ?? [])));
  }

  #planned(located: readonly Located[]): Planned[] {
    const ofInstance = new Map<Instance, Located[]>(this.#instances.all.map((instance) => [instance, []]));
    const declared = located.flatMap((item) => {
      const instances = item.at instanceof Refusal ? [] : item.at;
      for (const instance of instances) ofInstance.get(instance)?.push(item);
      return instances.slice(0, 1).map(({ declaration }) => [item.resource, declaration] as const);
    });
    const references = new SourceReferences(this.source, this.#instances.symbols, declared);
    const planner = new Planner(this.#sharing, references);
    return [...ofInstance].flatMap(([instance, all]) => {
      const changes = all.flatMap((item) => item.changes.map((change) => ({ resource: item.resource, change })));
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
    for (const item of planned) {
      const outside = item.of.filter(({ resource }) => out.has(resource)).length;
      if (outside > 0 && outside < item.of.length) item.refused ??= notAlike(item.instance, item.all);
      if (outside > 0 || item.refused) item.plan = undefined;
      if (!item.refused || outside === item.of.length) continue;
      for (const { resource } of item.of) out.add(resource);
      changed = true;
    }
    const ofInstance = Map.groupBy(planned, ({ instance }) => instance);
    const wanted = new Map(planned.map((item) => [item, new Set(item.plan?.changes.map(keyOfChange))]));
    for (const item of planned) {
      for (const change of item.plan?.changes ?? []) {
        const key = keyOfChange(change);
        const others = this.#sharing.of(change).filter(({ instance, property }) => {
          return !ofInstance.get(instance)?.some((of) => of.property === property && wanted.get(of)?.has(key));
        });
        if (others.length === 0) continue;
        changed = true;
        if (item.plan?.instead) item.plan = { ...item.plan, changes: item.plan.instead, instead: undefined };
        else item.refused = new Refusal(this.#sharing.reason(item.instance, others), change.node);
        break;
      }
    }
    return changed;
  }

  #applied(plans: readonly PropertyPlan[]): Map<string, ChangedFile> {
    const changes = new Map(plans.flatMap((plan) => plan.changes.map((change) => [keyOfChange(change), change])));
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
    const instances = new Map(this.#instances.all.map((instance, i) => [instance, edited.all[i] ?? instance]));
    const edits = [...files].map(([path, { text }]) => ({ path, before: this.source.text(path) ?? "", after: text }));
    const acceptance: Acceptance = { edits, placed: [], same: [], unplaced: [] };
    const byResource = Map.groupBy(
      planned.flatMap((item) => item.of.map(({ resource }) => ({ item, resource }))),
      ({ resource }) => resource,
    );
    for (const { resource, changes, at } of located) {
      const own = (byResource.get(resource) ?? []).map(({ item }) => item);
      const isWhole = own.every(({ refused }) => !refused);
      for (const change of changes) {
        const { property } = change;
        const all = own.filter((item) => item.property === property);
        const refused = at instanceof Refusal ? at : all.find((item) => item.refused)?.refused;
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
function placeOf(instances: Instances, instance: Instance, property: string): Pick<PlacedEdit, "position" | "ranges"> {
  const value = instances.memberOf(instance, property);
  const { node } = instance.declaration;
  const written = value?.how === "missing" ? value.object.node : value?.node.parent;
  const parts = value?.set && written ? [value.set.property, written, node] : [node];
  const ranges = parts.map((part) => ({ file: part.getSourceFile().fileName, start: part.getStart(), end: part.end }));
  return { position: positionOf(parts[0] ?? node), ranges };
}
