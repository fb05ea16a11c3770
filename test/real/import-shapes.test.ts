/**
 * Imports into typical programs. After exit code 0, nothing remains to do, and any other exit code has a reason. Two imports
 * run at a time.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isLong } from "../support/amount";
import { runCommand } from "../support/command";
import { repository } from "../support/process";
import { problemsIn } from "./support/checked";
import { create } from "./support/fleet";
import { type Run, Stack } from "./support/stack";

/** Returns Pulumi.yaml of a project with an entry point. */
const project = (main?: string, options = ""): string =>
  `name: test\nruntime:\n  name: nodejs\n${options}${main === undefined ? "" : `main: ${main}\n`}`;
const modules = '{ "type": "module" }\n';
const uses = 'import { Label } from "pulumi-endpoint-monitoring";\n';
const ownLabel = 'new Label("head", { name: "Office", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] }';
const component = `import * as pulumi from "@pulumi/pulumi";
${uses}export const mine = ${ownLabel.replace('"head"', '"foot"').replace('"Office"', '"Branch"')});
class Site extends pulumi.ComponentResource {
  constructor(name: string) {
    super("my:Site", name);
    ${ownLabel}, { parent: this });
    this.registerOutputs();
  }
}
new Site("berlin");
`;

interface Shape {
  files: Record<string, string>;
  /** Names of the imported labels. @defaultValue Office and Branch */
  titles?: string[];
  /**
   * Whether types are checked as the engine does for users: by the engine in the long form, otherwise once by the compiler.
   */
  checked?: boolean;
  prepare?: (stack: Stack) => void;
  /** Folder of Pulumi.yaml, relative to the stack's folder. */
  folder?: string;
  /** Whether the program itself fails. */
  fails?: boolean;
  /** The import's reason for a refusal. */
  refused?: RegExp;
  /** Further checks afterwards. */
  seen?: (stack: Stack, run: Run) => Promise<void> | void;
  /** Whether the project has another stack, which must not get the imported resources. */
  shared?: boolean;
}

const at = (stack: Stack, name: string): string => readFileSync(join(stack.folder, name), "utf8");

