import type ts from "typescript";

/** Stands for all members of an object that is read as a whole. */
export const anyMember = "*";

/** The value of an expression that the program does not show. */
export const unknown = Symbol("unknown");

/** The value of an expression, and its place. `uses` are the names between the expression and that place. */
export type Value = (
  | { how: "plain"; node: ts.Expression; value: unknown }
  | { how: "list"; node: ts.ArrayLiteralExpression; items: readonly Value[] }
  | ObjectValue
  /** A member that an object lacks. */
  | { how: "missing"; node: ts.Node; object: ObjectValue; name: string }
  /** Anything else. It stays as it is. */
  | FixedValue
) & { uses?: readonly ValueUse[]; set?: ConfigSetting };

export interface ObjectValue {
  how: "object";
  node: ts.ObjectLiteralExpression;
  /** Members that are not passed on, as in `{ name, ...rest }`. */
  omitted?: readonly string[];
}

export interface FixedValue {
  how: "fixed";
  /** The expression that is read, not the place that it leads to. */
  node: ts.Node;
  /** Its value if the program shows it, else `unknown`. */
  value: unknown;
  /** Whether it is spread into the list that it stands in. */
  spread: boolean;
  /** The reason why it cannot be edited, as text that follows "it". */
  why: string;
  /** Key of the stack's configuration that holds the value. */
  configurationKey?: string;
  /** The key and the value of a row of `Object.entries`. */
  parts?: readonly Value[];
}

/** A variable that an expression reads. `member` is absent if the whole variable is read. */
export interface ValueUse {
  symbol: ts.Symbol;
  member?: string;
}

/** The part of an object literal that sets a member. `owner` is another literal if the member comes from a spread. */
export interface ConfigSetting {
  owner: ObjectValue;
  index: number;
  property: ts.ObjectLiteralElementLike;
}

/** Values of the parameters and loop variables around an expression, by declaration. */
export type Scope = ReadonlyMap<ts.Node, Value>;

/** Receives each literal and variable that is read. `member` is the member that is looked for in an object. */
export type Trace = (node: ts.Node, member?: string) => void;

export function fixed(node: ts.Node, why: string, about: Partial<Omit<FixedValue, "how" | "node" | "why">> = {}): FixedValue {
  return { value: unknown, spread: false, ...about, how: "fixed", node, why };
}

/** Whether a value is a list that is spread into the list that it stands in. */
export function isSpread(value: Value): boolean {
  return value.how === "fixed" && value.spread;
}

/** The same value, read by way of more names. */
export function through<T extends Value>(value: T, uses: readonly ValueUse[] = []): T {
  return uses.length === 0 ? value : { ...value, uses: [...uses, ...(value.uses ?? [])] };
}

/** The reason why an edit is refused, with its place. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param why text that follows "it" */
  constructor(
    readonly why: string,
    /** The obstacle. Absent if there is nothing to look at. */
    readonly node?: ts.Node,
    /** What to do instead: set a key of the configuration, or one for each stack, or what the advice says. */
    readonly remedy?: { key: string } | { advice: string } | "by stack",
  ) {
    super(why);
  }
}

export function refusal(value: Value): Refusal {
  if (value.how !== "fixed") return new Refusal("holds an expression", value.node);
  const { why, node, configurationKey: key } = value;
  return new Refusal(why, node, key === undefined ? undefined : { key });
}

/** Does some work. @returns the result, or the reason why an edit is refused */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
