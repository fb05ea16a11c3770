/** Compiles, runs and checks the code in the documentation. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import * as api from "../../api/public";
import { helpOf } from "../../cli/command/help";
import { allCommands } from "../../cli/command/list";
import * as emulator from "../../emulator";
import * as policy from "../../policy";
import * as sdk from "../../sdk";
import * as testing from "../../testing";
import { type CodeBlock, codeOf, codeSpansOf, pagesBelow, registryFiles } from "../support/markdown";
import { plainEnv, repository, runNode } from "../support/process";
import { installPackage } from "./support/installed";

const pages = pagesBelow(repository, [
  "*.md",
  ".github/**/*.md",
  "docs/**/*.md",
  "examples/**/*.md",
  "acceptance/*.md",
  "emulator/*.md",
  "skills/**/*.md",
]).filter((page) => !registryFiles.includes(page));
const blocks = pages.flatMap((page) => codeOf(repository, page));
const ofComments = pagesBelow(repository, ["sdk/**/*.ts", "api/**/*.ts", "emulator/*.ts"]).flatMap((file) =>
  codeOf(repository, file),
);
const of = (...languages: string[]): CodeBlock[] => blocks.filter(({ language }) => languages.includes(language));
/** The file of a code block, as a module of a program. */
const fileOf = ({ page, line }: CodeBlock): string => `${page.replaceAll(/[/.]/g, "-")}-${line}.ts`;
const at = ({ page, line }: CodeBlock): string => `${page}:${line}`;

/** This process outside of Jest's sandbox, which cannot load ES modules. Its timers come from outside. */
const outside = (setTimeout.constructor as FunctionConstructor)("return process") as () => NodeJS.Process;

let folder: string;
beforeAll(() => (folder = installPackage()));

it("every code block has a known language or contains only output", () => {
  const known = new Set([
    "ts",
    "js",
    "sh",
    "json",
    "yaml",
    "text",
    "console",
    "diff",
    "mermaid",
    "hcl",
    "python",
    "go",
    "csharp",
    "java",
    "",
  ]);
  expect(blocks.filter(({ language }) => !known.has(language)).map((block) => at(block))).toEqual([]);
  expect(blocks.length).toBeGreaterThan(60);
});

/** Compiles the files of a project with its settings. @returns errors by file */
function faultsOf(root: string): string[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as { config: object };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options));
  return diagnostics.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

/** Creates a project with `init` in a folder below the installed package. */
async function project(name: string): Promise<string> {
  const root = join(folder, name);
  mkdirSync(root);
  const command = join(folder, "node_modules/pulumi-endpoint-monitoring/dist/cli/main.js");
  expect(await runNode([command, "init", "--emulator"], { cwd: root, env: plainEnv() })).toMatchObject({ code: 0 });
  return root;
}

it("every TypeScript block compiles in a project that init creates", async () => {
  const root = await project("pages");
  const typescript = of("ts");
  for (const block of typescript) writeFileSync(join(root, fileOf(block)), block.text);
  expect(faultsOf(root)).toEqual([]);
  expect(typescript.length).toBeGreaterThan(40);
  // Node strips the types and parses the rest as a module.
  for (const block of typescript) stripTypeScriptTypes(block.text);
});

it("every example in a comment compiles with the imports of the generated pages", async () => {
  const { createRequire } = outside().getBuiltinModule("node:module");
  const { completed } = createRequire(__filename)("../../tools/docs/complete.mjs") as {
    completed: (text: string, modules: Record<string, string[]>) => string;
  };
  const root = await project("comments");
  const examples = ofComments.filter(({ language }) => language === "ts");
  const exported = Object.fromEntries(
    Object.entries({ "": sdk, "/api": api, "/emulator": emulator, "/policy": policy, "/testing": testing }).map(
      ([module, all]) => [`pulumi-endpoint-monitoring${module}`, Object.keys(all)],
    ),
  );
  for (const block of examples) writeFileSync(join(root, fileOf(block)), completed(block.text, exported));
  expect(faultsOf(root)).toEqual([]);
  expect(examples.length).toBeGreaterThan(60);
});

