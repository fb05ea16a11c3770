import type ts from "typescript";

/** Represents all members of an object, if an expression reads the whole object. */
export const anyMember = "*";

/** Represents a value that the program computes. */
export const unknown = Symbol("unknown");

/** The value of an expression, with the node of its literal. `uses` contains the variables that the expression uses to read the node. */
export type Value = (
  | { how: "plain"; node: ts.Expression; value: unknown }
  | { how: "list"; node: ts.ArrayLiteralExpression; items: readonly Value[] }
  | ObjectValue
  | { how: "missing"; node: ts.Node; object: ObjectValue; name: string }
  | FixedValue
) & { uses?: readonly ValueUse[]; set?: ConfigSetting };

export interface ObjectValue {
  how: "object";
  node: ts.ObjectLiteralExpression;
  /** Members that a rest pattern excludes, such as `name` for `rest` in `{ name, ...rest }`. */
  omitted?: readonly string[];
}

export interface FixedValue {
  how: "fixed";
  /** The expression itself, because the value does not come from a literal. */
  node: ts.Node;
  /** The value as data, or `unknown` if the program computes it. */
  value: unknown;
  spread: boolean;
  /** The reason why the value cannot be edited, as a predicate such as `is computed by an expression`. */
  why: string;
  configurationKey?: string;
  /** The key and the value, if the value is an entry from `Object.entries`. */
  parts?: readonly Value[];
}

/** A variable that an expression reads. If the expression reads only one member of the variable, `member` is the member's name. */
export interface ValueUse {
  symbol: ts.Symbol;
  member?: string;
}

/**
 * The property of an object literal that sets a member. If the member comes from a spread, `owner` is the spread literal.
 */
export interface ConfigSetting {
  owner: ObjectValue;
  index: number;
  property: ts.ObjectLiteralElementLike;
}

/** Values of the parameters and loop variables in the scope of an expression, by declaration. */
export type Scope = ReadonlyMap<ts.Node, Value>;

/**
 * Function that receives each literal and variable that an expression reads. For an object, `member` is the name of the member that the
 * expression reads.
 */
export type Trace = (node: ts.Node, member?: string) => void;

export function fixed(node: ts.Node, why: string, about: Partial<Omit<FixedValue, "how" | "node" | "why">> = {}): FixedValue {
  return { value: unknown, spread: false, ...about, how: "fixed", node, why };
}

export function isSpread(value: Value): boolean {
  return value.how === "fixed" && value.spread;
}

export function through<T extends Value>(value: T, uses: readonly ValueUse[] = []): T {
  return uses.length === 0 ? value : { ...value, uses: [...uses, ...(value.uses ?? [])] };
}

export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param why reason as a predicate, such as `is computed by an expression` */
  constructor(
    readonly why: string,
    /** The node that prevents the edit. */
    readonly node?: ts.Node,
    /** An alternative for the user: a configuration key, one configuration key per stack, or other advice. */
    readonly remedy?: { key: string } | { advice: string } | "by stack",
  ) {
    super(why);
  }
}

export function refusal(value: Value): Refusal {
  if (value.how !== "fixed") return new Refusal("contains an expression", value.node);
  const { why, node, configurationKey: key } = value;
  return new Refusal(why, node, key === undefined ? undefined : { key });
}

/** @returns the result of the function, or the refusal that it throws */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
