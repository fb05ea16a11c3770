/** How generated files are laid out without prettier, and which line ends and which style they get with it and without. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { editorStyle } from "../../cli/import/editorconfig";
import { formatOf } from "../../cli/import/format";
import { layOut } from "../../cli/import/layout";
import { importedKinds } from "../../cli/kinds";
import { Output } from "../../cli/report/output";
import { keyText, literal } from "../../cli/edit/literal";
import { ProgramSource } from "../../cli/edit/program";
import { usual } from "../../cli/edit/style";
import { defaultsOf } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { type RecordKindName, records } from "../../provider/registry";
import { compact, type Properties } from "../../provider/values";
import { validInputs } from "../provider/arbitrary";
import { amount, seed } from "../support/amount";
import { silentIo } from "../support/command";
import { imported, record, treeOf } from "./import-support";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "layout-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const statement = `import { Label } from "pulumi-endpoint-monitoring";

// Ours.
export const office = new Label("it's", {
name: "Office \\"1\\" // {", values: [1, 2], filters: [{ key: "a", values: ["x"] }, { key: "b", values: ["y"] }],
agents: ["1", // one
"2", // "two", {
"3"], none: {}, empty: []
}, { protect: true });
exports.office = office;
`;

const laidOut = `import { Label } from "pulumi-endpoint-monitoring";

// Ours.
export const office = new Label(
  "it's",
  {
    name: 'Office "1" // {',
    values: [1, 2],
    filters: [
      { key: "a", values: ["x"] },
      { key: "b", values: ["y"] },
    ],
    agents: [
      "1", // one
      "2", // "two", {
      "3",
    ],
    none: {},
    empty: [],
  },
  { protect: true },
);
exports.office = office;
`;

test("an item a line where a line would get too long, or the generator wants it; strings and comments stay whole", () => {
  expect(layOut(statement, usual)).toBe(laidOut);
});

test("in the style of the program: quotes, semicolons, indentation, line ends", () => {
  const style = { quote: "'", semicolon: "", indent: "\t", eol: "\r\n" } as const;
  const text = layOut(statement, style);
  expect(text.split("\r\n").slice(0, 8)).toEqual([
    "import { Label } from 'pulumi-endpoint-monitoring'",
    "",
    "// Ours.",
    "export const office = new Label(",
    `\t"it's",`,
    "\t{",
    `\t\tname: 'Office "1" // {',`,
    "\t\tvalues: [1, 2],",
  ]);
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  expect(treeOf(text.replaceAll("\r\n", "\n"))).toEqual(treeOf(laidOut));
});

test("whatever the values, what is laid out has the same syntax tree, and no line that could be shorter", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const value = fc.letrec((tie) => ({
    any: fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), tie("list"), tie("object")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    object: fc.dictionary(text, tie("any"), { maxKeys: 4 }),
  })).object;
  fc.assert(
    fc.property(value, (values) => {
      const members = Object.entries(values).map(([key, one]) => `${keyText(key)}: ${literal(one)}`);
      const program = `export const one = new Label("one", {\n${members.join(",\n")}\n}, { protect: true });`;
      expect(treeOf(layOut(program, usual))).toEqual(treeOf(program));
    }),
    { numRuns: amount(100, 3_000), seed: seed(1) },
  );
});

/** What a list says of a record with these inputs. */
function stateOf(kind: Kind, inputs: Properties): Properties {
  const hidden = new Set<string>([...kind.writeOnly, ...kind.providerOptions, "accountGroupId"]);
  const seen = Object.entries({ ...defaultsOf(kind), ...compact(inputs) }).filter(([property]) => !hidden.has(property));
  return { ...Object.fromEntries(seen), ...(kind.writeOnly.length > 0 && { unknownFields: kind.writeOnly }) };
}

// The keys of the object.
const kinds = Object.keys(records) as RecordKindName[];