it("every JavaScript, JSON, YAML and shell block is valid", () => {
  const faults: string[] = [];
  for (const block of of("js")) {
    const { diagnostics = [] } = ts.transpileModule(block.text, { reportDiagnostics: true, fileName: "block.js" });
    for (const { messageText } of diagnostics)
      faults.push(`${at(block)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  }
  for (const block of of("json", "yaml")) {
    const problems =
      block.language === "json"
        ? jsonProblem(block.text)
        : parseAllDocuments(block.text).flatMap((document) => document.errors);
    for (const problem of problems) faults.push(`${at(block)}: ${String(problem)}`);
  }
  for (const block of of("sh")) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: block.text, encoding: "utf8" });
    if (status !== 0) faults.push(`${at(block)}: ${stderr}`);
  }
  expect(faults).toEqual([]);
});

function jsonProblem(text: string): unknown[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [error];
  }
}

/** A command line on a page: its words after the command's name. */
interface CommandLine {
  where: string;
  words: string[];
}

/** Command lines that start with `name`, in blocks and between backticks. */
function linesOf(name: string): CommandLine[] {
  const inBlocks = of("sh", "text", "console", "").flatMap((block) =>
    block.text.split("\n").map((line) => ({ where: at(block), line: line.replace(/^\s*\$ /, "").split(/\s#\s/)[0] ?? "" })),
  );
  const phraseText = pages.flatMap((page) => codeSpansOf(repository, page).map((line) => ({ where: page, line })));
  return [...inBlocks, ...phraseText].flatMap(({ where, line }) =>
    line.split(/&&|\||;/).flatMap((part) => {
      const [, rest] = new RegExp(`^\\s*(?:npx )?${name}(?: (.*))?$`).exec(part) ?? [];
      return rest === undefined ? [] : [{ where, words: rest.trim().split(/\s+/) }];
    }),
  );
}

it("every command line contains an existing command and existing options", () => {
  const known = new Map(
    allCommands().map((command) => [command.name, new Set(helpOf(command).match(/(?<![\w-])--?[a-z][a-z-]*/gi))] as const),
  );
  const lines = linesOf("endpoint-monitoring");
  const faults = lines.flatMap(({ where, words: [command = "", ...words] }) => {
    if (command.startsWith("-") || /^[A-Z\W]/.test(command)) return [];
    const options = known.get(command);
    if (!options) return [`${where}: there is no command ${command}`];
    const named = words.flatMap((word) => /^--?[a-z][a-z-]*/.exec(word)?.[0] ?? []);
    return named.filter((option) => !options.has(option)).map((option) => `${where}: ${command} has no ${option}`);
  });
  expect(faults).toEqual([]);
  expect(lines.length).toBeGreaterThan(40);
});

it("every npm script and Node file on a page exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { scripts: Record<string, string> };
  const inRepository = ({ where }: CommandLine) => !where.startsWith("examples/");
  const run = linesOf("npm run").filter((line) => inRepository(line));
  expect(run.filter(({ words: [script = ""] }) => !(script in scripts))).toEqual([]);
  const files = linesOf("node").filter((line) => inRepository(line) && /\.[cm]?js$/.test(line.words[0] ?? ""));
  expect(files.filter(({ words: [file = ""] }) => !existsSync(join(repository, file)))).toEqual([]);
  expect(run.length).toBeGreaterThan(10);
});

it("validate accepts every resource that a code block declares", async () => {
  const declaring = of("ts").filter(
    ({ text }) => /^(?:const \w+ = )?new [A-Z]\w+\("/m.test(text) && !text.includes("await get"),
  );
  const root = await project("program");
  const names = declaring.map((block) => fileOf(block));
  for (const [index, block] of declaring.entries()) {
    // One program declares all resources, so each name gets its page's name.
    const text = block.text.replaceAll(/(new [A-Z]\w+\()"/g, `$1"${names[index]}-`);
    writeFileSync(join(root, names[index] ?? ""), text);
  }
  writeFileSync(join(root, "index.ts"), names.map((name) => `import "./${name}";\n`).join(""));
  const plugin =
    "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ../node_modules/pulumi-endpoint-monitoring/plugin\n";
  writeFileSync(join(root, "Pulumi.yaml"), `name: pages\nruntime: nodejs\nmain: index.ts\n${plugin}`);
  const secrets = ["probePassword", "emeaToken", "usToken"].map((name) => `  pages:${name}: secret\n`);
  writeFileSync(join(root, "Pulumi.dev.yaml"), `config:\n${secrets.join("")}`);
  const command = join(folder, "node_modules/pulumi-endpoint-monitoring/dist/cli/main.js");
  const { stdout, stderr } = await runNode([command, "validate", "--json"], { cwd: root, env: plainEnv() });
  // The provider is not one of the managed resources.
  const resources = declaring.flatMap(({ text }) => [...text.matchAll(/new (?!Provider\()[A-Z]\w+\("/g)]).length;
  expect({ stderr, ...(JSON.parse(stdout) as object) }).toMatchObject({ data: { resources, findings: [] } });
  expect(resources).toBeGreaterThan(10);
});

it("the example in docs/emulator.md starts and stops the emulator", () => {
  const block = of("ts").find(
    ({ page, text }) => page === "docs/emulator.md" && text.includes("pulumi-endpoint-monitoring/emulator"),
  );
  writeFileSync(join(folder, "emulator.mjs"), block?.text ?? "throw new Error('The page has no such block')");
  expect(execFileSync(process.execPath, ["emulator.mjs"], { cwd: folder, encoding: "utf8" })).toBe("");
});
