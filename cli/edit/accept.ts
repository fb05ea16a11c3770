import type ts from "typescript";
import type { Position } from "../engine/state";
import type { Acceptance, AcceptedResource, Placed, Reality } from "./accepted";
import { adviceFor, stackAdvice } from "./advice";
import { applied, type ChangedFile } from "./apply";
import { positionOf } from "./declarations";
import { Instances, type Instance } from "./instances";
import { locate, type Lost } from "./locate";
import { NotAlike, Planner, type PropertyPlan, type ResourceChange } from "./plan";
import type { ProgramSource } from "./program";
import { References } from "./references";
import type { Change } from "./rewrite";
import { dependent, keyOfChange, Sharing, type Dependent } from "./sharing";
import { Refusal } from "./value";

interface Located extends Reality {
  at: readonly Instance[] | Lost;
}

/** A property of an instance, and its plan until that is refused. */
interface Planned {
  readonly index: number;
  readonly instance: Instance;
  readonly key: Dependent;
  readonly property: string;
  /** The resources that it is a property of: several if stacks share a declaration. */
  readonly of: readonly ResourceChange[];
  /** The same, with those that have not changed in it. */
  readonly all: readonly Reality[];
  plan?: PropertyPlan;
  refused?: Refusal;
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
    const located = realities.map((one): Located => ({ ...one, at: locate(this.#instances, one.resource) }));
    const planned = this.#planned(located);
    this.#settle(planned, located, left);
    return this.#report(located, planned, left, this.#applied(planned.filter(({ plan }) => plan)));
  }

  #planned(located: readonly Located[]): Planned[] {
    const ofInstance = new Map<Instance, Located[]>(this.#instances.all.map((one) => [one, []]));
    for (const one of located) if (!("why" in one.at)) for (const instance of one.at) ofInstance.get(instance)?.push(one);
    const declared = located.map(({ resource, at }) => ({
      resource,
      declaration: "why" in at ? undefined : at[0]?.declaration,
    }));
    const references = new References(this.source, this.#instances.symbols, declared);
    const planner = new Planner(this.source, this.#sharing, references);
    return [...ofInstance].flatMap(([instance, own], index) => {
      const changes = own.flatMap((one) => one.changes.map((change) => ({ resource: one.resource, change })));
      return [...Map.groupBy(changes, ({ change }) => change.property)].map(([property, of]): Planned => {
        const planned = { index, instance, key: dependent(index, property), property, of, all: own };
        try {
          return { ...planned, plan: planner.plan(instance, of, own) };
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { ...planned, refused: error };
        }
      });
    });
  }

  /** Refuses what would change a resource that must not change, and drops the plans of a resource of which one property is refused. */
  #settle(planned: readonly Planned[], located: readonly Located[], left: ReadonlySet<AcceptedResource>): void {
    const out = new Set(left);
    for (const { resource, changes, at } of located) if ("why" in at && changes.length > 0) out.add(resource);
    while (this.#drops(planned, out));
  }

  /** @param out resources that are left as they are: more are added. @returns whether anything was dropped */
  #drops(planned: readonly Planned[], out: Set<AcceptedResource>): boolean {
    let changed = false;
    for (const one of planned) {
      const outside = one.of.filter(({ resource }) => out.has(resource)).length;
      if (outside > 0 && outside < one.of.length) one.refused ??= new NotAlike(one.instance.declaration.node, one.all);
      if (outside > 0 || one.refused) one.plan = undefined;
      if (!one.refused || outside === one.of.length) continue;
      for (const { resource } of one.of) out.add(resource);
      changed = true;
    }
    const wanted = new Map(planned.map(({ key, plan }) => [key, keysOf(plan?.changes ?? [])]));
    for (const one of planned) {
      const shared = this.#sharedWith(one, wanted);
      if (!shared) continue;
      changed = true;
      if (one.plan?.instead) one.plan = { ...one.plan, changes: one.plan.instead, instead: undefined };
      else one.refused = shared;
    }
    return changed;
  }

  /** The reason why a plan cannot be carried out: it would change others that do not want it. */
  #sharedWith({ key, plan, instance }: Planned, wanted: ReadonlyMap<Dependent, ReadonlySet<string>>): Refusal | undefined {
    for (const change of plan?.changes ?? []) {
      const others = [...this.#sharing.of(change)].filter((one) => one !== key && !wanted.get(one)?.has(keyOfChange(change)));
      if (others.length > 0) return new Refusal(this.#sharing.reason(instance, others), change.node);
    }
    return undefined;
  }

  #applied(planned: readonly Planned[]): Map<string, ChangedFile> {
    const changes = new Map(planned.flatMap(({ plan }) => plan?.changes ?? []).map((one) => [keyOfChange(one), one]));
    const byFile = Map.groupBy(changes.values(), ({ node }) => node.getSourceFile());
    const files = [...byFile].map(([file, own]): [string, ChangedFile] => {
      const here = planned.filter(({ instance }) => instance.declaration.position.file === file.fileName);
      return [
        file.fileName,
        applied(
          this.source,
          file,
          own,
          here.flatMap(({ plan }) => plan?.imports ?? []),
        ),
      ];
    });
    return new Map(files);
  }

  #report(
    located: readonly Located[],
    planned: readonly Planned[],
    left: ReadonlySet<AcceptedResource>,
    files: ReadonlyMap<string, ChangedFile>,
  ): Acceptance {
    const edited = new Instances(this.source.with([...files].map(([path, { text }]) => [path, text])));
    const edits = [...files].map(([path, { text }]) => ({ path, before: this.source.text(path) ?? "", after: text }));
    const acceptance: Acceptance = { edits, placed: [], same: [], unplaced: [] };
    const byResource = Map.groupBy(
      planned.flatMap((one) => one.of.map(({ resource, change }) => ({ one, resource, change }))),
      ({ resource }) => resource,
    );
    for (const { resource, changes, at } of located.filter((one) => !left.has(one.resource))) {
      const own = byResource.get(resource) ?? [];
      const isWhole = own.every(({ one }) => !one.refused);
      for (const change of changes) {
        const { property } = change;
        const all = own.flatMap(({ one }) => (one.property === property ? [one] : []));
        const refused = all.find((one) => one.refused)?.refused;
        const why = "why" in at ? at : refused && { why: refused.why, position: placeNow(refused.node, files) };
        if (why) {
          const advice =
            refused instanceof NotAlike && refused.isOfStacks
              ? stackAdvice(resource, change)
              : adviceFor(resource, change, refused?.configurationKey);
          const { position } = why;
          acceptance.unplaced.push({ resource, property, reason: why.why, advice, ...(position && { position }) });
        } else if (isWhole && all[0]) {
          const { index, instance, plan } = all[0];
          const list = plan && plan.changes.length > 0 ? acceptance.placed : acceptance.same;
          list.push({ resource, property, ...placeOf(edited, edited.all[index] ?? instance, property) });
        }
      }
    }
    return acceptance;
  }
}

function keysOf(changes: readonly Change[]): Set<string> {
  return new Set(changes.map(keyOfChange));
}

function placeNow(node: ts.Node, files: ReadonlyMap<string, ChangedFile>): Position {
  const file = node.getSourceFile();
  const changed = files.get(file.fileName);
  if (!changed) return positionOf(file.fileName, file, node);
  const lines = changed.text.slice(0, changed.moved(node.getStart())).split("\n");
  return { file: file.fileName, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Returns the position of a property of an instance, or else of its declaration, and the parts of the program that give it its value. */
function placeOf(instances: Instances, instance: Instance, property: string): Pick<Placed, "position" | "ranges"> {
  const member = instances.memberOf(instance, property);
  const { node, position } = instance.declaration;
  if (member.how !== "set") return { position, ranges: [rangeOf(node)] };
  const file = member.property.getSourceFile();
  const written = member.value.how === "missing" ? member.value.object.node : member.value.node.parent;
  return {
    position: positionOf(file.fileName, file, member.property),
    ranges: [rangeOf(member.property), rangeOf(written), rangeOf(node)],
  };
}

function rangeOf(node: ts.Node): Placed["ranges"][number] {
  return { file: node.getSourceFile().fileName, start: node.getStart(), end: node.end };
}
