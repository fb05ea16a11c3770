/** Reads the files of a program, the resources of this package that they declare, and the positions of the declarations. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importedAs } from "../../program/bindings";
import { ProgramSource } from "../../program/program-source";
import { parse } from "../../program/typescript";
import { Symbols } from "../../program/symbols";
import { loadTypeScript, mistakeIn } from "../../program/typescript";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

function write(files: Record<string, string | Uint8Array>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The statically known parts of the declarations. */
async function declared(files: Record<string, string>) {
  const { declarations } = await ProgramSource.of(folder, files);
  return declarations.map(({ position: { file, line, column }, className, name, variable, exported }) => ({
    className,
    name,
    variable,
    exported,
    at: `${file}:${line}:${column}`,
  }));
}

const label = 'import { Label } from "pulumi-endpoint-monitoring";\n';

test("the program reader reads only source files of a folder", async () => {
  write({
    "index.ts": "",
    "lib/deep/labels.ts": "",
    "view.tsx": "",
    "module.mts": "",
    "common.cts": "",
    "types.d.ts": "",
    "data.d.json.ts": "",
    "types.d.mts": "",
    "script.js": "",
    "sites.json": "",
    "node_modules/x/index.ts": "",
    "lib/node_modules/x.ts": "",
    "dist/index.ts": "",
    ".pulumi/index.ts": "",
    ".index.ts.abcd.tmp.ts": "",
    "utf16.ts": Buffer.from("\uFEFFexport {}", "utf16le"),
  });
  symlinkSync(folder, join(folder, "circle"), "dir");
  const source = await ProgramSource.read(folder);
  expect([...source.texts.keys()]).toEqual(["common.cts", "index.ts", "lib/deep/labels.ts", "module.mts", "view.tsx"]);
});

test("the program reader keeps a file's text with its byte order mark and line ends", async () => {
  const text = "\uFEFFconst a = 1;\r\n\tconst b = 2;\n";
  write({ "index.ts": text });
  const source = await ProgramSource.read(folder);
  expect(source.texts.get("index.ts")).toBe(text);
  expect(source.file("index.ts")?.statements).toHaveLength(2);
  expect(source.file("other.ts")).toBeUndefined();
});

test("the program reader refuses a folder with too much TypeScript code", async () => {
  write({ "big.ts": "" });
  truncateSync(join(folder, "big.ts"), 64_000_001);
  await expect(ProgramSource.read(folder)).rejects.toThrow(
    /has more than 5000 TypeScript files, or more than 64 MB of TypeScript code/,
  );
});

test("the program reader finds a resource class by any import style and local name", async () => {
  const resources = await declared({
    "index.ts": `import em, { Label, AgentToServerTest as Path } from "pulumi-endpoint-monitoring";
import * as all from "pulumi-endpoint-monitoring";
import old = require("pulumi-endpoint-monitoring");
const plain = require("pulumi-endpoint-monitoring");
const { DynamicTest, HttpServerTest: Http } = require("pulumi-endpoint-monitoring");
new Label("a", {});
new Path("b", {});
new em.Label("c", {});
new all.HttpServerTest("d", {});
new old.TestRun("e", {});
new plain.EndpointAgent("f", {});
new DynamicTest("g", {});
new Http("h", {});
`,
  });
  expect(resources.map(({ className, name }) => `${className} ${name}`)).toEqual([
    "Label a",
    "AgentToServerTest b",
    "Label c",
    "HttpServerTest d",
    "TestRun e",
    "EndpointAgent f",
    "DynamicTest g",
    "HttpServerTest h",
  ]);
});

test("the program reader ignores types, unknown classes and classes of other modules", async () => {
  const resources = await declared({
    "index.ts": `import { Label } from "./mine";
import { Label as Theirs } from "other-endpoint-monitoring";
import type { DynamicTest } from "pulumi-endpoint-monitoring";
import { type HttpServerTest, Resource } from "pulumi-endpoint-monitoring";
import * as em from "pulumi-endpoint-monitoring";
new Label("a", {});
new Theirs("b", {});
new DynamicTest("c", {});
new HttpServerTest("d", {});
new Resource("e", {});
new em.Nothing("f", {});
new em.deep.Label("g", {});
em.Label.get("h", "1");
`,
  });
  expect(resources).toEqual([]);
});

test("the program reader finds literal names and top-level constants", async () => {
  const resources = await declared({
    "index.ts": `${label}const first = new Label("one", {}), second = (new Label(\`two\`, {}));
export const third = new Label(("three" as const), {});
export let fourth = new Label("four", {});
const { id } = new Label("five", {});
const fifth = new Label("six", {}).id;
const sixth = new Label("seven", {});
const seventh = new Label("eight", {});
export { sixth, seventh as last };
const name = "nine";
new Label(name, {});
new Label(\`ten-\${name}\`, {});
new Label;
function f() {
  const inner = new Label("eleven", {});
}
`,
  });
  expect(resources.map(({ name, variable, exported }) => [name, variable, exported])).toEqual([
    ["one", "first", false],
    ["two", "second", false],
    ["three", "third", true],
    ["four", undefined, false],
    ["five", undefined, false],
    ["six", undefined, false],
    ["seven", "sixth", true],
    ["eight", "seventh", false],
    [undefined, undefined, false],
    [undefined, undefined, false],
    [undefined, undefined, false],
    ["eleven", undefined, false],
  ]);
});

