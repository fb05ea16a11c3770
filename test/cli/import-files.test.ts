/** Where files go, and what is written and kept of them. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ManagedResource } from "../../cli/engine/state";
import type { GeneratedFile } from "../../cli/import/generate";
import { leftOver, type ImportEntry } from "../../cli/import/import-file";
import { type ProgramPlace, placeOf } from "../../cli/import/place";
import { Program } from "../../cli/import/program";
import { located, writeAll } from "../../cli/import/write";
import { records } from "../../provider/registry";
import { providerString, typeToken } from "../../sdk/token";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "import-files-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe("the place of the program", () => {
  const place = async (files: Record<string, string>, main?: string, out?: string) => {
    put(files);
    const { root, below, source: _, ...found } = await placeOf({ folder, main }, out, folder);
    return { at: join(root.replace(folder, ""), below), ...found };
  };
  const modules = { extension: ".ts", syntax: "import", suffix: "", unchecked: false };
  const here = { at: ".", entry: "index.ts", start: "index.ts", ...modules };
  const required = { extension: ".js", syntax: "require" };

  test.each<[string, Record<string, string>, string | undefined, string | undefined, object]>([
    ["a fresh project", {}, undefined, undefined, here],
    [
      "main names the file",
      { "src/main.ts": "" },
      "src/main.ts",
      undefined,
      { ...here, at: "src", entry: "src/main.ts", start: "src/main.ts" },
    ],
    [
      "main names a folder",
      { "src/index.ts": "" },
      "./src/",
      undefined,
      { ...here, at: "src", entry: "src/index.ts", start: "src/index.ts" },
    ],
    [
      "package.json names the file",
      { "package.json": '{ "main": "app.ts" }', "app.ts": "" },
      undefined,
      undefined,
      { ...here, entry: "app.ts", start: "app.ts" },
    ],
    [
      "package.json names a compiled one",
      { "package.json": '{ "main": "bin/app.js" }', "index.ts": "" },
      undefined,
      undefined,
      here,
    ],
    ["package.json names one that is not there", { "package.json": '{ "main": "index.js" }' }, undefined, undefined, here],
    [
      "package.json names one in JavaScript",
      { "package.json": '{ "main": "app.js" }', "app.js": "", "index.ts": "" },
      undefined,
      undefined,
      { ...here, entry: "app.js", start: "app.js", ...required },
    ],
    [
      "package.json names one in another folder",
      { "package.json": '{ "main": "src/index.ts" }', "src/index.ts": "", "other.ts": "" },
      undefined,
      undefined,
      { ...here, at: "src", entry: "src/index.ts", start: "src/index.ts" },
    ],
    ["package.json is broken", { "package.json": "{" }, undefined, undefined, here],
    [
      "a program in JavaScript",
      { "index.js": "" },
      undefined,
      undefined,
      { ...here, entry: "index.js", start: "index.js", ...required },
    ],
    [
      "another folder of one in JavaScript",
      { "index.js": "" },
      undefined,
      "em",
      { ...here, at: "em", entry: "em/index.js", start: "index.js", ...required },
    ],
    [
      "a program in JavaScript that imports, whatever its package says",
      { "index.js": 'import "node:fs";\n' },
      undefined,
      undefined,
      { ...here, entry: "index.js", start: "index.js", ...required, syntax: "import", suffix: ".js" },
    ],
    [
      "one in JavaScript that has to require",
      { "package.json": '{ "type": "module" }', "index.cjs": "" },
      "index.cjs",
      undefined,
      { ...here, entry: "index.cjs", start: "index.cjs", ...required, extension: ".cjs" },
    ],
    [
      "modules in JavaScript",
      { "package.json": '{ "type": "module", "main": "app.js" }', "app.js": "" },
      undefined,
      undefined,
      { ...here, entry: "app.js", start: "app.js", ...required, syntax: "import", suffix: ".js" },
    ],
    [
      "a module in TypeScript by its name",
      { "index.mts": "" },
      "index.mts",
      undefined,
      { ...here, entry: "index.mts", start: "index.mts", extension: ".mts", suffix: ".ts" },
    ],
    [
      "one in TypeScript that has to require",
      { "index.cts": "" },
      "index.cts",
      undefined,
      { ...here, entry: "index.cts", start: "index.cts", extension: ".cts", syntax: "require", suffix: ".ts" },
    ],
    ["another folder", { "index.ts": "" }, undefined, "em", { ...here, at: "em", entry: "em/index.ts" }],
    ["modules", { "package.json": '{ "type": "module" }' }, undefined, undefined, { ...here, suffix: ".ts" }],
    [
      "modules that a compiler checks",
      { "package.json": '{ "type": "module" }', "tsconfig.json": "{}" },
      undefined,
      undefined,
      { ...here, suffix: ".ts", unchecked: true },
    ],
    [
      "modules that ts-node loads",
      {
        "package.json": '{ "type": "module" }',
        "node_modules/ts-node/package.json": '{ "exports": { "./esm": "./esm.mjs" } }',
        "node_modules/ts-node/esm.mjs": "",
      },
      undefined,
      undefined,
      { ...here, suffix: ".js" },
    ],
    [
      "modules that Node runs",
      {
        "package.json": '{ "type": "module" }',
        "tsconfig.json": '{ "compilerOptions": { "allowImportingTsExtensions": true } }',
      },
      undefined,
      undefined,
      { ...here, suffix: ".ts" },
    ],
    [
      "modules whose settings of the compiler come from another file, with comments and commas that end lists",
      {
        "package.json": '{ "type": "module" }',
        "base/tsconfig.json": '{ "compilerOptions": { /* as Node has them */ "rewriteRelativeImportExtensions": true, }, }',
        "tsconfig.json": '{\n  // "allowImportingTsExtensions": true\n  "extends": "./base/tsconfig.json",\n}\n',
      },
      undefined,
      undefined,
      { ...here, suffix: ".ts" },
    ],
    [
      "modules whose settings say so in a comment alone",
      {
        "package.json": '{ "type": "module" }',
        "tsconfig.json": '{ "compilerOptions": { /* "allowImportingTsExtensions": true */ } }',
      },
      undefined,
      undefined,
      { ...here, suffix: ".ts", unchecked: true },
    ],
    [
      "imports that are there",
      { "package.json": '{ "type": "module" }', "a.ts": 'import {\n  b,\n} from "./b";\n', "b.ts": "export const b = 1;\n" },
      undefined,
      undefined,
      here,
    ],
  ])("%s", async (_, files, main, out, expected) => {
    expect(await place(files, main, out)).toEqual(expected);
  });

  test("outside of a project a folder counts alone, without the folders below it", async () => {
    put({ "far/labels.ts": "", "far/deep/other.ts": "", "project/index.ts": "" });
    const far = await placeOf({ folder: join(folder, "project"), main: undefined }, join(folder, "far"), "/");
    expect([far.root, far.below, far.start, [...(far.source?.texts.keys() ?? [])]]).toEqual([
      join(folder, "far"),
      "",
      undefined,
      ["labels.ts"],
    ]);
    expect(await placeOf(undefined, undefined, join(folder, "new"))).toMatchObject({
      root: join(folder, "new"),
      entry: "index.ts",
      source: undefined,
    });
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      "by the compiler, beside its source",
      { "index.ts": "", "index.js": "" },
      "",
      /starts with .*index\.js, which is compiled \(.*index\.ts\): .*say main: FILE in Pulumi\.yaml/,
    ],
    [
      "by the compiler, into its folder",
      {
        "package.json": '{ "main": "out/index.js" }',
        "base.json": '{ "compilerOptions": { "outDir": "./out" } }',
        "tsconfig.json": '{ "extends": "./base.json" }',
        "out/index.js": "",
        "src/index.ts": "",
      },
      "",
      /starts with .*out\/index\.js, which is compiled \(.*tsconfig\.json\).*--out/,
    ],
    [
      "elsewhere",
      { "package.json": '{ "main": "lib.js" }', "lib.js": "", "infra/other.ts": "" },
      "infra",
      /starts with .*lib\.js, outside of the project's folder .*infra: say main/,
    ],
    [
      "as something that loads nothing",
      { "package.json": '{ "main": "data.json" }', "data.json": "{}" },
      "",
      /starts with .*data\.json, which is no source that could load others/,
    ],
  ])("a program that is written %s is not extended, and why not is told", async (_, files, below, said) => {
    put(files);
    await expect(placeOf({ folder: join(folder, below) }, undefined, folder)).rejects.toThrow(said);
    // Another folder is the caller's own decision.
    expect((await placeOf({ folder: join(folder, below) }, "em", join(folder, below))).below).toBe("em");
  });

  test("a file is no folder to write to", async () => {
    put({ "a.txt": "" });
    await expect(placeOf(undefined, "a.txt", folder)).rejects.toThrow("a.txt is not a folder");
  });
});