test.each(kinds)("random programs of %s are the same with prettier and without", async (name) => {
  const kind: Kind = records[name];
  const word = importedKinds.find((one) => one.name === name)?.word ?? "";
  const lists = fc.array(validInputs(name, ["404", "405"]), { minLength: 1, maxLength: 4 });
  let expressed = 0;
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      // Where both formats are compared.
      const { plan } = await imported(list.map((inputs, i) => record(word, `10${i}`, stateOf(kind, inputs))));
      expressed += plan.items.filter(({ status }) => status === "new").length;
    }),
    { numRuns: amount(15, 200), seed: seed(2) },
  );
  expect(expressed).toBeGreaterThan(10);
});

/** The statement as `import` formats it for a project of these files, with prettier. */
async function formatted(files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const sources = Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith(".ts")));
  const source = await ProgramSource.of(folder, sources);
  const format = await formatOf({ root: folder, entry: "index.ts", source }, new Output(false, silentIo()));
  return format("labels.ts", statement);
}

test.each<[string, Record<string, string>, string]>([
  ["the main file has LF", { "index.ts": "export {};\nexport {};\n" }, "\n"],
  ["the main file has CRLF", { "index.ts": "export {};\r\nexport {};\r\n" }, "\r\n"],
  [
    "the main file has CRLF, and prettier's configuration LF",
    { "index.ts": "export {};\r\n", ".prettierrc": '{ "endOfLine": "lf" }' },
    "\n",
  ],
  ["prettier's configuration has CRLF", { "index.ts": "export {};\n", ".prettierrc": '{ "endOfLine": "crlf" }' }, "\r\n"],
  [
    "prettier's configuration is of something else",
    { "index.ts": "export {};\r\n", ".prettierrc": '{ "semi": true }' },
    "\r\n",
  ],
  [
    "the editor's configuration has CRLF",
    { "index.ts": "export {};\n", ".editorconfig": "root = true\n[*]\nend_of_line = crlf\n" },
    "\r\n",
  ],
])("new files where %s", async (_what, files, eol) => {
  const text = await formatted(files);
  expect(text.endsWith(eol)).toBe(true);
  expect(text).toBe(laidOut.replaceAll("\n", eol));
});

test.each<[string, string, ReturnType<typeof editorStyle>]>([
  ["[*]\nend_of_line = crlf\nindent_style = tab", "index.ts", { eol: "\r\n", indent: "\t" }],
  ["[*.{ts,js}]\nindent_size = 4\n", "src/index.ts", { indent: "    " }],
  ["[*.md]\nindent_size = 4\n", "index.ts", {}],
  ["[src/**.ts]\nEnd_Of_Line = CRLF ; as ever\n[*.ts]\nend_of_line=lf", "src/a/index.ts", { eol: "\n" }],
  ["[lib/**]\nend_of_line = crlf", "src/index.ts", {}],
  ["[ind?x.[tj]s]\nindent_size = 3", "index.ts", { indent: "   " }],
  ["[*\nno section\n= x\nend_of_line = cr\n[*]\nindent_size = tab", "index.ts", {}],
])("%j for %s", (text, path, style) => {
  writeFileSync(join(folder, ".editorconfig"), `root = true\n${text}\n`);
  expect(editorStyle(join(folder, path))).toEqual(style);
});

test("the nearer file counts, and what lies above a root does not", () => {
  mkdirSync(join(folder, "a/b"), { recursive: true });
  writeFileSync(join(folder, ".editorconfig"), "root = true\n[*]\nend_of_line = crlf\nindent_size = 4\n");
  writeFileSync(join(folder, "a/.editorconfig"), "[*.ts]\nindent_size = 8\n");
  expect(editorStyle(join(folder, "a/b/index.ts"))).toEqual({ eol: "\r\n", indent: "        " });
  writeFileSync(join(folder, "a/.editorconfig"), "root = true\n[*.ts]\nindent_size = 8\n");
  expect(editorStyle(join(folder, "a/b/index.ts"))).toEqual({ indent: "        " });
});
