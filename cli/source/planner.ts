import type ts from "typescript";
import { check, withoutDefaults } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { isSame } from "../../provider/shape";
import { isObject } from "../../provider/values";
import { secretMask } from "../engine/state";
import type { AcceptedChange, AcceptedResource, Reality } from "./accepted";
import type { Import } from "./imports";
import type { Instance } from "./instances";
import type { ProgramSource } from "./program";
import { objectIn, through, unknown, type Member, type ObjectRead } from "./read";
import type { Reader } from "./reader";
import type { References } from "./references";
import { Refusal, Rewriter, type Plan } from "./rewrite";
import { argumentsIn, keyOfChange, type Sharing } from "./sharing";
import { styleOf, type Style } from "./style";
import { mistakeIn, type Mistake } from "./typescript";
import type { Wanted } from "./wanted";

/** What becomes of a property, and what the file has to import for it. */
export interface PropertyPlan {
  /** Absent where the program says what is real. */
  plan?: Plan;
  imports: readonly Import[];
}

/** A change of a resource. */
export interface ResourceChange {
  resource: AcceptedResource;
  change: AcceptedChange;
}

/** Finds out what becomes of single properties. */
export class Planner {
  readonly #mistakes = new Map<ts.SourceFile, Mistake | undefined>();
  readonly #styles = new Map<ts.SourceFile, Style>();

  constructor(
    private readonly source: ProgramSource,
    private readonly sharing: Sharing,
    private readonly references: References,
  ) {}

  /**
   * What becomes of a property of a declared resource.
   *
   * @param of the changes of it, one for each stack that has one
   * @param all every resource that is declared so
   * @throws Refusal
   */
  plan({ declaration, env }: Instance, of: readonly ResourceChange[], all: readonly Reality[]): PropertyPlan {
    const plans = of.map((one) => {
      const { stack } = one.resource;
      const reader = this.sharing.instances.reader(env, { idOf: (node) => this.references.idOf(stack, node) });
      return this.#planOf({ declaration, env }, reader, one);
    });
    const [first] = plans;
    const isAgreed = of.length === all.length || plans.every(({ plan }) => !plan);
    const ways = new Set(plans.map(({ plan }) => plan?.changes.map(keyOfChange).toSorted().join()));
    if (!first || !isAgreed || ways.size > 1) throw new NotAlike(declaration.node, all);
    for (const { node } of first.plan?.changes ?? []) {
      const mistake = this.#mistakeIn(node.getSourceFile());
      if (!mistake) continue;
      const why = `stands in a file that has a mistake: ${mistake.text} (line ${mistake.line})`;
      throw new Refusal(why, declaration.node);
    }
    return first;
  }

  #planOf(
    { declaration }: Pick<Instance, "declaration" | "env">,
    reader: Reader,
    { resource, change }: ResourceChange,
  ): PropertyPlan {
    const { kind, secrets, inputs, stack } = resource;
    const { property } = change;
    const { node } = declaration;
    if (!Object.hasOwn(kind.schema.shape, property)) throw new Refusal(`is no property of ${kind.name}`, node);
    const args = argumentsIn(reader, declaration, inputs);
    const object = objectIn(args);
    const member: Member = object ? reader.member(object, property) : { how: "absent" };
    if (change.secret || secrets.has(property) || kind.secrets.includes(property) || holdsMask(change.after)) {
      const key = member.how !== "absent" && member.read.how === "fixed" ? member.read.configurationKey : undefined;
      throw new Refusal("is secret: it is never written into a program", node, key);
    }
    if (!args) throw new Refusal("is declared without arguments", node);
    const { uses, end } = through(args);
    const fixed = end.how === "fixed" ? end.why : object && this.sharing.otherUse(uses);
    if (fixed !== undefined) throw new Refusal(`has arguments that cannot be changed: what stands there ${fixed}`, args.node);
    if (!object) throw new Refusal("has arguments that are no object literal", args.node);

    const places = placesOf(object, member);
    const path = declaration.position.file;
    const from = places.every((one) => one.getSourceFile().fileName === path) ? Math.min(...places.map(({ pos }) => pos)) : -1;
    const { wanted, imports } = wantedOf(kind, change, (kindName, id) =>
      this.references.to(id, { path, stack, kindName, from }),
    );
    const same = (value: unknown): boolean =>
      isSame(kind, property, check(kind, { [property]: value }).inputs[property], wanted.full);
    const said = member.how === "absent" ? unknown : reader.valueOf(member.read);
    if (said !== unknown && said !== undefined && same(said)) return { imports: [] };
    for (const ordered of [false, true]) {
      const plan = new Rewriter(reader, (file) => this.#styleOf(file), ordered).plan(object, property, wanted);
      if (!plan) return { imports: [] };
      if (plan.outline === undefined || same(plan.value)) return { plan: this.#unshared(plan, member), imports };
    }
    throw new Refusal("holds a value that cannot be written", node);
  }

  /** A plan, or the other way that it has. @throws Refusal where what it changes is used elsewhere, too */
  #unshared(plan: Plan, member: Member): Plan {
    for (const { uses, node } of plan.changes) {
      const why = this.sharing.otherUse(uses);
      if (why === undefined) continue;
      if (plan.instead) return plan.instead;
      throw new Refusal(why, member.how === "set" ? member.read.node : node);
    }
    return plan;
  }

  #mistakeIn(file: ts.SourceFile): Mistake | undefined {
    if (!this.#mistakes.has(file)) this.#mistakes.set(file, mistakeIn(this.source.ts, file.fileName, file.text));
    return this.#mistakes.get(file);
  }

  #styleOf(file: ts.SourceFile): Style {
    const style = this.#styles.get(file) ?? styleOf(this.source.ts, file);
    this.#styles.set(file, style);
    return style;
  }
}

/** The resources that a declaration stands for differ in a property. */
export class NotAlike extends Refusal {
  constructor(node: ts.Node, all: readonly Reality[]) {
    const stacks = new Set(all.map(({ resource }) => resource.stack));
    super(`stands for several resources that are not alike in it (stack ${[...stacks].join(", ")})`, node);
  }
}

/** Where something that a member names has to be known: at the member, and at a constant that holds its value. */
function placesOf({ node }: ObjectRead, member: Member): ts.Node[] {
  const places: ts.Node[] = [node];
  let read = member.how === "absent" ? undefined : member.read;
  for (; read?.how === "named"; read = read.of) places.push(read.of.node);
  return places;
}

/** What is real, in full and as a person writes it. */
function wantedOf(
  kind: Kind,
  { property, how, after }: AcceptedChange,
  refer: (kindName: string, id: string) => ReturnType<References["to"]>,
): { wanted: Wanted; imports: Import[] } {
  if (how === "removed" || after === undefined || after === null) {
    return { wanted: { full: undefined, lean: undefined }, imports: [] };
  }
  const written = kind.properties[property]?.normalize?.(after) ?? after;
  const bare = withoutDefaults(kind, { [property]: written })[property];
  const target = kind.refersTo[property];
  const imports: Import[] = [];
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    const reference = target !== undefined && typeof value === "string" ? refer(target, value) : undefined;
    imports.push(...(reference?.imports ?? []));
    return reference?.expression ?? value;
  };
  return { wanted: { full: check(kind, { [property]: after }).inputs[property], lean: referred(bare) }, imports };
}

function holdsMask(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMask);
  return isObject(value) ? Object.values(value).some(holdsMask) : value === secretMask;
}
