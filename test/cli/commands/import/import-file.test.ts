import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GeneratedFile } from "../../../../program/record-to-declare";
import { type ImportEntry, refuseOthersFiles, writeAll } from "../../../../cli/commands/import/import-file";
import { fileOf, type ProgramPlace, placeOf } from "../../../../program/program-place";
import { ExistingProgram } from "../../../../program/existing-program";
import { providerString, typeToken } from "../../../../sdk/token";
import { temporary } from "../../../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe("location of the program for an import", () => {
  const place = async (files: Record<string, string>, main?: string) => {
    put(files);
    const { root: _root, source: _source, ...found } = await placeOf({ folder, main }, folder);
    return { ...found, next: fileOf(found, { word: "labels" }) };
  };
  const here = {
    entry: "index.ts",
    onlyFor: undefined,
    next: "labels.ts",
    extension: ".ts",
    isModule: false,
    suffix: "",
  };

  test.each<[string, Record<string, string>, string | undefined, object]>([
    ["a fresh project", {}, undefined, here],
    ["main names the file", { "src/main.ts": "" }, "src/main.ts", { ...here, entry: "src/main.ts", next: "src/labels.ts" }],
    ["main names a folder", { "src/index.ts": "" }, "./src/", { ...here, entry: "src/index.ts", next: "src/labels.ts" }],
    [
      "package.json names the file",
      { "package.json": '{ "main": "app.ts" }', "app.ts": "" },
      undefined,
      { ...here, entry: "app.ts" },
    ],
    ["package.json names a compiled file", { "package.json": '{ "main": "bin/app.js" }', "index.ts": "" }, undefined, here],
    ["package.json names a file that does not exist", { "package.json": '{ "main": "index.js" }' }, undefined, here],
    [
      "package.json names a file in another folder",
      { "package.json": '{ "main": "src/index.ts" }', "src/index.ts": "", "other.ts": "" },
      undefined,
      { ...here, entry: "src/index.ts", next: "src/labels.ts" },
    ],
    ["package.json is invalid", { "package.json": "{" }, undefined, here],
    [
      "main names a TypeScript module (.mts)",
      { "index.mts": "" },
      "index.mts",
      { ...here, entry: "index.mts", extension: ".mts", next: "labels.mts", isModule: true, suffix: ".ts" },
    ],
    [
      'package.json has the type "module"',
      { "package.json": '{ "type": "module" }' },
      undefined,
      { ...here, isModule: true, suffix: ".ts" },
    ],
    [
      "existing imports show the suffix of imports",
      {
        "package.json": '{ "type": "module" }',
        "a.ts": 'import {\n  b,\n} from "./b";\n',
        "b.ts": "export const b = 1;\n",
      },
      undefined,
      { ...here, isModule: true },
    ],
  ])("`import` finds the program's files: %s", async (_, files, main, expected) => {
    expect(await place(files, main)).toEqual(expected);
  });

  test("`import` outside of a project reads only the folder, not its subfolders", async () => {
    put({ "far/labels.ts": "", "far/deep/other.ts": "" });
    const far = await placeOf(undefined, join(folder, "far"));
    expect([far.root, far.entry, [...(far.source?.texts.keys() ?? [])]]).toEqual([
      join(folder, "far"),
      "index.ts",
      ["labels.ts"],
    ]);
    expect(await placeOf(undefined, join(folder, "new"))).toMatchObject({
      root: join(folder, "new"),
      entry: "index.ts",
      source: undefined,
    });
  });

  test("`import` adds the stack's name to file names in a project with several stacks", async () => {
    put({ "package.json": '{ "type": "module" }', "src/app.ts": "" });
    const importPlace = await placeOf({ folder, main: "src/app.ts" }, folder, "eu.prod");
    expect([importPlace.entry, importPlace.isModule, fileOf(importPlace, { word: "labels" })]).toEqual([
      "src/app.ts",
      true,
      "src/labels-eu-prod.ts",
    ]);
  });

  test.each(["index.js", "index.mjs", "index.cjs", "index.cts"])(
    "`import` refuses a program that starts with %s",
    async (entry) => {
      put({ [entry]: "" });
      await expect(placeOf({ folder, main: entry }, folder)).rejects.toThrow(
        `\`import\` writes only TypeScript with import statements, but the program starts with ${join(folder, entry)}. Rename ${entry} to index.ts,`,
      );
    },
  );

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "by the compiler, next to its source",
      { "index.ts": "", "index.js": "" },
      /entry file .*index\.js is the output of a compiler \(.*index\.ts\)\. .*Set main in Pulumi\.yaml/,
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
      /entry file .*out\/index\.js is the output of a compiler \(.*tsconfig\.json\)/,
    ],
  ])("`import` explains why it does not extend a program that is written %s", async (_, files, reason) => {
    put(files);
    await expect(placeOf({ folder }, folder)).rejects.toThrow(reason);
  });
});