const shapes: Record<string, Shape> = {
  "a project with only Pulumi.yaml": { files: { "Pulumi.yaml": project() } },
  "main of Pulumi.yaml is a file in a folder": {
    files: { "Pulumi.yaml": project("src/main.ts"), "src/main.ts": "export {};\n" },
  },
  "main of Pulumi.yaml is a folder": { files: { "Pulumi.yaml": project("src"), "src/index.ts": "export {};\n" } },
  "main of package.json is a file in a folder, and a name has an unpaired surrogate": {
    files: { "Pulumi.yaml": project(), "package.json": '{ "main": "src/index.ts" }\n', "src/index.ts": "export {};\n" },
    titles: ["Half \ud83d", "Branch"],
    seen: async (stack) => {
      expect(at(stack, "src/index.ts")).toContain('import "./labels";');
      const listed = await (await stack.api("GET", "/v7/endpoint/labels")).text();
      expect(listed).toMatch(/"Half \\ud83d"/i);
      expect(at(stack, "src/labels.ts")).toContain('name: "Half \ufffd"');
    },
  },
  "main of package.json does not exist": {
    files: { "Pulumi.yaml": project(), "package.json": '{ "main": "bin/index.js" }\n', "index.ts": "export const a = 1;\n" },
  },
  "ES modules in TypeScript": {
    files: {
      "Pulumi.yaml": project(),
      "package.json": modules,
      "index.ts": 'import "./other.ts";\n',
      "other.ts": "export const a = 1;\n",
    },
  },
  "a program with the suffix .mts": {
    files: { "Pulumi.yaml": project("index.mts"), "package.json": modules, "index.mts": "export const a: number = 1;\n" },
  },
  "files with Windows line ends": {
    files: {
      "Pulumi.yaml": project("index.ts").replaceAll("\n", "\r\n"),
      "index.ts": 'import * as pulumi from "@pulumi/pulumi";\r\nexport const p = pulumi.getProject();\r\n',
    },
    seen: (stack) => expect(at(stack, "index.ts")).not.toMatch(/[^\r]\n/),
  },
  "a byte order mark": {
    files: { "Pulumi.yaml": project("index.ts"), "index.ts": "\uFEFFexport const a = 1;\n" },
    seen: (stack) => expect(at(stack, "index.ts")).toMatch(/^\uFEFFimport/),
  },
  "a workspace with packages in a parent folder": {
    files: { "Pulumi.yaml": project(), "index.ts": "export {};\n", "package.json": '{ "name": "infra", "private": true }\n' },
    folder: "packages/infra",
    prepare: (stack) => {
      const inner = join(stack.folder, "packages/infra");
      mkdirSync(inner, { recursive: true });
      for (const name of ["Pulumi.yaml", "Pulumi.dev.yaml", "index.ts", "package.json"])
        renameSync(join(stack.folder, name), join(inner, name));
      writeFileSync(
        join(stack.folder, "package.json"),
        '{ "private": true, "workspaces": ["packages/*"], "main": "index.js" }\n',
      );
    },
  },
  "the program declares two of the records, one of them in a component": {
    files: { "Pulumi.yaml": project("index.ts"), "index.ts": component },
    titles: ["Office", "Branch", "Garage"],
    seen: (stack) => {
      const managed = stack.resources();
      expect(managed.map(({ name }) => name).toSorted()).toEqual(["foot", "garage", "head"]);
      expect(managed.map(({ urn }) => urn)).toContainEqual(expect.stringMatching(/my:Site\$.*::head$/));
    },
  },
  "the program declares a record in a loop": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts": `${uses}for (const name of ["Office"]) ${ownLabel.replace('"Office"', "name")});\n`,
    },
  },
  "the program declares a record with other values": {
    files: { "Pulumi.yaml": project("index.ts"), "index.ts": `${uses}${ownLabel.replace('"and"', '"or"')});\n` },
    refused: /error: label "Office" \(\d+\) is declared with other values than in the service, .*\(matchType\)/,
  },
  "a package declares a record": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts": 'import "company-labels";\n',
      "lib/index.js": `const { Label } = require("pulumi-endpoint-monitoring");\n${ownLabel});\n`,
    },
    prepare: (stack) => symlinkSync("../lib", join(stack.folder, "node_modules/company-labels"), "dir"),
    refused: /error: label "Office" \(\d+\) is declared twice: as "office" in labels\.ts, and as "head"/,
  },
  "compiler settings that extend other settings": {
    files: {
      "Pulumi.yaml": project(),
      "package.json": modules,
      "index.ts": "export const a = 1;\n",
      "base.json": '{ "compilerOptions": { "rewriteRelativeImportExtensions": true, "strict": true } }\n',
      "tsconfig.json": '{ "extends": "./base.json" }\n',
    },
  },
  "compiler settings with comments and a list of files": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts": "export const a = 1;\n",
      "tsconfig.json":
        '{\n  // ours\n  "compilerOptions": { "module": "node16", "strict": true, "skipLibCheck": true, "types": [], },\n  "files": ["index.ts"],\n}\n',
    },
  },
  "compiler settings that forbid unused names": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts": "export const a = 1;\n",
      "tsconfig.json":
        '{ "compilerOptions": { "module": "node16", "target": "es2022", "strict": true, "noUnusedLocals": true, "noUnusedParameters": true, "skipLibCheck": true } }\n',
    },
    checked: true,
  },
  "an exported function": {
    files: { "Pulumi.yaml": project("index.ts"), "index.ts": `${uses}export = async () => ({ known: typeof Label });\n` },
  },
  "an entry file that imports other files": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts": 'import "./parts/all";\n',
      "parts/all.ts": 'export * from "./one";\n',
      "parts/one.ts": "export const office = 1;\n",
    },
  },
  "names that the program already uses": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts": 'import { office, Label } from "./labels";\nexport const branch = [office, Label];\n',
      "labels.ts": 'export const office = "ours";\nexport const branch = "ours";\nexport class Label {}\n',
    },
  },
  "packages that are linked as in pnpm": {
    files: { "Pulumi.yaml": project("index.ts"), "index.ts": "export {};\n" },
    prepare: (stack) => {
      const store = join(stack.folder, "node_modules/.pnpm/pulumi-endpoint-monitoring@0.1.0/node_modules");
      mkdirSync(store, { recursive: true });
      symlinkSync(repository, join(store, "pulumi-endpoint-monitoring"), "dir");
      const link = join(stack.folder, "node_modules/pulumi-endpoint-monitoring");
      rmSync(link);
      symlinkSync(realpathSync(join(store, "pulumi-endpoint-monitoring")), link, "dir");
    },
  },
  "files that the program loads only for another stack": {
    files: {
      "Pulumi.yaml": project("index.ts"),
      "index.ts":
        'import * as pulumi from "@pulumi/pulumi";\ndeclare const require: (module: string) => unknown;\nif (pulumi.getStack() === "other") require("./labels");\n',
    },
    refused:
      /error: The program, which starts with index\.ts, does not declare all imported resources: the next update would delete 2 /,
  },
  "a program that the engine refuses": {
    files: { "Pulumi.yaml": project("index.ts"), "index.ts": 'throw new Error("not \\u0007today");\n' },
    fails: true,
    refused: /nothing was imported, because the program cannot be previewed: .*Error: not \\u\{7\}today/,
  },
};

/** Shapes with another stack in their project. */
const inTwoStacks = [
  "a project with only Pulumi.yaml",
  "main of Pulumi.yaml is a folder",
  "main of package.json is a file in a folder, and a name has an unpaired surrogate",
  "ES modules in TypeScript",
  "a program with the suffix .mts",
  "files with Windows line ends",
  "a byte order mark",
  "compiler settings that forbid unused names",
  "an exported function",
  "an entry file that imports other files",
  "names that the program already uses",
  "packages that are linked as in pnpm",
];
for (const name of inTwoStacks) {
  const { seen: _, ...shape } = shapes[name] as Shape;
  shapes[`two stacks: ${name}`] = { ...shape, shared: true };
}

