import type ts from "typescript";
import { check, withoutDefaults } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { isSame } from "../../provider/shape";
import { isObject, type Properties } from "../../provider/values";
import { secretMask, sensitiveProperties } from "../held";
import type { AcceptedChange, AcceptedResource } from "./accepted";
import type { Declaration } from "./declarations";
import type { Import } from "./imports";
import { objectIn, through, unknown, type Member, type ObjectRead, type Read, type Use } from "./read";
import type { Reader } from "./reader";
import type { Reference } from "./references";
import { Refusal, Rewriter, type Plan } from "./rewrite";
import type { Style } from "./style";
import type { Wanted } from "./wanted";

/** The arguments of a declaration; nothing where it has none. */
export function argumentsIn(reader: Reader, { node }: Declaration, before?: unknown): Read | undefined {
  const argument = node.arguments?.[1];
  return argument && reader.read(argument, before);
}

/** What becomes of a property, and what the file has to import for it. */
export interface PropertyPlan {
  /** Absent where the program says what is real. */
  plan?: Plan;
  imports: readonly Import[];
}

/** What planning a property has to know of its surroundings. */
export interface Surroundings {
  reader: Reader;
  styleOf: (file: ts.SourceFile) => Style;
  declaration: Declaration;
  /** How a place writes the id of a resource of a kind. @param from position from which on it is written */
  refer: (kindName: string, id: string, from: number) => Reference | undefined;
  /** @throws Refusal where code that says nothing of resources uses these names, too */
  refuseOtherUses: (uses: readonly Use[], node: ts.Node) => void;
}

/**
 * What becomes of a property so that the program says what is real.
 *
 * @throws Refusal
 */
export function planOf(
  around: Surroundings,
  { kind, secrets, inputs }: AcceptedResource,
  change: AcceptedChange,
): PropertyPlan {
  const { property } = change;
  const { reader, styleOf, declaration, refer } = around;
  if (!Object.hasOwn(kind.schema.shape, property)) throw new Refusal(`is no property of ${kind.name}`, declaration.node);
  const isSecret = change.secret || secrets.has(property) || sensitiveProperties(kind).includes(property);
  if (isSecret || holdsMask(change.after)) throw secretRefusal(around, property);
  const object = objectOf(around, inputs);
  const same = (a: unknown, b: unknown): boolean => isSame(kind, property, a, b);
  const from = Math.min(...placesOf(reader, object, property));
  const { wanted, imports } = wantedOf(kind, change, (kindName, id) => refer(kindName, id, from));
  if (saysAlready(reader, object, property, (value) => same(filled(kind, property, value), wanted.full)))
    return { imports: [] };
  for (const ordered of [false, true]) {
    const plan = new Rewriter(reader, styleOf, ordered).plan(object, property, wanted);
    if (!plan) return { imports: [] };
    if (!same(filled(kind, property, plan.value), wanted.full) && plan.outline !== undefined) continue;
    return { plan: notUsedElsewhere(around, reader.member(object, property), plan), imports };
  }
  throw new Refusal("holds a value that cannot be written", declaration.node);
}

function secretRefusal({ reader, declaration }: Surroundings, property: string): Refusal {
  const args = argumentsIn(reader, declaration);
  const object = objectIn(args);
  const member = object && reader.member(object, property);
  const key = member && member.how !== "absent" && member.read.how === "fixed" ? member.read.configurationKey : undefined;
  return new Refusal("is secret: it is never written into a program", declaration.node, key);
}

/** The arguments of a declaration. @throws Refusal where they are no object literal, or one that is used elsewhere */
function objectOf({ reader, declaration, refuseOtherUses }: Surroundings, inputs: Properties): ObjectRead {
  const read = argumentsIn(reader, declaration, inputs);
  if (!read) throw new Refusal("is declared without arguments", declaration.node);
  const { uses, end } = through(read);
  const object = objectIn(read);
  const why = end.how === "fixed" ? `cannot be changed: what stands there ${end.why}` : "are no object literal";
  if (!object) throw new Refusal(`has arguments that ${why}`, read.node);
  try {
    refuseOtherUses(uses, read.node);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`has arguments that cannot be changed: what stands there ${error.why}`, error.node);
  }
  return object;
}

/** A plan, or the other way that it has. @throws Refusal where what it changes is used elsewhere, too */
function notUsedElsewhere({ refuseOtherUses }: Surroundings, member: Member, plan: Plan): Plan {
  try {
    for (const { uses, node } of plan.changes) refuseOtherUses(uses, member.how === "set" ? member.read.node : node);
    return plan;
  } catch (error) {
    if (plan.instead) return plan.instead;
    throw error;
  }
}

/** Where something that a member names has to be known: at the member, and at a constant that holds its value. */
function placesOf(reader: Reader, object: ObjectRead, property: string): number[] {
  const places = [object.node.pos];
  const member = reader.member(object, property);
  let read = member.how === "absent" ? undefined : member.read;
  for (; read?.how === "named"; read = read.of) if ("node" in read.of) places.push(read.of.node.pos);
  return places;
}

function saysAlready(reader: Reader, object: ObjectRead, property: string, is: (value: unknown) => boolean): boolean {
  const member = reader.member(object, property);
  const value = member.how === "absent" ? unknown : reader.valueOf(member.read);
  return value !== unknown && value !== undefined && is(value);
}

/** What is real, in full and as a person writes it. */
function wantedOf(
  kind: Kind,
  { property, how, after }: AcceptedChange,
  refer: (kindName: string, id: string) => Reference | undefined,
): { wanted: Wanted; imports: Import[] } {
  if (how === "removed" || after === undefined || after === null)
    return { wanted: { full: undefined, lean: undefined }, imports: [] };
  const written = kind.plain?.[property]?.(after) ?? after;
  const bare = withoutDefaults(kind, { [property]: written })[property];
  const target = kind.refersTo[property];
  const imports: Import[] = [];
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    const reference = target !== undefined && typeof value === "string" ? refer(target, value) : undefined;
    imports.push(...(reference?.imports ?? []));
    return reference?.expression ?? value;
  };
  return { wanted: { full: filled(kind, property, after), lean: referred(bare) }, imports };
}

/** A value of a property with the defaults in it. */
function filled(kind: Kind, property: string, value: unknown): unknown {
  return check(kind, { [property]: value }).inputs[property];
}

function holdsMask(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMask);
  return isObject(value) ? Object.values(value).some(holdsMask) : value === secretMask;
}