describe("files that `import` writes", () => {
  const file = (path: string, before: string | undefined, text: string): GeneratedFile => ({ path, before, text, added: 1 });
  const entry = (name: string, id: string, inputs: object = {}): ImportEntry => ({
    type: typeToken("Label"),
    name,
    id,
    inputs: { ...inputs, __provider: providerString("Label") },
    outputs: {},
  });
  const importFile = (): string => join(folder, "import.json");

  test("`import` keeps a file that a user changed during the import", () => {
    put({ "b.ts": "theirs\n" });
    const files = [file("a.ts", undefined, "a\n"), file("b.ts", "read\n", "read\nours\n"), file("c.ts", undefined, "c\n")];
    expect(() => writeAll(folder, files, importFile(), [entry("a", "1")])).toThrow(
      "b.ts while this command ran. The other process's change was kept",
    );
    expect([readdirSync(folder), readFileSync(join(folder, "b.ts"), "utf8")]).toEqual([["a.ts", "b.ts"], "theirs\n"]);
  });

  test("`import` does not overwrite a file that it cannot read", () => {
    writeFileSync(join(folder, "labels.ts"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(() => refuseOthersFiles(folder, [file("labels.ts", undefined, "x")], importFile())).toThrow(
      "labels.ts already exists, but is not a regular file with UTF-8 text",
    );
  });

  test("`import` makes an import file with secrets private", () => {
    put({ "a.ts": "a\n" });
    chmodSync(join(folder, "a.ts"), 0o640);
    writeAll(folder, [file("a.ts", "a\n", "a\nb\n")], importFile(), [entry("a", "1")]);
    expect([statSync(join(folder, "a.ts")).mode & 0o777, readFileSync(join(folder, "a.ts"), "utf8")]).toEqual([
      0o640,
      "a\nb\n",
    ]);
    expect(statSync(importFile()).mode & 0o777).toBe(0o666 & ~process.umask());
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"s"' };
    writeAll(folder, [], importFile(), [entry("a", "1", { password: secret })]);
    expect(statSync(importFile()).mode & 0o777).toBe(0o600);
    rmSync(importFile());
    writeAll(folder, [], importFile(), []);
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
  ])("a program with the import suffix %j imports the file %s as %s", (suffix, to, specifier) => {
    const place: ProgramPlace = {
      root: folder,
      entry: "index.ts",
      onlyFor: undefined,
      extension: ".ts",
      isModule: false,
      suffix,
      source: undefined,
    };
    expect(new ExistingProgram(place).specifier("index.ts", to)).toBe(specifier);
  });

  test("`import` overwrites its own import file, even if the file contains components", () => {
    const parent = "urn:pulumi:dev::p::my:Site::berlin";
    const created = new Map([[parent, { urn: parent, type: "my:Site" }]]);
    writeAll(folder, [], importFile(), [entry("a", "1"), { ...entry("b", "2"), parent }], created);
    expect(() => refuseOthersFiles(folder, [], importFile())).not.toThrow();
  });

  test.each([
    "{}",
    "text that is not JSON",
    '{ "resources": [{ "type": "aws:s3:Bucket", "name": "b", "id": "b" }] }',
    '{ "resources": [], "nameTable": {} ',
  ])("`import` does not overwrite an import file from another source: %s", (text) => {
    put({ "import.json": text });
    expect(() => refuseOthersFiles(folder, [], importFile())).toThrow(
      "already exists, but `import` did not write this file. Move the existing file",
    );
  });
});
