/** Compares the program's entry file with the rules of Node for folders and of Pulumi's program runner. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { programEntry } from "../../engine/program-entry";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
const relativePaths = (main?: string, below = ""): string[] => {
  const { folder: at, file } = programEntry(join(folder, below), main);
  return [relative(folder, at), relative(folder, file)];
};

test.each<[string, Record<string, string>, string | undefined, string, string]>([
  ["the folder is empty", {}, undefined, "", "index.ts"],
  [
    "main of Pulumi.yaml is a file",
    { "src/app.ts": "", "package.json": '{ "main": "b.ts" }', "b.ts": "" },
    "src/app.ts",
    "src",
    "src/app.ts",
  ],
  ["main of Pulumi.yaml is a file that does not exist yet", { "index.ts": "" }, "src/app.ts", "src", "src/app.ts"],
  ["main of Pulumi.yaml is a folder", { "src/index.ts": "" }, "src", "src", "src/index.ts"],
  ["main of Pulumi.yaml is a folder that does not exist yet", { "index.ts": "" }, "src", "src", "src/index.ts"],
  ["the folder has its own package", { "src/package.json": '{ "main": "a.ts" }', "src/a.ts": "" }, "src", "src", "src/a.ts"],
  [
    "main of package.json is a file in a folder",
    { "package.json": '{ "main": "src/a.ts" }', "src/a.ts": "", "index.ts": "" },
    undefined,
    "",
    "src/a.ts",
  ],
  [
    "main of package.json is a folder",
    { "package.json": '{ "main": "src" }', "src/index.ts": "" },
    undefined,
    "",
    "src/index.ts",
  ],
  [
    // Node would load the file, but the runner looks for the folder first.
    "main of package.json is a folder next to a file of that name",
    { "package.json": '{ "main": "lib" }', "lib.js": "", "lib/index.js": "" },
    undefined,
    "",
    "lib/index.js",
  ],
  [
    "main of package.json has no file extension",
    { "package.json": '{ "main": "src/a" }', "src/a.ts": "" },
    undefined,
    "",
    "src/a.ts",
  ],
  [
    "main of package.json does not exist",
    { "package.json": '{ "main": "index.js" }', "index.ts": "" },
    undefined,
    "",
    "index.ts",
  ],
  [
    "main of package.json is a TypeScript file that does not exist yet",
    { "package.json": '{ "main": "src/a.ts" }' },
    undefined,
    "",
    "src/a.ts",
  ],
  [
    "main of package.json is a JavaScript file that does not exist yet",
    { "package.json": '{ "main": "bin/a.js" }' },
    undefined,
    "",
    "index.ts",
  ],
  [
    "exports is a file",
    { "package.json": '{ "exports": "./a.js", "main": "b.js" }', "a.js": "", "b.js": "" },
    undefined,
    "",
    "a.js",
  ],
  [
    "exports has conditions",
    { "package.json": '{ "exports": { ".": { "import": "./b.mjs", "require": "./a.cjs" } } }', "a.cjs": "" },
    undefined,
    "",
    "a.cjs",
  ],
  [
    "exports names no entry file",
    { "package.json": '{ "exports": { "./x": "./x.js" }, "main": "a.js" }', "a.js": "", "x.js": "" },
    undefined,
    "",
    "a.js",
  ],
  ["the folder has a JavaScript and a TypeScript file", { "index.js": "", "index.ts": "" }, undefined, "", "index.js"],
  [
    "a project of modules has JavaScript and TypeScript files",
    { "package.json": '{ "type": "module" }', "index.mjs": "", "index.ts": "" },
    undefined,
    "",
    "index.mjs",
  ],
  [
    "a project of modules has only the file that Node searches last",
    { "package.json": '{ "type": "module" }', "index.mts": "" },
    undefined,
    "",
    "index.mts",
  ],
  ["the folder has a package.yaml of pnpm", { "package.yaml": "main: src/a.ts\n", "src/a.ts": "" }, undefined, "", "src/a.ts"],
  [
    "main of package.json is an invalid file name",
    { "package.json": JSON.stringify({ main: "x".repeat(5_000) }), "index.ts": "" },
    undefined,
    "",
    "index.ts",
  ],
  ["package.json is invalid", { "package.json": "{", "index.ts": "" }, undefined, "", "index.ts"],
])("a command finds the program's entry file if %s", (_, files, main, at, file) => {
  put(files);
  expect(relativePaths(main)).toEqual([at, file]);
});

test("a command runs the main file of a parent folder's package.json if that file exists", () => {
  put({ "package.json": '{ "main": "lib/index.js" }', "infra/index.ts": "" });
  expect(relativePaths(undefined, "infra")).toEqual(["infra", "infra/index.ts"]);
  put({ "lib/index.js": "" });
  expect(relativePaths(undefined, "infra")).toEqual(["infra", "lib/index.js"]);
});

test.each<Record<string, string>>([
  { "package.json": '{ "main": "./lib" }', "lib/index.js": "", "index.js": "" },
  { "package.json": '{ "main": "lib/" }', "lib/index.json": "{}", "index.js": "" },
  { "package.json": '{ "main": "nowhere" }', "index.json": "{}" },
  { "package.json": '{ "main": "a" }', "a.json": "{}", "index.js": "" },
  { "index.js": "", "index.json": "{}" },
])("a command finds the same main file in a folder as Node: %j", (files) => {
  put(files);
  const taken = createRequire(join(folder, "_.js")).resolve(`${folder}/`);
  expect(relativePaths()[1]).toBe(relative(folder, taken));
});
