import type ts from "typescript";
import { check, withoutDefaults } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { isSame } from "../../provider/shape";
import { isObject } from "../../provider/values";
import { secretMask } from "../engine/state";
import type { AcceptedChange, AcceptedResource, Reality } from "./accepted";
import { asWritten } from "./advice";
import type { Import } from "./imports";
import type { Instance } from "./instances";
import type { ProgramSource } from "./program";
import type { Reader } from "./reader";
import type { References } from "./references";
import { Rewriter, type Change, type Wanted } from "./rewrite";
import { keyOfChange, type Sharing } from "./sharing";
import { styleOf, type Style } from "./style";
import { refusal, Refusal, unknown, type Member, type Value } from "./value";

/** The changes that give a property its value, and the imports that its file needs. Without changes the program has the value already. */
export interface PropertyPlan {
  readonly changes: readonly Change[];
  /** Other changes, which do not touch what the property has in common with others. */
  readonly instead?: readonly Change[];
  readonly imports: readonly Import[];
}

export interface ResourceChange {
  readonly resource: AcceptedResource;
  readonly change: AcceptedChange;
}

export class Planner {
  readonly #styles = new Map<ts.SourceFile, Style>();

  constructor(
    private readonly source: ProgramSource,
    private readonly sharing: Sharing,
    private readonly references: References,
  ) {}

  /**
   * Plans the edit of a property of an instance.
   *
   * @param of the changes of it, one for each stack that has one
   * @param all every resource of the instance
   * @throws Refusal
   */
  plan(instance: Instance, of: readonly ResourceChange[], all: readonly Reality[]): PropertyPlan {
    const plans = of.map((one) => this.#planOf(instance, one));
    const [first] = plans;
    const isAgreed = of.length === all.length || plans.every(({ changes }) => changes.length === 0);
    const ways = new Set(plans.map(({ changes }) => changes.map(keyOfChange).toSorted().join()));
    if (!first || !isAgreed || ways.size > 1) throw new NotAlike(instance.declaration.node, all);
    return first;
  }

  #planOf(instance: Instance, { resource, change }: ResourceChange): PropertyPlan {
    const { instances } = this.sharing;
    const { kind, secrets, stack } = resource;
    const { property } = change;
    const { node, position } = instance.declaration;
    if (!Object.hasOwn(kind.schema.shape, property)) throw new Refusal(`is no property of ${kind.name}`, node);
    const reader = instances.reader(instance.env, { idOf: (one) => this.references.idOf(stack, one) });
    const args = instances.argumentsOf(instance, reader);
    const member: Member = args?.how === "object" ? reader.member(args, property) : { how: "absent" };
    if (change.secret || secrets.has(property) || kind.secrets.includes(property) || holdsMask(change.after)) {
      const { configurationKey } = member.how === "absent" || member.value.how !== "fixed" ? {} : member.value;
      throw new Refusal("is secret: it is never written into a program", node, configurationKey);
    }
    if (!args) throw new Refusal("is declared without arguments", node);
    const other = args.how === "fixed" ? args.why : args.how === "object" && this.sharing.otherUse(args.uses);
    if (other)
      throw new Refusal(`has arguments that cannot be changed: what stands there ${other}`, node.arguments?.[1] ?? node);
    if (args.how !== "object") throw new Refusal("has arguments that are no object literal", args.node);

    const refer = this.#referring(stack, position.file, [args.node, ...(member.how === "absent" ? [] : [member.value.node])]);
    const { wanted, imports } = wantedOf(kind, change, refer);
    const isDone = (value: unknown): boolean =>
      value === undefined || wanted.full === undefined
        ? isSame(kind, property, value, wanted.full)
        : isSame(kind, property, check(kind, { [property]: value }).inputs[property], wanted.full);
    const said = member.how === "absent" ? undefined : reader.dataOf(member.value);
    if (said === unknown && member.how !== "absent") throw refusal(openIn(reader, member.value));
    if (said !== undefined && isDone(said)) return { changes: [], imports: [] };
    const rewriter = new Rewriter(reader, (file) => this.#styleOf(file));
    const changes = rewriter.member(args, property, wanted);
    const isShared = member.how === "set" && member.owner !== args && wanted.full !== undefined;
    const instead = isShared ? [rewriter.addition(args, property, wanted)] : undefined;
    return { ...this.#unshared(changes, instead, member), imports };
  }

  /** @throws Refusal if other code reads what is changed */
  #unshared(
    changes: readonly Change[],
    instead: readonly Change[] | undefined,
    member: Member,
  ): Pick<PropertyPlan, "changes" | "instead"> {
    for (const { uses, node } of changes) {
      const why = this.sharing.otherUse(uses);
      if (why === undefined) continue;
      if (instead) return { changes: instead };
      const at = member.how === "set" && "initializer" in member.property ? member.property.initializer : undefined;
      throw new Refusal(why, at ?? (member.how === "set" ? member.property : node));
    }
    return { changes, ...(instead && { instead }) };
  }

  /** Returns a function that writes an id as a reference to a resource that is declared above all places that are written to. */
  #referring(stack: string, path: string, places: readonly ts.Node[]) {
    const isHere = places.every((one) => one.getSourceFile().fileName === path);
    const from = isHere ? Math.min(...places.map(({ pos }) => pos)) : -1;
    return (kindName: string, id: string) => this.references.to(id, { path, stack, kindName, from });
  }

  #styleOf(file: ts.SourceFile): Style {
    const style = this.#styles.get(file) ?? styleOf(this.source.ts, file);
    this.#styles.set(file, style);
    return style;
  }
}

/** The reason that the resources of one declaration differ in a property. */
export class NotAlike extends Refusal {
  /** Whether they are in several stacks: the configuration of a stack can hold its own value. */
  readonly isOfStacks: boolean;

  constructor(node: ts.Node, all: readonly Reality[]) {
    const stacks = new Set(all.map(({ resource }) => resource.stack));
    super(`stands for several resources that are not alike in it (stack ${[...stacks].join(", ")})`, node);
    this.isOfStacks = stacks.size > 1;
  }
}

/** Finds the first part of a value that the program does not show. */
function openIn(reader: Reader, value: Value): Value {
  const members = value.how === "object" ? reader.namesIn(value).map((name) => reader.member(value, name)) : [];
  const parts = value.how === "list" ? value.items : members.flatMap((one) => (one.how === "absent" ? [] : [one.value]));
  const open = parts.find((part) => reader.dataOf(part) === unknown);
  return open ? openIn(reader, open) : value;
}

/** The value in full and as a person writes it. */
function wantedOf(
  kind: Kind,
  change: AcceptedChange,
  refer: (kindName: string, id: string) => ReturnType<References["to"]>,
): { wanted: Wanted; imports: Import[] } {
  const { property, how, after } = change;
  if (how === "removed" || after === undefined || after === null) {
    return { wanted: { full: undefined, lean: undefined }, imports: [] };
  }
  const bare = withoutDefaults(kind, { [property]: asWritten(kind, change) })[property];
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