describe("writing", () => {
  const file = (path: string, before: string | undefined, text: string): GeneratedFile => ({ path, before, text, added: 1 });
  const entry = (name: string, id: string, inputs: object = {}): ImportEntry => ({
    type: typeToken("Label"),
    name,
    id,
    inputs: { ...inputs, __provider: providerString("Label") },
    outputs: {},
  });
  const importFile = (): string => join(folder, "import.json");

  test("a file that has changed meanwhile is left as it is, and no import file follows", () => {
    put({ "b.ts": "theirs\n" });
    const files = located(folder, [
      file("a.ts", undefined, "a\n"),
      file("b.ts", "read\n", "read\nours\n"),
      file("c.ts", undefined, "c\n"),
    ]);
    expect(() => writeAll(files, importFile(), [entry("a", "1")])).toThrow("b.ts has changed while this command was at work");
    expect([readdirSync(folder), readFileSync(join(folder, "b.ts"), "utf8")]).toEqual([["a.ts", "b.ts"], "theirs\n"]);
  });

  test("a file that was not read is not written over", () => {
    put({ "labels.ts": "" });
    writeFileSync(join(folder, "labels.ts"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(() => located(folder, [file("labels.ts", undefined, "x")])).toThrow(
      "labels.ts is there and is no file of UTF-8 text",
    );
  });

  test("a file keeps its permissions, and one with secrets gets its own", () => {
    put({ "a.ts": "a\n" });
    chmodSync(join(folder, "a.ts"), 0o640);
    writeAll(located(folder, [file("a.ts", "a\n", "a\nb\n")]), importFile(), [entry("a", "1")]);
    expect([statSync(join(folder, "a.ts")).mode & 0o777, readFileSync(join(folder, "a.ts"), "utf8")]).toEqual([
      0o640,
      "a\nb\n",
    ]);
    expect(statSync(importFile()).mode & 0o777).toBe(0o666 & ~process.umask());
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"s"' };
    writeAll([], importFile(), [entry("a", "1", { password: secret })]);
    expect(statSync(importFile()).mode & 0o777).toBe(0o600);
    rmSync(importFile());
    writeAll([], importFile(), []);
    expect(existsSync(importFile())).toBe(false);
  });

  test.each([
    ["", "a.ts", "./a"],
    [".js", "a.ts", "./a.js"],
    [".ts", "a.ts", "./a.ts"],
    ["", "em/index.ts", "./em/index"],
    [".js", "a.mts", "./a.mjs"],
    [".ts", "a.mts", "./a.mts"],
    ["", "a.cts", "./a.cjs"],
    ["", "a.js", "./a"],
    [".js", "a.js", "./a.js"],
    [".js", "a.mjs", "./a.mjs"],
  ])("with imports that end with %j, %s is %s", (suffix, to, specifier) => {
    const place: ProgramPlace = {
      root: folder,
      below: "",
      entry: "index.ts",
      start: "index.ts",
      extension: ".ts",
      syntax: "import",
      suffix,
      unchecked: false,
      source: undefined,
    };
    expect(new Program(place).specifier("index.ts", to)).toBe(specifier);
  });

  test("keeps entries of an earlier import file that are declared, not managed and not replaced", async () => {
    put({
      "labels.ts":
        'import { Label } from "pulumi-endpoint-monitoring";\n' +
        ["declared", "managed", "renewed", "same-record", "held-record"].map((name) => `new Label("${name}", {});\n`).join(""),
    });
    const program = new Program(await placeOf({ folder }, undefined, "/"));
    const earlier = ["declared", "managed", "renewed", "same-record", "held-record", "gone"].map((name, i) =>
      entry(name, String(i)),
    );
    writeAll([], importFile(), earlier);
    const held = [
      { kind: records.label, name: "managed", id: "9" },
      { kind: records.label, name: "other", id: "4" },
    ] as unknown as ManagedResource[];
    const left = leftOver(importFile(), [entry("renewed", "8"), entry("another", "3")], held, program);
    expect(left).toEqual([entry("declared", "0")]);
    expect(leftOver(join(folder, "none.json"), [], [], program)).toEqual([]);
  });

  test.each([
    "{}",
    "no JSON",
    '{ "resources": [{ "type": "aws:s3:Bucket", "name": "b", "id": "b" }] }',
    '{ "resources": [], "nameTable": {} ',
  ])("an import file that is somebody else's is not written over: %s", async (text) => {
    put({ "import.json": text });
    const program = new Program(await placeOf({ folder }, undefined, "/"));
    expect(() => leftOver(importFile(), [], [], program)).toThrow(
      "is no import file of this command. Name another with --file",
    );
  });
});
