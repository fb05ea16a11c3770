import type ts from "typescript";
import type { Position } from "../engine/state";
import type { Acceptance, AcceptedResource, Reality } from "./accepted";
import { adviceFor } from "./advice";
import { applied, type ChangedFile } from "./apply";
import { positionOf } from "./declarations";
import { Instances, type Instance } from "./instances";
import { locate, type Lost } from "./locate";
import { NotAlike, Planner, type PropertyPlan, type ResourceChange } from "./planner";
import type { ProgramSource } from "./program";
import { objectIn, sameOutline } from "./read";
import { References } from "./references";
import { Refusal, type Change } from "./rewrite";
import { argumentsIn, dependent, keyOfChange, saidOf, Sharing, type Dependent } from "./sharing";
import { mistakeIn } from "./typescript";

/** A resource, where it differs, and what declares it. */
interface Located extends Reality {
  at: readonly Instance[] | Lost;
}

/** A property of a declared resource, and what becomes of it. */
interface Planned extends PropertyPlan {
  readonly instance: Instance;
  readonly key: Dependent;
  readonly property: string;
  /** The resources that it is a property of: several where stacks share a declaration. */
  readonly of: readonly ResourceChange[];
  /** The same, with those that have not changed in it. */
  readonly all: readonly Reality[];
  refused?: Refusal;
}

/** Says in a program what is real, each resource whole or not at all, with everything else byte for byte as it was. */
export class Acceptor {
  readonly #instances: Instances;
  readonly #sharing: Sharing;

  constructor(private readonly source: ProgramSource) {
    this.#instances = new Instances(source);
    this.#sharing = new Sharing(this.#instances);
  }