const label = (name: string) => ({ name, matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] });

/**
 * The default shapes: those that an import once wrongly reported as done, and those that differ most. import-cases also
 * covers ES modules. `npm run test:long` tries all.
 */
const byDefault = new Set([
  "main of package.json is a file in a folder, and a name has an unpaired surrogate",
  "the program declares two of the records, one of them in a component",
  "files that the program loads only for another stack",
  "a program that the engine refuses",
  "two stacks: main of Pulumi.yaml is a folder",
]);
const tried = Object.entries(shapes).filter(([name]) => isLong || byDefault.has(name));

interface Done {
  stack: Stack;
  run: Run;
  /** The engine's preview afterwards, or undefined if the program cannot run. */
  preview: Run | undefined;
  /** The changes of another stack's next update, if the project has one. */
  others?: string[];
}
const done = new Map<string, Done>();

function titlesOf({ titles = ["Office", "Branch"] }: Shape): string[] {
  return titles;
}

async function imported(shape: Shape): Promise<Done> {
  const stack = await Stack.start({ agents: 0 }, "typescript");
  for (const name of ["Pulumi.yaml", "tsconfig.json"]) rmSync(join(stack.folder, name));
  for (const [name, text] of Object.entries(shape.files)) {
    mkdirSync(dirname(join(stack.folder, name)), { recursive: true });
    writeFileSync(join(stack.folder, name), text);
  }
  await create(stack, "label", titlesOf(shape).map(label));
  shape.prepare?.(stack);
  if (shape.checked && isLong) stack.environment["PULUMI_NODEJS_TRANSPILE_ONLY"] = "false";
  const cwd = join(stack.folder, shape.folder ?? "");
  if (shape.shared) await stack.add("prod");
  const run = await runCommand(["import", "--run", "--stack", "dev"], { cwd, env: stack.env });
  const preview = shape.fails ? undefined : await stack.run("preview", "--expect-no-changes", "--stack", "dev", "--cwd", cwd);
  if (!shape.shared) return { stack, run, preview };
  const { stdout } = await stack.must("preview", "--json", "--stack", "prod", "--cwd", cwd);
  const { steps } = JSON.parse(stdout) as { steps: { urn: string }[] };
  return { stack, run, preview, others: steps.map(({ urn }) => urn).filter((urn) => urn.includes(":Label::")) };
}

beforeAll(async () => {
  const waiting = [...tried];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done.set(next[0], await imported(next[1]));
  };
  await Promise.all([work(), work()]);
});
afterAll(() => Promise.all([...done.values()].map(({ stack }) => stack.end())));

test("the test table contains at least twenty project layouts", () => {
  expect(Object.keys(shapes).length).toBeGreaterThanOrEqual(20);
  expect([...byDefault].filter((name) => !(name in shapes))).toEqual([]);
});

const isRefused = ([, { refused }]: [string, Shape]): boolean => refused !== undefined;

test.each(tried.filter((shapeName) => !isRefused(shapeName)))(
  "import completes or reports why it cannot: %s",
  async (name, shape) => {
    const { stack, run, preview, others = [] } = done.get(name) as Done;
    expect(others).toEqual([]);
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(run.stdout).toContain(
      `Imported ${titlesOf(shape).length} resources into stack dev, protected.\nA preview shows no change of the imported resources.`,
    );
    expect(preview).toMatchObject({ code: 0, text: expect.stringMatching(/\d+ unchanged/) as unknown });
    expect(stack.resources()).toHaveLength(titlesOf(shape).length);
    expect(shape.checked && !isLong ? problemsIn(stack.folder) : "").toBe("");
    await shape.seen?.(stack, run);
  },
);

test.each(tried.filter(isRefused))("import refuses a project with the reason: %s", (name, { refused }) => {
  const { run, preview } = done.get(name) as Done;
  expect([run.code, run.text]).toEqual([1, expect.stringMatching(refused ?? /^$/)]);
  expect(preview?.code).not.toBe(0);
});

test("a second import adds only the new records", async () => {
  const { stack } = done.get("two stacks: main of Pulumi.yaml is a folder") as Done;
  await create(stack, "label", [label("Garage")]);
  expect(await stack.cli("import", "--run")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Imported 1 resource into stack dev, protected.") as unknown,
  });
  expect(await stack.cli("import", "--run")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing is new.") as unknown,
  });
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("import fails until the program loads the imported files", async () => {
  const { stack } = done.get("files that the program loads only for another stack") as Done;
  const again = await stack.cli("import", "--run");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("does not declare all imported resources")]);
  writeFileSync(join(stack.folder, "index.ts"), 'import "./labels";\n');
  expect((await stack.cli("import", "--run")).code).toBe(0);
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
});
