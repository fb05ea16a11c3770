/** Changes an object literal in any style to any other value, and nothing else. */
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript";
import { applied } from "../../program/text-edits";
import { literal } from "../../program/literal";
import { ProgramSource } from "../../program/program-source";
import { Reader } from "../../program/reader";
import { Rewriter } from "../../program/rewriter";
import { Symbols } from "../../program/symbols";
import { isObject, sameValue, stable } from "../../provider/values";
import { Decisions, decisions, Printer } from "./printer";
import { amount, seed } from "../support/amount";

type Values = Record<string, unknown>;

const text = fc.oneof(
  fc.string({ maxLength: 8, unit: "grapheme" }),
  fc.constantFrom(
    "",
    "'",
    '"',
    "`",
    "${a}",
    "\\",
    "\n",
    "\r\n",
    "\t",
    "//",
    "/* */",
    "\u2028",
    "\uFEFF",
    "\u202E",
    "\0",
    "\ud800",
    "ü",
    "😀",
    "a,b",
    "]",
    "}",
  ),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
  fc.constant(null),
);
const key = fc
  .oneof(fc.constantFrom("a", "b", "c", "interval", "key", "values", "x-y", "1", "class", "toString"), text)
  .filter((name) => name !== "__proto__");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const values = fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true });

/** A similar value: some parts are deleted, added or changed. */
const near = (from: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(from)) {
    return fc
      .tuple(
        ...from.map((item) =>
          fc.oneof(
            { weight: 4, arbitrary: fc.constant([item]) },
            { weight: 1, arbitrary: near(item).map((nearItem) => [nearItem]) },
            { weight: 1, arbitrary: fc.constant([]) },
            { weight: 1, arbitrary: value.map((added) => [item, added]) },
          ),
        ),
      )
      .map((parts) => (parts as unknown[][]).flat());
  }
  if (typeof from === "object" && from !== null) {
    const members = Object.entries(from).map(([name, member]) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant({ [name]: member as unknown }) },
        { weight: 2, arbitrary: near(member).map((nearMember) => ({ [name]: nearMember })) },
        { weight: 1, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc
            .dictionary(key, value, { maxKeys: 1, noNullPrototype: true })
            .map((others) => ({ [name]: member as unknown, ...others })),
        },
      ),
    );
    return fc.tuple(...members).map((parts: Values[]) => Object.assign({}, ...parts) as Values);
  }
  return fc.oneof({ weight: 2, arbitrary: fc.constant(from) }, { weight: 1, arbitrary: value });
};

const pair = fc.oneof(
  fc.tuple(values, values),
  values.chain((from) => fc.tuple(fc.constant(from), near(from) as fc.Arbitrary<Values>)),
);

/** Runs a program and returns its value. */
function evaluated(source: string): unknown {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  return runInNewContext(`${outputText}\nx`);
}

/** The object literal of `const x = { … }`. */
async function read(program: string) {
  const source = await ProgramSource.of("/nowhere", { "index.ts": program });
  const file = source.file("index.ts");
  const reader = new Reader(source, new Symbols(source));
  const statement = file?.statements.find((candidate) => ts.isVariableStatement(candidate));
  const initializer = statement?.declarationList.declarations[0]?.initializer;
  const object = initializer && reader.read(initializer);
  if (!file || object?.how !== "object") throw new Error(`no object literal in ${program}`);
  return { source, file, reader, object };
}

/** Rewrites the whole literal. */
async function rewritten(program: string, to: Values): Promise<string> {
  const { source, file, reader, object } = await read(program);
  const rewriter = new Rewriter(reader);
  return applied(source, file, rewriter.rewrite(object, { full: to, lean: to }), []).text;
}

/** Text of each member by path, including members of nested objects. */
async function textsOf(source: string): Promise<Map<string, string>> {
  const { file, reader, object } = await read(source);
  const texts = new Map<string, string>();
  const visit = ({ node }: { node: ts.ObjectLiteralExpression }, path: string[]): void => {
    for (const property of node.properties) {
      const at = [...path, reader.nameOf(property.name) ?? ""];
      texts.set(JSON.stringify(at), property.getText(file));
      const inner = ts.isPropertyAssignment(property) ? reader.read(property.initializer) : undefined;
      if (inner?.how === "object") visit(inner, at);
    }
  };
  visit(object, []);
  return texts;
}

/** Paths of equal members, inside objects that both values have. */
function shared(a: Values, b: Values, same: (first: unknown, other: unknown) => boolean, path: string[] = []): string[] {
  return Object.keys(a).flatMap((name) => {
    if (!Object.hasOwn(b, name)) return [];
    const [first, other, at] = [a[name], b[name], [...path, name]];
    const inside = isObject(first) && isObject(other) ? shared(first, other, same, at) : [];
    return same(first, other) ? [JSON.stringify(at), ...inside] : inside;
  });
}

/** Lists as sets, at every depth. */
function unordered(ordered: unknown): unknown {
  if (Array.isArray(ordered)) return ordered.map((item) => stable(unordered(item))).toSorted();
  if (typeof ordered !== "object" || ordered === null) return ordered;
  return Object.fromEntries(Object.entries(ordered).map(([name, member]) => [name, unordered(member)]));
}

const same = (a: unknown, b: unknown): boolean => sameValue(unordered(a), unordered(b));

test("an edit can change any object literal into any other object literal and keeps the text of unchanged values", async () => {
  await fc.assert(
    fc.asyncProperty(
      pair,
      decisions,
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("  ", "\t", "    "),
      async ([from, to], { numbers }, eol, tab) => {
        const printer = new Printer(new Decisions(numbers), eol, tab);
        const [head, tail] = [`\uFEFF// before${eol}const x: unknown = `, `${eol}// behind${eol}const y = 'x'`];
        const source = `${head}${printer.print(from)}${tail}`;
        expect(sameValue(evaluated(source), from)).toBe(true);
        const after = await rewritten(source, to);
        const result = evaluated(after);
        if (!same(result, to)) throw new Error(`says ${JSON.stringify(result)}:\n${after}`);
        expect(after.startsWith(head) && after.endsWith(tail)).toBe(true);
        const [was, is] = [await textsOf(source), await textsOf(after)];
        for (const path of shared(from, to, same)) expect(is.get(path)).toBe(was.get(path));
        const untouched = Object.keys(from).filter((name) => Object.hasOwn(to, name) && same(from[name], to[name]));
        const comments = untouched.flatMap((name) => printer.about.get(name) ?? []);
        for (const sourceComment of comments.filter((comment) => source.includes(comment)))
          expect(after).toContain(sourceComment);
        expect(eol === "\n" || !/(?<!\r)\n/.test(after)).toBe(true);
        // A second edit changes nothing.
        expect(await rewritten(after, to)).toBe(after);
      },
    ),
    { numRuns: amount(50, 500), seed: seed(1) },
  );
});

test("an edit escapes placeholders in template literals", () => {
  expect(literal("a `b` ${c} $d", { quote: "`" })).toBe("`a \\`b\\` \\${c} $d`");
});

test("an edit writes the key __proto__ as a computed member", () => {
  expect(literal(JSON.parse('{ "__proto__": 1, "a": 2 }'))).toBe('{ ["__proto__"]: 1, a: 2 }');
});