  /**
   * Finds the edits that make the program say what is real. Nothing is written.
   *
   * @param realities every resource of ours in the stacks that run the program: those without changes must not change, and tell which
   *   ids the program's references stand for
   * @param left resources that are left as they are
   */
  accept(realities: readonly Reality[], left: ReadonlySet<AcceptedResource> = new Set()): Acceptance {
    const located = realities.map((one): Located => ({ ...one, at: locate(this.#instances, one.resource) }));
    const planned = this.#planned(located);
    for (;;) {
      this.#settle(planned, located, left);
      const active = planned.filter(({ plan }) => plan);
      const files = this.#applied(active);
      const { instances, wrong } = this.#readAgain(active, files);
      if (wrong.length === 0) return this.#report(located, planned, left, files, instances);
      // Less is left to be done: this ends.
      for (const one of wrong) {
        one.refused = new Refusal("could not be written so that it says what is real", one.instance.declaration.node);
      }
    }
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
    return [...ofInstance].flatMap(([instance, own], i) => {
      const changes = own.flatMap((one) => one.changes.map((change) => ({ resource: one.resource, change })));
      return [...Map.groupBy(changes, ({ change }) => change.property)].map(([property, of]): Planned => {
        const planned = { instance, key: dependent(i, property), property, of, all: own };
        try {
          return { ...planned, ...planner.plan(instance, of, own) };
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { ...planned, imports: [], refused: error };
        }
      });
    });
  }

  /**
   * Refuses what would change a resource that must not change, and takes back the plans of every resource of which something is
   * refused: of one that is placed in part, the rest would become a change of the program that nobody made.
   */
  #settle(planned: readonly Planned[], located: readonly Located[], left: ReadonlySet<AcceptedResource>): void {
    const out = new Set(left);
    for (const { resource, changes, at } of located) if ("why" in at && changes.length > 0) out.add(resource);
    while (this.#takesBack(planned, out));
  }

  /** @param out resources that are left as they are: more are added. @returns whether anything was taken back */
  #takesBack(planned: readonly Planned[], out: Set<AcceptedResource>): boolean {
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
      if (one.plan?.instead) one.plan = one.plan.instead;
      else one.refused = shared;
    }
    return changed;
  }

  /** Why a plan cannot be carried out: it would change others that do not want it. */
  #sharedWith({ key, plan, instance }: Planned, wanted: ReadonlyMap<Dependent, ReadonlySet<string>>): Refusal | undefined {
    for (const change of plan?.changes ?? []) {
      const others = [...this.#sharing.of(change)].filter((one) => one !== key && !wanted.get(one)?.has(keyOfChange(change)));
      if (others.length === 0) continue;
      return new Refusal(this.#sharing.reason(instance, others), change.node);
    }
    return undefined;
  }

  #applied(planned: readonly Planned[]): Map<string, ChangedFile> {
    const changes = new Map(planned.flatMap(({ plan }) => plan?.changes ?? []).map((one) => [keyOfChange(one), one]));
    const byFile = Map.groupBy(changes.values(), ({ node }) => node.getSourceFile());
    const files = [...byFile].map(([file, own]): [string, ChangedFile] => {
      const here = planned.filter(({ instance }) => instance.declaration.position.file === file.fileName);
      const imports = here.flatMap((one) => one.imports);
      return [file.fileName, applied(this.source, file, own, imports)];
    });
    return new Map(files);
  }

  /** Reads the edited program again: it has to parse, to declare what it did, and to say exactly what was meant. */
  #readAgain(
    planned: readonly Planned[],
    files: ReadonlyMap<string, ChangedFile>,
  ): { instances: Instances; wrong: readonly Planned[] } {
    const before = this.#instances;
    if (files.size === 0) return { instances: before, wrong: [] };
    if ([...files].some(([path, { text }]) => mistakeIn(this.source.ts, path, text))) {
      return { instances: before, wrong: planned };
    }
    const after = new Instances(this.source.with([...files].map(([path, { text }]) => [path, text])));
    const byKey = new Map(planned.map((one) => [one.key, one]));
    const wrong = before.all.flatMap((instance, i) => {
      const now = after.all[i];
      if (!now || now.name !== instance.name || now.declaration.className !== instance.declaration.className) return planned;
      return Object.keys(instance.declaration.kind.schema.shape).flatMap((property) => {
        const one = byKey.get(dependent(i, property));
        const wanted = one?.plan ? one.plan.outline : saidOf(before, instance, property);
        if (sameOutline(wanted, saidOf(after, now, property))) return [];
        return one ?? planned;
      });
    });
    return { instances: after, wrong: after.all.length === before.all.length ? wrong : planned };
  }

  #report(
    located: readonly Located[],
    planned: readonly Planned[],
    left: ReadonlySet<AcceptedResource>,
    files: ReadonlyMap<string, ChangedFile>,
    instances: Instances,
  ): Acceptance {
    const { texts } = this.source;
    const edits = [...files].map(([path, { text }]) => ({ path, before: texts.get(path) ?? "", after: text }));
    const acceptance: Acceptance = { edits, placed: [], same: [], unplaced: [] };
    const now = new Map(this.#instances.all.map((one, i) => [one, instances.all[i] ?? one]));
    const byResource = Map.groupBy(
      planned.flatMap((one) => one.of.map(({ resource }) => ({ one, resource }))),
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
          const advice = adviceFor(resource, change, refused?.configurationKey);
          const { position } = why;
          acceptance.unplaced.push({ resource, property, reason: why.why, advice, ...(position && { position }) });
        } else if (isWhole && all[0]) {
          const position = memberPlace(instances, now.get(all[0].instance) ?? all[0].instance, property);
          acceptance[all[0].plan ? "placed" : "same"].push({ resource, property, position });
        }
      }
    }
    return acceptance;
  }
}

function keysOf(changes: readonly Change[]): Set<string> {
  return new Set(changes.map(keyOfChange));
}

/** Where something stands in the edited files. */
function placeNow(node: ts.Node, files: ReadonlyMap<string, ChangedFile>): Position {
  const file = node.getSourceFile();
  const changed = files.get(file.fileName);
  if (!changed) return positionOf(file.fileName, file, node);
  const lines = changed.text.slice(0, changed.moved(node.getStart())).split("\n");
  return { file: file.fileName, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Where the program says a property; where it does not, its declaration. */
function memberPlace(instances: Instances, { declaration, env }: Instance, property: string): Position {
  const reader = instances.reader(env);
  const args = argumentsIn(reader, declaration);
  const object = objectIn(args);
  const member = object && reader.member(object, property);
  if (member?.how !== "set") return declaration.position;
  const file = member.property.getSourceFile();
  return positionOf(file.fileName, file, member.property);
}
