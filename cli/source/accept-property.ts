import { check, withoutDefaults } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { isSame } from "../../provider/shape";
import { isObject } from "../../provider/values";
import { secretMask, sensitiveProperties } from "../engine/state";
import type { AcceptedChange, AcceptedResource } from "./accepted";
import type { Import } from "./imports";
import { untold, type Read, type Reader } from "./read";
import type { Reference } from "./references";
import type { Style } from "./style";
import { Refusal, Rewriter, type Plan } from "./rewrite";
import type { Wanted } from "./wanted";
import type { Declaration } from "./declarations";

/** The arguments of a declaration, and whether a new member of them would keep its meaning. */
export interface Arguments {
  object: Extract<Read, { how: "object" }>;
  /** The constant that holds them, where that has no type: text in it is any text, and no word of a property. */
  untyped: boolean;
}

/** What becomes of a property, and what the file has to import for it. */
export interface PropertyPlan {
  plan: Plan;
  imports: readonly Import[];
}

/** The arguments of a declaration. @throws Refusal where they are no object literal */
export function argumentsOf(reader: Reader, { node }: Declaration, { inputs }: AcceptedResource): Arguments {
  const argument = node.arguments?.[1];
  if (!argument) throw new Refusal("is declared without arguments", node);
  const read = reader.read(argument, inputs);
  if (read.how === "object") return { object: read, untyped: false };
  if (read.how === "constant" && read.of.how === "object") {
    const { initializer, declaration } = reader.scope.constant(read.node.getText(reader.scope.file)) ?? {};
    return { object: read.of, untyped: declaration?.type === undefined && initializer === read.of.node };
  }
  const why = read.how === "fixed" ? `cannot be changed: what stands there ${read.why}` : "are no object literal";
  throw new Refusal(`has arguments that ${why}`, read.node);
}

/**
 * What becomes of a property so that the program says what is real.
 *
 * @param refer how the file writes the id of a resource of a kind
 * @throws Refusal
 */
export function planOf(
  of: { reader: Reader; text: string; style: Style; declaration: Declaration },
  { object, untyped }: Arguments,
  { kind, secrets }: AcceptedResource,
  change: AcceptedChange,
  refer: (kindName: string, id: string) => Reference | undefined,
): PropertyPlan {
  const { property } = change;
  const { reader, text, style, declaration } = of;
  if (!Object.hasOwn(kind.schema.shape, property)) throw new Refusal(`is no property of ${kind.name}`, declaration.node);
  const isSecret = change.secret || secrets.has(property) || sensitiveProperties(kind).includes(property);
  if (isSecret || holdsMask(change.after)) throw new Refusal("is secret: it is never written into a program", declaration.node);
  const same = (a: unknown, b: unknown): boolean => isSame(kind, property, a, b);
  const { wanted, imports } = wantedOf(kind, change, refer);
  if (saysAlready(reader, object, property, (value) => same(filled(kind, property, value), wanted.full))) {
    return { plan: { how: "same" }, imports: [] };
  }
  for (const ordered of [false, true]) {
    const plan = new Rewriter(text, reader, style, ordered).plan(object, property, wanted);
    if (plan.how === "added" && untyped && typeof wanted.lean !== "boolean") {
      throw new Refusal("would have to be added to a constant without a type", object.node);
    }
    const isRight = plan.how !== "written" || same(filled(kind, property, plan.written.value), wanted.full);
    if (isRight) return { plan, imports: plan.how === "same" ? [] : imports };
  }
  throw new Refusal("holds a value that cannot be written", declaration.node);
}

function saysAlready(reader: Reader, object: Arguments["object"], property: string, is: (value: unknown) => boolean): boolean {
  const member = reader.member(object, property);
  const value = member.how === "absent" ? untold : reader.valueOf(member.read);
  return value !== untold && value !== undefined && is(value);
}

/** What is real, in full and as a person writes it. */
function wantedOf(
  kind: Kind,
  { property, how, after }: AcceptedChange,
  refer: (kindName: string, id: string) => Reference | undefined,
): { wanted: Wanted; imports: Import[] } {
  if (how === "removed" || after === undefined || after === null)
    return { wanted: { full: undefined, lean: undefined }, imports: [] };
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
