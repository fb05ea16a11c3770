/** What a move to another front edits in a file, and what it leaves with its place and advice. */
import ts from "typescript";
import { frontModules, fronts, type Front } from "../../cli/front";
import { changedLines } from "../../cli/migrate/front";
import { moveFile, type MovedFile } from "../../cli/source/fronts";
import { ProgramSource } from "../../cli/source/program";

async function moved(text: string, to: Front = "native", path = "index.ts"): Promise<MovedFile> {
  const source = await ProgramSource.of("/p", { [path]: text });
  const file = source.file(path);
  if (!file) throw new Error("no file");
  return moveFile(source, file, to);
}

/** Every way to name a module, once a line. MODULE stands for it. */
const forms = [
  'import { Label } from "MODULE";',
  "import { Label as L, type LabelArgs } from 'MODULE'",
  'import type { LabelArgs } from "MODULE";',
  'import em from "MODULE";',
  'import * as em from "MODULE"; // with a comment on "MODULE"',
  'import em, { Label } from "MODULE";',
  'import "MODULE";',
  'import em = require("MODULE");',
  'export { Label } from "MODULE";',
  'export * from "MODULE";',
  'export type { LabelArgs } from "MODULE";',
  'const { Label } = require("MODULE");',
  "const em = require(`MODULE`);",
  'const Label = require("MODULE").Label;',
  'const late = async () => (await import("MODULE")).Label;',
  'const path = require.resolve("MODULE");',
  'type Args = import("MODULE").LabelArgs;',
  'function f() {\r\n  return require("MODULE");\r\n}',
  'declare module "MODULE" {\n  interface LabelArgs {}\n}',
  '\uFEFF/* first */ import { Label } from "MODULE";',
];

describe.each(fronts)("to the %s front", (to) => {
  const from: Front = to === "native" ? "dynamic" : "native";

  test.each(forms)("%s", async (form) => {
    const text = form.replaceAll("MODULE", frontModules[from]);
    const { edit, left } = await moved(text, to);
    expect(left).toEqual([]);
    // A comment is a person's.
    const wanted = form.replace(/(?<!on "|\/\/.*)MODULE/, frontModules[to]).replaceAll("MODULE", frontModules[from]);
    expect(edit?.after).toBe(wanted);
    const { edit: again } = await moved(edit?.after ?? "", to);
    expect(again).toBeUndefined();
    const { edit: back } = await moved(edit?.after ?? "", from);
    expect(back?.after).toBe(text);
  });
});

test.each([
  'import { start } from "pulumi-endpoint-monitoring/emulator";',
  'import { mocks } from "pulumi-endpoint-monitoring/testing";',
  'import { Label } from "./pulumi-endpoint-monitoring";',
  'import { Label } from "pulumi-endpoint-monitoring-site";',
  '// import { Label } from "pulumi-endpoint-monitoring";',
])("leaves %s", async (text) => {
  expect(await moved(text)).toEqual({ left: [] });
});

const load = 'import * as em from "pulumi-endpoint-monitoring";\n';
const loadNative = 'import * as em from "pulumi-endpoint-monitoring/native";\n';

test.each<[string, string, Front, RegExp]>([
  ["a provider of a function", `${loadNative}void em.getAgents({}, { provider });`, "dynamic", /option provider/],
  ["the option import", `${loadNative}new em.Label("a", args, { protect: true, import: "1" });`, "dynamic", /option import/],
  ["a type of the plugin", 'import type { NativeFetch } from "pulumi-endpoint-monitoring/native";', "dynamic", /NativeFetch/],
])("a file that takes %s stays as it is, and its place is named", async (_what, text, to, reason) => {
  const { edit, left } = await moved(text, to);
  expect(edit).toBeUndefined();
  expect(left).toHaveLength(1);
  expect(left[0]).toMatchObject({
    position: { file: "index.ts" },
    reason: expect.stringMatching(reason),
    advice: expect.any(String),
  });
});

test.each<[string, Front, string, string]>([
  ["pulumi-nodejs:dynamic/endpoint-monitoring:Label", "native", "names a type token", "endpoint-monitoring:index:Label"],
  [
    "urn:pulumi:dev::p::my:Site$endpoint-monitoring:index:Label::office",
    "dynamic",
    "names a type token",
    "pulumi-nodejs:dynamic/endpoint-monitoring:Label",
  ],
  ["pulumi-endpoint-monitoring", "native", "names the module", "pulumi-endpoint-monitoring/native"],
])("a text %s is left to a person", async (text, to, reason, advice) => {
  const { edit, left } = await moved(`\nif (type === "${text}") mock("${text}");\n`, to);
  expect(edit).toBeUndefined();
  const one = { reason: expect.stringContaining(reason), advice: expect.stringContaining(advice) };
  expect(left).toEqual([
    { position: { file: "index.ts", line: 2, column: 14 }, ...one },
    { position: { file: "index.ts", line: 2, column: 23 + text.length }, ...one },
  ]);
});

test("a provider that leaves something to the stack is named, and one that does not is not", async () => {
  const text = `${load}
new em.Provider("a", { accountGroupId: "1" });
new em.Provider("b", { baseUrl, token });
new em.Provider("c", { baseUrl: u, clientId: "x", clientSecret: s });
new em.Provider("d", { token });
new em.Provider("e", { ...settings });
new em.Provider("f");
`;
  const { edit, left } = await moved(text);
  expect(edit).toBeDefined();
  expect(left.map(({ position }) => position.line)).toEqual([3, 6, 8]);
  expect((await moved(text.replace(load, loadNative), "dynamic")).left).toEqual([]);
});

test("lines of a change: one by one, or those that come and go", () => {
  expect(changedLines("a\r\nb\r\nc", "a\r\nB\r\nc")).toEqual([{ line: 2, before: "b", after: "B" }]);
  expect(changedLines("a\nb\n", "a\nb\nc\nd\n")).toEqual([
    { line: 3, after: "c" },
    { line: 4, after: "d" },
  ]);
  expect(changedLines("a\nc\nd\n", "a\nd\n")).toEqual([{ line: 2, before: "c" }]);
  expect(changedLines("a\n", "a\n")).toEqual([]);
});

test("the forms above are what the compiler takes", () => {
  for (const form of forms) {
    const file = ts.transpileModule(form.replaceAll("MODULE", "m"), { reportDiagnostics: true });
    expect([form, file.diagnostics]).toEqual([form, []]);
  }
});
