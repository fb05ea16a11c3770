import type ts from "typescript";
import { stable } from "../../provider/values";
import type { TypeScript } from "./typescript";

/** The value of an expression that the program does not show. */
export const unknown = Symbol("unknown");

/** An expression of a program: what stands there, and what it says. */
export type Read =
  /** A plain value. */
  | { how: "plain"; node: ts.Expression; value: unknown }
  | { how: "list"; node: ts.ArrayLiteralExpression; items: readonly Read[] }
  | ObjectRead
  /** A member that is not there, in an object that could have it. */
  | { how: "missing"; node: ts.Node; object: ObjectRead; name: string }
  | Named
  /** Anything else: it stays as it is. */
  | Fixed;

export interface ObjectRead {
  how: "object";
  node: ts.ObjectLiteralExpression;
  /** What it was worth at the last update, where that is known. */
  before: unknown;
  /** Members that are not passed on, as in `{ name, ...rest }`. */
  omitted?: readonly string[];
}

/** A name, or a member of something with a name: what it says stands elsewhere. */
export interface Named {
  how: "named";
  node: ts.Node;
  of: Read;
  /** The names on the way there. */
  uses: readonly Use[];
}

/** A variable that an expression reads. */
export interface Use {
  symbol: ts.Symbol;
  /** The member that is read of it; absent where that is the whole. */
  member?: string;
}

export interface Fixed {
  how: "fixed";
  node: ts.Node;
  /** What it is worth; of a spread, all that it brings. */
  value: unknown;
  /** Whether the program shows its value, and not just what it was at the last update. */
  sure: boolean;
  /** Whether it is spread into the list that it stands in. */
  spread: boolean;
  /** Why it stays, after "it". */
  why: string;
  /** Key of the stack's configuration that says it. */
  configurationKey?: string;
}

/** What an object literal says of one member. */
export type Member =
  | { how: "set"; owner: ObjectRead; index: number; property: ts.ObjectLiteralElementLike; read: Read }
  | { how: "absent" }
  | { how: "fixed"; read: Fixed };

/** What names stand for besides constants: variables of a loop, parameters of a function that is called. */
export type Env = ReadonlyMap<ts.Symbol, Read>;

/** What a reader reports of its way. */
export interface Trace {
  /** Each place that it reads. @param member of an object: the member that is looked for */
  place: (node: ts.Node, member?: string) => void;
  /** Each variable that it goes through. */
  name: (node: ts.Identifier) => void;
}

export function fixed(node: ts.Node, why: string, about: Partial<Omit<Fixed, "how" | "node" | "why">> = {}): Fixed {
  return { value: unknown, sure: false, spread: false, ...about, how: "fixed", node, why };
}

export function isSpread(read: Read): read is Fixed {
  return read.how === "fixed" && read.spread;
}

/** What an expression comes to, and every name on the way. */
export function through(read: Read): { end: Exclude<Read, Named>; uses: readonly Use[] } {
  if (read.how !== "named") return { end: read, uses: [] };
  const { end, uses } = through(read.of);
  return { end, uses: [...read.uses, ...uses] };
}

/** The object literal that an expression stands for. */
export function objectIn(read: Read | undefined): ObjectRead | undefined {
  const end = read && through(read).end;
  return end?.how === "object" ? end : undefined;
}

/** Whether a type allows one value, or a few: a literal type, or a union of such. */
export function isLiteralType(compiler: TypeScript, type: ts.TypeNode): boolean {
  if (compiler.isUnionTypeNode(type)) return type.types.some((one) => isLiteralType(compiler, one));
  return compiler.isLiteralTypeNode(type);
}

/** Whether two outlines are the same, whatever the order of members. */
export function sameOutline(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}