test('the position of a declaration is the position of the word "new"', async () => {
  const resources = await declared({
    "a.ts": `${label}/* öäü 😀 */ new Label("a", {});\r\n\tconst x =\r\n  new\n  Label("b", {});\n`,
    "lib/b.ts": `${label}for (const n of [1]) new Label("c" + n, {});`,
  });
  expect(resources.map(({ at }) => at)).toEqual(["a.ts:2:14", "a.ts:4:3", "lib/b.ts:2:22"]);
});

test("the program reader finds a declaration by its position or by its class and name", async () => {
  const source = await ProgramSource.of(folder, {
    "a.ts": `${label}new Label("x", {});\nnew Label("y", {});`,
    "b.ts": `${label}new Label("x", {});`,
  });
  expect(source.find("Label", "x").map(({ position }) => position.file)).toEqual(["a.ts", "b.ts"]);
  expect(source.find("DynamicTest", "x")).toEqual([]);
  expect(source.at({ file: "a.ts", line: 3, column: 1 })?.name).toBe("y");
  expect(source.at({ file: "a.ts", line: 3, column: 2 })).toBeUndefined();
});

test("the program reader returns the imports and names of a file", async () => {
  const source = await ProgramSource.of(folder, {
    "a.ts": 'import { Label as L, DynamicTest } from "pulumi-endpoint-monitoring";',
    "b.ts": 'import * as em from "pulumi-endpoint-monitoring";',
    "c.ts": `import pulumi, { Config as C } from "@pulumi/pulumi";
      const { a: b, ...rest } = { c: process.env.d }, [e = f] = [];
      function g(h: i) { const j = 1; console.log(j.k); }
      interface l { m: n.o }
      export { b as p };
      class q { r() {} }
      const s = { t, u: 1 };`,
  });
  const file = (path: string) => parse(source.ts, path, source.texts.get(path) ?? "");
  expect(importedAs(source.ts, file("a.ts"), "pulumi-endpoint-monitoring", "Label")).toBe("L");
  expect(importedAs(source.ts, file("a.ts"), "pulumi-endpoint-monitoring", "DynamicTest")).toBe("DynamicTest");
  expect(importedAs(source.ts, file("a.ts"), "pulumi-endpoint-monitoring", "TestRun")).toBeUndefined();
  expect(importedAs(source.ts, file("b.ts"), "pulumi-endpoint-monitoring", "Label")).toBe("em.Label");
  const used = ["C", "b", "console", "e", "f", "g", "h", "i", "j", "l", "n", "process", "pulumi", "q", "rest", "s", "t"];
  const members = ["Config", "a", "c", "d", "env", "k", "log", "m", "o", "p", "r", "u"];
  const symbols = new Symbols(source);
  expect([...used, ...members].filter((name) => symbols.isUsed("c.ts", name))).toEqual(used);
});

describe("choice of the TypeScript compiler", () => {
  const fake = (version: string) => `module.exports = { version: "${version}", createSourceFile() {} };`;
  const versionIn = async () => (await loadTypeScript(folder)).version;

  test("the program reader uses the project's compiler if its version is supported", async () => {
    write({ "node_modules/typescript/index.js": fake("5.9.1-project") });
    expect(await versionIn()).toBe("5.9.1-project");
  });

  test.each([
    ["no compiler", undefined],
    ["a compiler that is too new", fake("7.0.2")],
    ["a compiler that is too old", fake("4.9.5")],
    ["a compiler that fails to load", "throw new Error('broken')"],
    ["a module that is not a compiler", "module.exports = {}"],
  ])("the program reader uses this package's compiler if the project has %s", async (_, text) => {
    if (text !== undefined) write({ "node_modules/typescript/index.js": text });
    expect(await versionIn()).toMatch(/^6\./);
  });
});

/** Returns the class of the error that a function throws. */
function errorClassOf(work: () => unknown): RangeErrorConstructor {
  try {
    work();
  } catch (error) {
    return (error as Error).constructor as RangeErrorConstructor;
  }
  throw new Error("The function throws no error");
}

test("the program reader's error names a file with code that is nested too deeply", async () => {
  const source = await ProgramSource.of("/p", { "deep.ts": "(".repeat(100_000) });
  const deep = "(".repeat(100_000);
  // The suites share a compiler, which throws its own class of errors.
  const { RangeError: suiteRangeError } = globalThis;
  globalThis.RangeError = errorClassOf(() => source.ts.createSourceFile("deep.ts", deep, source.ts.ScriptTarget.Latest));
  const named = "deep.ts is nested too deeply for the TypeScript compiler";
  try {
    expect(() => source.file("deep.ts")).toThrow(named);
    expect(() => mistakeIn(source.ts, "deep.ts", deep)).toThrow(named);
  } finally {
    globalThis.RangeError = suiteRangeError;
  }
});

test("the program reader finds declarations of both provider types in one program", async () => {
  const of = (module: string): string => `import { Label as L } from "${module}";\nnew L("office", { name: "Office" });\n`;
  const resources = await declared({
    "a.ts": of("pulumi-endpoint-monitoring"),
    "b.ts": of("pulumi-endpoint-monitoring/native"),
    "c.ts": `${of("pulumi-endpoint-monitoring")}import * as em from "pulumi-endpoint-monitoring/native";\nnew em.Label("hq", {});\n`,
    "d.ts": of("pulumi-endpoint-monitoring/other"),
  });
  expect(resources.map(({ name, at }) => `${name} ${at}`)).toEqual([
    "office a.ts:2:1",
    "office b.ts:2:1",
    "office c.ts:2:1",
    "hq c.ts:4:1",
  ]);
});
