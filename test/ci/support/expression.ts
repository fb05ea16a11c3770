/** GitHub's expressions that the workflows use. Other syntax is an error, never an empty text. */

export type Value = string | boolean | number | null | undefined | object;
/** The values that an expression can use, by first word. */
export type Contexts = Record<string, Context>;
export interface Context {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether an unknown name is empty, like an unset secret. Otherwise it is an error. */
  readonly open: boolean;
}

const token = /\s*(?<token>'(?:[^']|'')*'|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*|==|!=|&&|\|\||[!()])/y;

/** The functions that an expression can call. */
export type Functions = Record<string, (argument: Value) => Value>;

/** Replaces each `${{ … }}` of a text. */
export function interpolate(text: string, contexts: Contexts, functions: Functions = {}): string {
  return text.replace(/\$\{\{(?<expression>.*?)\}\}/gs, (_, expression: string) =>
    shown(evaluate(expression, contexts, functions)),
  );
}

/** The value of an expression, such as an `if`. */
export function evaluate(expression: string, contexts: Contexts, functions: Functions = {}): Value {
  const tokens = tokensOf(expression);
  const next = (): string => tokens.shift() ?? fail(expression, "ends too early");
  const operation = (
    operators: readonly string[],
    operand: () => Value,
    apply: (op: string, a: Value, b: Value) => Value,
  ): Value => {
    let value = operand();
    while (operators.includes(tokens[0] ?? "")) value = apply(next(), value, operand());
    return value;
  };
  const primary = (): Value => {
    const word = next();
    if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'");
    if (word === "!") return !isTrue(primary());
    if (/^[A-Za-z_]/.test(word) && tokens[0] !== "(") return lookUp(word, contexts);
    const call = word === "(" ? (value: Value) => value : functions[word];
    if (!call) return fail(expression, `has ${word}${tokens[0] ?? ""}`);
    if (word !== "(") next();
    const value = word !== "(" && tokens[0] === ")" ? undefined : or();
    return next() === ")" ? call(value) : fail(expression, "misses a )");
  };
  const equality = (): Value => operation(["==", "!="], primary, (op, a, b) => same(a, b) === (op === "=="));
  const and = (): Value => operation(["&&"], equality, (_, a, b) => (isTrue(a) ? b : a));
  const or = (): Value => operation(["||"], and, (_, a, b) => (isTrue(a) ? a : b));
  const value = or();
  return tokens.length === 0 ? value : fail(expression, `has ${tokens.join(" ")} at its end`);
}

/** Whether a value satisfies an `if`. */
export function isTrue(value: Value): boolean {
  return value !== "" && value !== false && value !== 0 && value !== null && value !== undefined;
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const text = expression.trim();
  for (token.lastIndex = 0; token.lastIndex < text.length;) {
    const from = token.lastIndex;
    tokens.push(token.exec(text)?.groups?.["token"] ?? fail(expression, `has ${text.slice(from)}`));
  }
  return tokens;
}

function lookUp(path: string, contexts: Contexts): Value {
  if (path === "true" || path === "false") return path === "true";
  const [first = "", ...rest] = path.split(".");
  const context = contexts[first] ?? fail(path, "names nothing that is known here");
  const [name = ""] = rest;
  // The whole object, for toJSON.
  if (rest.length === 0 && context.open) return context.values;
  if (rest.length === 0 || (!context.open && !(name in context.values))) fail(path, "names nothing that is there");
  return rest.reduce<unknown>(
    (value, member) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[member] : null),
    context.values,
  ) as Value;
}

/** Compares like GitHub: without case, and an empty text equals nothing. */
function same(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  return (a ?? "") === (b ?? "");
}

function shown(value: Value): string {
  if (typeof value === "object" && value !== null) throw new Error(`${JSON.stringify(value)} is no text`);
  return String(value ?? "");
}

function fail(expression: string, problem: string): never {
  throw new Error(`The expression ${expression.trim()} ${problem}`);
}
