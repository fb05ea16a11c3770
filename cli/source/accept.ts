import type ts from "typescript";
import type { Position } from "../held";
import { argumentsIn, planOf, type PropertyPlan } from "./accept-property";
import type { Acceptance, AcceptedChange, AcceptedResource, Reality } from "./accepted";
import { applied, type ChangedFile } from "./apply";
import { adviceFor } from "./advice";
import { positionOf } from "./declarations";
import { Instances, type Instance } from "./instances";
import { locate, type Lost } from "./locate";
import type { ProgramSource } from "./program";
import { objectIn, sameOutline } from "./read";
import { References } from "./references";
import { Refusal, type Change } from "./rewrite";
import { dependent, keyOfChange, saidOf, Sharing, type Dependent } from "./sharing";
import { styleOf, type Style } from "./style";
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
  readonly of: readonly { resource: AcceptedResource; change: AcceptedChange }[];
  refused?: Refusal;
}

/** Says in a program what is real, each resource whole or not at all, with everything else byte for byte as it was. */
export class Acceptor {
  readonly #instances: Instances;
  readonly #sharing: Sharing;
  readonly #styles = new Map<ts.SourceFile, Style>();

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
      for (const one of wrong) one.refused = new Refusal(notWritten, one.instance.declaration.node);
    }
  }

  #planned(located: readonly Located[]): Planned[] {
    const first = (at: Located["at"]): Instance | undefined => ("why" in at ? undefined : at[0]);
    const declared = located.map(({ resource, at }) => ({ resource, declaration: first(at)?.declaration }));
    const references = new References(this.source, this.#instances.symbols, declared);
    return this.#instances.all.flatMap((instance, i) => {
      const own = located.filter(({ at }) => !("why" in at) && at.includes(instance));
      const properties = new Set(own.flatMap(({ changes }) => changes.map(({ property }) => property)));
      return [...properties].map((property): Planned => {
        const of = own.flatMap(({ resource, changes }) => {
          const change = changes.find((one) => one.property === property);
          return change ? [{ resource, change }] : [];
        });
        const planned = { instance, key: dependent(i, property), property, of };
        try {
          return { ...planned, ...this.#plan(instance, of, own, references) };
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { ...planned, imports: [], refused: error };
        }
      });
    });
  }

  /** @throws Refusal */
  #plan(instance: Instance, of: Planned["of"], own: readonly Reality[], references: References): PropertyPlan {
    const { declaration, env } = instance;
    const path = declaration.position.file;
    const plans = of.map(({ resource, change }) => {
      const { stack } = resource;
      const around = {
        reader: this.#instances.reader(env, { idOf: (node) => references.idOf(stack, node) }),
        styleOf: (file: ts.SourceFile) => this.#styleOf(file),
        declaration,
        refer: (kindName: string, id: string, from: number) => references.to(id, { path, stack, kindName, from }),
        refuseOtherUses: this.#sharing.refuseOtherUses.bind(this.#sharing),
      };
      return planOf(around, resource, change);
    });
    const [first] = plans;
    const isAgreed = of.length === own.length || plans.every(({ plan }) => !plan);
    const ways = new Set(plans.map(({ plan }) => [...keysOf(plan?.changes ?? [])].join()));
    if (!first || !isAgreed || ways.size > 1) throw notAlike(declaration.node, own);
    for (const { node } of first.plan?.changes ?? []) {
      const { fileName, text } = node.getSourceFile();
      const mistake = mistakeIn(this.source.ts, fileName, text);
      if (mistake !== undefined) throw new Refusal(`stands in a file that has a mistake: ${mistake}`, declaration.node);
    }
    return first;
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
      if (outside > 0 && outside < one.of.length) one.refused ??= notAlike(one.instance.declaration.node, one.of);
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
    return new Map(
      [...byFile].map(([file, own]) => {
        const lacking = planned.filter(({ instance, plan }) => plan && instance.declaration.position.file === file.fileName);
        return [
          file.fileName,
          applied(
            this.source,
            file,
            own,
            lacking.flatMap(({ imports }) => imports),
          ),
        ];
      }),
    );
  }

  /** Reads the edited program again: it has to parse, to declare what it did, and to say exactly what was meant. */
  #readAgain(
    planned: readonly Planned[],
    files: ReadonlyMap<string, ChangedFile>,
  ): { instances: Instances; wrong: readonly Planned[] } {
    const before = this.#instances;
    if (files.size === 0) return { instances: before, wrong: [] };
    if ([...files].some(([path, { text }]) => mistakeIn(this.source.ts, path, text) !== undefined)) {
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
    const acceptance: Acceptance = { edits: [], placed: [], same: [], unplaced: [] };
    for (const [path, { text }] of files)
      acceptance.edits.push({ path, before: this.source.texts.get(path) ?? "", after: text });
    const places = new Map(this.#instances.all.map((one, i) => [one, instances.all[i] ?? one]));
    for (const { resource, changes, at } of located) {
      if (left.has(resource)) continue;
      const own = planned.filter(({ of }) => of.some((one) => one.resource === resource));
      const isWhole = own.every(({ refused }) => !refused);
      for (const change of changes) {
        const { property } = change;
        const [one, refused] = [
          own.find((of) => of.property === property),
          own.find((of) => of.property === property && of.refused),
        ];
        if ("why" in at) {
          const advice = adviceFor(resource, change);
          acceptance.unplaced.push({
            resource,
            property,
            reason: at.why,
            advice,
            ...(at.position && { position: at.position }),
          });
        } else if (refused?.refused) {
          const { why, node, configurationKey } = refused.refused;
          const advice = adviceFor(resource, change, configurationKey);
          acceptance.unplaced.push({ resource, property, reason: why, advice, position: placeNow(node, files) });
        } else if (one && isWhole) {
          const now = places.get(one.instance) ?? one.instance;
          acceptance[one.plan ? "placed" : "same"].push({
            resource,
            property,
            position: memberPlace(instances, now, property),
          });
        }
      }
    }
    return acceptance;
  }

  #styleOf(file: ts.SourceFile): Style {
    const style = this.#styles.get(file) ?? styleOf(this.source.ts, file);
    this.#styles.set(file, style);
    return style;
  }
}

const notWritten = "could not be written so that it says what is real";

function notAlike(node: ts.Node, of: readonly { resource: AcceptedResource }[]): Refusal {
  const stacks = [...new Set(of.map(({ resource }) => resource.stack))].join(", ");
  return new Refusal(`stands for several resources that are not alike in it (stack ${stacks})`, node);
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
