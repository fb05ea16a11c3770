/** Adds statements to a user's file. No existing line changes. */
import type { Import } from "../../program/imports";
import { withImports } from "../../program/imports";
import { appended } from "../../program/draft";
import { loadTypeScript, type TypeScript } from "../../program/typescript";

let compiler: TypeScript;
beforeAll(async () => (compiler = await loadTypeScript(__dirname)));

const ours = "pulumi-endpoint-monitoring";
const label: Import[] = [{ from: ours, names: new Map([["Label", "Label"]]) }];
const added = (text: string, imports: Import[] = label) => withImports(compiler, text, "index.ts", imports);

describe("import statements", () => {
  test.each<[string, string, string]>([
    [
      "after the last import statement",
      'import a from "a";\nimport b from "b";\n\na(b);\n',
      'import a from "a";\nimport b from "b";\n+\n\na(b);\n',
    ],
    [
      "after a comment on the line of the last import statement",
      'import a from "a"; // why /* x */\na();\n',
      'import a from "a"; // why /* x */\n+\na();\n',
    ],
    [
      "after a comment of several lines behind the last import statement",
      'import a from "a"; /* why\n so */\na();\n',
      'import a from "a"; /* why\n so */\n+\na();\n',
    ],
    [
      "between the last import statement and code on the same line",
      'import a from "a"; a(\n1);\n',
      'import a from "a";\n+\n a(\n1);\n',
    ],
    ["after an import statement below code", 'a();\nimport a from "a";', 'a();\nimport a from "a";\n+'],
    ["after a require statement", 'import a = require("a");\n', 'import a = require("a");\n+\n'],
    [
      "not after a require call in code",
      'import a from "a";\nif (a) require("b");\nconst c = () => require("c");\n',
      'import a from "a";\n+\nif (a) require("b");\nconst c = () => require("c");\n',
    ],
    ["at the top of a file without import statements", "const a = 1;\n", "+\n\nconst a = 1;\n"],
    ["below the comment of the file", "/** What. */\n\nconst a = 1;\n", "/** What. */\n\n+\n\nconst a = 1;\n"],
    ["above a comment of the first statement", "// a\nconst a = 1;\n", "+\n\n// a\nconst a = 1;\n"],
    ["below a first line for the shell", "#!/usr/bin/env node\nconst a = 1;\n", "#!/usr/bin/env node\n\n+\nconst a = 1;\n"],
    ["below directives", '"use strict";\nconst a = 1;\n', '"use strict";\n+\nconst a = 1;\n'],
    ["after a byte order mark", "\uFEFFconst a = 1;\n", "\uFEFF+\n\nconst a = 1;\n"],
    ["into an empty file", "", "+\n"],
    ["into a file with only a byte order mark", "\uFEFF", "\uFEFF+\n"],
    ["below the only comment", "// Nothing yet.", "// Nothing yet.\n\n+\n"],
    ["below the only comment and its line end", "// Nothing yet.\n", "// Nothing yet.\n\n+\n"],
  ])("import adds an import statement: %s", (_, text, wanted) => {
    expect(added(text)).toBe(wanted.replace("+", `import { Label } from "${ours}";`));
  });

  test.each<[string, string]>([
    ["single quotes", "import a from 'a';\n"],
    ["no semicolons", 'import a from "a"\n'],
    ["both", "import a from 'a'\nconst b = 'c'\n"],
    ["CRLF", 'import a from "a";\r\n'],
  ])("import writes import statements in the style of the file: %s", (_, text) => {
    const [first = ""] = text.split("\n");
    const line = first.replace("import a", "import { Label }").replace(/(["'])a\1/, `$1${ours}$1`);
    expect(added(text)).toBe(text.replace("\n", `\n${line}\n`));
  });

  test("import adds no import statement that the file already has", () => {
    const text = `import { Label } from "${ours}";\nimport * as pulumi from "@pulumi/pulumi";\n`;
    expect(added(text, [...label, { from: "@pulumi/pulumi", namespace: "pulumi" }])).toBe(text);
  });

  test("import adds an import statement without names only if no statement loads the file", () => {
    const loads = [{ from: "./labels" }];
    expect(added("import a from 'a'\n", loads)).toBe("import a from 'a'\nimport './labels'\n");
    for (const text of ['import "./labels";\n', 'import { a } from "./labels";\n']) expect(added(text, loads)).toBe(text);
    const type = 'import type { a } from "./labels";\n';
    expect(added(type, loads)).toBe(`${type}import "./labels";\n`);
  });

  test("import adds only missing import statements and does not count type imports", () => {
    const text = `import { Label } from "${ours}";\nimport type { TestRun } from "x";\n`;
    const names = new Map(Object.entries({ Label: "Label", DynamicTest: "DynamicTest", Run: "TestRun" }));
    const imports = [{ from: ours, names, namespace: "em" }];
    expect(added(text, imports)).toBe(
      `${text}import * as em from "${ours}";\nimport { DynamicTest, TestRun as Run } from "${ours}";\n`,
    );
  });

  test.each([
    "const Label = 1;",
    'import { Label } from "other";',
    'import Label from "other";',
    'import * as Label from "other";',
    `import type { Label } from "${ours}";`,
    "interface Label {}",
    "class Label {}",
    "function Label() {}",
    "const { a: [{ Label }] } = b;",
  ])("import refuses an import statement if the imported name is in use: %s", (text) => {
    expect(() => added(text)).toThrow("index.ts cannot import Label, because the file already declares this name");
  });

  test("import permits an imported name that only a function uses", () => {
    expect(added("function f(Label: string) {}\n")).toContain("import { Label }");
  });
});

describe("statements at the end of a file", () => {
  test.each<[string, string, string]>([
    ["after a new blank line", "a();\n", "a();\n\nb();\nc();\n"],
    ["after an existing blank line", "a();\n\n", "a();\n\nb();\nc();\n"],
    ["after a line without a line end", "a();", "a();\n\nb();\nc();"],
    ["after a comment without a line end", "a(); // x", "a(); // x\n\nb();\nc();"],
    ["CRLF", "a();\r\n", "a();\r\n\r\nb();\r\nc();\r\n"],
    ["after CRLF and a blank line", "a();\r\n\r\n", "a();\r\n\r\nb();\r\nc();\r\n"],
    ["into an empty file", "", "b();\nc();\n"],
    ["into a file with only a byte order mark", "\uFEFF", "\uFEFFb();\nc();\n"],
  ])("import adds statements at the end of a file: %s", (_, text, wanted) => {
    expect(appended(text, "\nb();\nc();\n")).toBe(wanted);
  });

  test("import adds nothing if the new text is empty", () => {
    expect(appended("a();", "\n")).toBe("a();");
  });
});
