/** Tests `endpoint-monitoring init`: the files that it writes or keeps, and the commands that it prints. */
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { ownManifest } from "../../../../api/manifest";
import { projectName } from "../../../../cli/commands/init/templates";
import { type CommandRun, runCommand } from "../../../support/command";
import { repository } from "../../../support/process";
import { temporary } from "../../../support/temporary";

let parent: string;
let folder: string;
beforeEach(() => {
  parent = temporary();
  folder = join(parent, "monitoring");
  mkdirSync(folder);
});

interface Result {
  folder: string;
  files: { path: string; outcome: string; added?: string[] }[];
  emulator?: string;
  commands: string[];
}

function init(args: readonly string[] = [], agent?: string): Promise<CommandRun> {
  return runCommand(["init", ...args], { cwd: folder, env: agent === undefined ? {} : { npm_config_user_agent: agent } });
}

async function result(args: readonly string[] = [], agent?: string): Promise<Result & { of: Record<string, string[]> }> {
  const run = await init([...args, "--json"], agent);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const { data } = JSON.parse(run.stdout) as { data: Result };
  const of: Record<string, string[]> = {};
  for (const { path, outcome } of data.files) (of[outcome] ??= []).push(path);
  return { ...data, of };
}

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const text = (path: string): string => readFileSync(join(folder, path), "utf8");
const json = (path: string): Record<string, never> => JSON.parse(text(path)) as Record<string, never>;
const manifest = ownManifest();
const plugin = "./node_modules/pulumi-endpoint-monitoring/plugin";

describe("`init` in an empty folder", () => {
  it("`init` writes a project into an empty folder", async () => {
    const { of, commands } = await result();
    expect(of).toEqual({ created: ["Pulumi.yaml", "index.ts", "tsconfig.json", ".gitignore", "package.json"] });
    expect(readdirSync(folder).toSorted()).toEqual(of["created"]?.toSorted());
    expect(parse(text("Pulumi.yaml"))).toMatchObject({ name: "monitoring", main: "index.ts", runtime: { name: "nodejs" } });
    expect(json("package.json")).toMatchObject({
      type: "module",
      dependencies: {
        [manifest.name]: `file:${relative(realpathSync(folder), repository)}`,
        "@pulumi/pulumi": manifest.peerDependencies["@pulumi/pulumi"],
      },
      devDependencies: { typescript: "^6.0.0" },
    });
    expect(commands).toEqual([
      "npm install",
      "pulumi stack init dev",
      "pulumi config set endpoint-monitoring:baseUrl https://api.thousandeyes.com",
      "pulumi config set --secret endpoint-monitoring:token",
      "npx endpoint-monitoring validate",
      "pulumi preview",
    ]);
  });

  it("this package's own TypeScript and Node versions match the versions that `init` writes", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(__dirname, "../../../../package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    expect(devDependencies["typescript"]).toMatch(/^6\./);
    expect(manifest.engines.node).toBe(">=22.19.0");
  });

  it("`init --emulator` prints the command that starts the emulator", async () => {
    const { of, commands, emulator } = await result(["--emulator", "--port", "9001"]);
    expect(of["created"]).toContain("Pulumi.dev.yaml");
    expect(parse(text("Pulumi.dev.yaml"))).toEqual({
      config: { "endpoint-monitoring:baseUrl": "http://127.0.0.1:9001", "endpoint-monitoring:token": "emulator-token" },
    });
    expect(emulator).toBe("npx endpoint-monitoring emulator --port 9001 --data emulator.db");
    expect(text(".gitignore")).toContain("emulator.db");
    // The emulator is on this machine, and this machine's agent runs the test.
    expect(text("index.ts")).toContain('url: "http://127.0.0.1:9001"');
    expect(commands).toEqual(["npm install", "pulumi stack init dev", "npx endpoint-monitoring validate", "pulumi preview"]);
  });

  it("`init` prints the created files and the next commands", async () => {
    const run = await init(["--emulator"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toBe(`Created:
  Pulumi.yaml
  index.ts
  tsconfig.json
  .gitignore
  Pulumi.dev.yaml
  package.json

Next:
  npm install

In another terminal, keep this running:
  npx endpoint-monitoring emulator --port 8080 --data emulator.db

Then:
  pulumi stack init dev
  npx endpoint-monitoring validate
  pulumi preview
`);
  });

  it("`init --native` writes a project for the native plugin", async () => {
    const { of } = await result(["--native"]);
    expect(of).toEqual({ created: ["Pulumi.yaml", "index.ts", "tsconfig.json", ".gitignore", "package.json"] });
    expect(parse(text("Pulumi.yaml"))).toMatchObject({
      plugins: { providers: [{ name: "endpoint-monitoring", path: plugin }] },
    });
    expect(text("index.ts")).toContain('from "pulumi-endpoint-monitoring/native"');
    const { of: again, commands } = await result(["--native"]);
    expect(Object.keys(again)).toEqual(["kept"]);
    expect(commands.join()).not.toContain("migrate");
  });

  it("`init --dry-run` writes nothing", async () => {
    const run = await init(["--dry-run", "--emulator", "--ci", "github"]);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Would create:\n {2}Pulumi\.yaml\n/) });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a second run of `init` changes no files", async () => {
    await result(["--emulator"]);
    const before = readdirSync(folder).map((file) => text(file));
    const { of, commands } = await result(["--emulator"]);
    expect(Object.keys(of)).toEqual(["kept"]);
    expect(readdirSync(folder).map((file) => text(file))).toEqual(before);
    // The stack may have other settings by now, so the output sets them with commands.
    expect(commands).toContain("pulumi config set --stack dev endpoint-monitoring:baseUrl http://127.0.0.1:8080");
    expect(commands).toContain("pulumi config set --stack dev --secret endpoint-monitoring:token emulator-token");
  });
});

describe("project names that `init` chooses", () => {
  it.each([
    ["monitoring", "monitoring"],
    ["Zürich & Co.", "Zurich-Co"],
    ["@scope/x y", "scope-x-y"],
    ["...", "endpoint-monitoring"],
    ["監視", "endpoint-monitoring"],
    ["x".repeat(120), "x".repeat(100)],
  ])("`init` turns the folder name %s into the project name %s", (folderName, name) =>
    expect(projectName(folderName)).toBe(name),
  );
});

describe("the package manager that `init` uses", () => {
  it.each([
    ["pnpm", "pnpm/12.21.0 npm/? node/v24.0.0 linux x64", "pnpm install", "pnpm exec", ["pnpm-workspace.yaml"]],
    ["yarn", "yarn/4.18.1 npm/? node/v24.0.0 linux x64", "yarn install", "yarn", [".yarnrc.yml"]],
    ["yarn", "yarn/1.22.22 npm/? node/v24.0.0 linux x64", "yarn install", "yarn", [".yarnrc.yml"]],
    ["bun", "bun/1.3.0 npm/? node/v24.0.0 linux x64", "bun install", "bunx", []],
    ["npm", "npm/11.0.0 node/v24.0.0 linux x64", "npm install", "npx", []],
    ["npm", "something else", "npm install", "npx", []],
  ])("`init` uses the package manager %s if npm_config_user_agent is %s", async (name, agent, install, run, files) => {
    const { commands, of } = await result([], agent);
    expect(commands[0]).toBe(install);
    expect(commands).toContain(`${run} endpoint-monitoring validate`);
    expect(of["created"]).toEqual(expect.arrayContaining(files));
    expect(of["created"]).toHaveLength(5 + files.length);
    expect(parse(text("Pulumi.yaml"))).toMatchObject({ runtime: { options: { packagemanager: name } } });
  });

  it("`init` creates no pnpm-workspace.yaml inside an existing workspace", async () => {
    writeFileSync(join(parent, "pnpm-workspace.yaml"), "packages: ['*']\n");
    expect((await result([], "pnpm/12.21.0")).of["created"]).not.toContain("pnpm-workspace.yaml");
  });

  it("`init` prefers the folder's lock file, then the running package manager, then a parent's lock file", async () => {
    put({ "yarn.lock": "# yarn lockfile v1\n" });
    writeFileSync(join(parent, "pnpm-lock.yaml"), "");
    expect((await result(["--dry-run"], "npm/11.0.0")).commands[0]).toBe("yarn install");
    rmSync(join(folder, "yarn.lock"));
    expect((await result(["--dry-run"], "npm/11.0.0")).commands[0]).toBe("npm install");
    expect((await result(["--dry-run"])).commands[0]).toBe("pnpm install");
  });
});

describe("`init` with an existing package.json", () => {
  it("`init` keeps the versions and the style of an existing package.json", async () => {
    const before = `{\r\n\t"name": "mine",\r\n\t"dependencies": {\r\n\t\t"zod": "1.0.0",\r\n\t\t"${manifest.name}": "file:../x.tgz"\r\n\t},\r\n\t"devDependencies": {\r\n\t\t"typescript": "5.4.0"\r\n\t}\r\n}\r\n`;
    put({ "package.json": before });
    const { files } = await result();
    expect(files.at(-1)).toEqual({
      path: "package.json",
      outcome: "extended",
      added: ["type: module", "@pulumi/pulumi", "@types/node"],
    });
    const after = text("package.json");
    expect(after.match(/\n/g)).toHaveLength(after.match(/\r\n\t*["}]|\r\n$/g)?.length ?? 0);
    expect(JSON.parse(after)).toEqual({
      name: "mine",
      type: "module",
      dependencies: { "@pulumi/pulumi": "^3.254.0", [manifest.name]: "file:../x.tgz", zod: "1.0.0" },
      devDependencies: { "@types/node": "^22.19.0", typescript: "5.4.0" },
    });
  });

  it.each([
    ["names its file format", { "package.json": '{ "type": "commonjs" }' }, "commonjs"],
    ["has CommonJS files next to it", { "package.json": "{}", "jest.config.js": "module.exports = {};\n" }, undefined],
    ["belongs to a Pulumi project", { "package.json": "{}", "Pulumi.yaml": "name: mine\nruntime: nodejs\n" }, undefined],
  ])("`init` keeps the CommonJS format of a project if package.json %s", async (_, files, type) => {
    put(files);
    await result();
    expect(json("package.json")["type"]).toBe(type);
    expect(text("tsconfig.json")).not.toContain("verbatimModuleSyntax");
  });

  it.each(["{ oops", "[]", ""])("`init` reports an invalid package.json and writes nothing: %j", async (broken) => {
    put({ "package.json": broken });
    const run = await init();
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /^endpoint-monitoring init: \S+package\.json cannot be read, because it does not contain a JSON object\.\n$/,
    );
    expect(readdirSync(folder)).toEqual(["package.json"]);
  });
});

describe("`init` in a Pulumi project", () => {
  it("`init` keeps existing files and adds missing files", async () => {
    const before = {
      "Pulumi.yaml": "name: mine\nruntime: nodejs\n",
      "index.ts": "export {};\n",
      "Pulumi.prod.yaml": "config: {}\n",
    };
    put(before);
    const { of, commands } = await result();
    expect(of).toEqual({ kept: ["Pulumi.yaml", "index.ts"], created: ["tsconfig.json", ".gitignore", "package.json"] });
    for (const [path, content] of Object.entries(before)) expect(text(path)).toBe(content);
    // The project already has a stack.
    expect(commands).not.toContain("pulumi stack init dev");
    expect((await result(["--emulator"])).of["created"]).toEqual(["Pulumi.dev.yaml"]);
    expect(text("Pulumi.prod.yaml")).toBe(before["Pulumi.prod.yaml"]);
  });

  it("`init` writes a missing program", async () => {
    put({ "Pulumi.yaml": "name: mine\nruntime: nodejs\nmain: src/\n", "package.json": "{}" });
    const { of } = await result();
    expect(of["created"]).toEqual(expect.arrayContaining(["src/index.ts", "src/tsconfig.json"]));
    expect(text("src/index.ts")).toContain("import ");
    expect(json("package.json")).toHaveProperty("devDependencies");
  });

  it.each([
    "name: mine\nruntime: { name: nodejs, options: { typescript: false } }\n",
    "name: mine\nruntime: nodejs\nmain: app.mjs\n",
  ])("`init` refuses to write a program in JavaScript: %j", async (project) => {
    put({ "Pulumi.yaml": project });
    expect(await init()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`init` writes only TypeScript, but Pulumi.yaml"),
    });
    expect(readdirSync(folder)).toEqual(["Pulumi.yaml"]);
  });

  it("`init` does not replace an existing Pulumi.yml", async () => {
    put({ "Pulumi.yml": "name: mine\nruntime: nodejs\n" });
    expect((await result()).of["kept"]).toEqual(["Pulumi.yml"]);
    expect(readdirSync(folder)).not.toContain("Pulumi.yaml");
  });

  it("`init` adds the missing dependency to the package.json of a parent folder", async () => {
    writeFileSync(join(parent, "package.json"), '{ "dependencies": { "@pulumi/pulumi": "^3.200.0" } }');
    put({ "Pulumi.yaml": "name: mine\nruntime: nodejs\n", "index.js": "" });
    expect((await result()).files.at(-1)).toEqual({ path: "../package.json", outcome: "extended", added: [manifest.name] });
    expect(JSON.parse(readFileSync(join(parent, "package.json"), "utf8"))).toMatchObject({
      dependencies: { "@pulumi/pulumi": "^3.200.0", [manifest.name]: `file:${relative(realpathSync(parent), repository)}` },
    });
  });

  it("`init` refuses a project with package.yaml but without package.json", async () => {
    put({ "Pulumi.yaml": "name: mine\nruntime: nodejs\n", "index.js": "", "package.yaml": "name: mine # ours\n" });
    const refused = expect.stringContaining(
      "package.yaml is not supported. Convert package.yaml to package.json, then run `init`",
    );
    expect(await init()).toMatchObject({ code: 1, stderr: refused });
    expect(readdirSync(folder)).not.toContain("package.json");
  });

  it("`init` keeps an existing JavaScript program", async () => {
    put({ "Pulumi.yaml": "name: mine\nruntime: nodejs\n", "index.js": "// mine\n" });
    const { of } = await result();
    expect(of).toEqual({ kept: ["Pulumi.yaml", "index.js"], created: [".gitignore", "package.json"] });
  });

  it.each([
    ["name: mine\nruntime: python\n", "The project's runtime is python, but this command requires nodejs."],
    ["runtime: nodejs\n", "Pulumi.yaml cannot be read (it has no project name)."],
  ])("`init` refuses a project that it cannot extend: %j", async (project, reason) => {
    put({ "Pulumi.yaml": project });
    expect(await init()).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    expect(readdirSync(folder)).toEqual(["Pulumi.yaml"]);
  });
});

describe("requests that `init` refuses", () => {
  it.each([
    [["--ci", "jenkins"], '--ci takes github, gitlab, not "jenkins". Try'],
    [["--port", "8080"], "--port requires --emulator. Try"],
    [["--emulator", "--port", "0"], '--port takes a number from 1 to 65535, not "0". Try'],
    [["--emulator", "--port", "x"], '--port takes a whole number, not "x". Try'],
  ])("`init` refuses the arguments %j", async (args, reason) => {
    expect(await init(args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(reason) });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("`init` refuses a folder with a program but without a Pulumi project", async () => {
    put({ "index.ts": "startServer();\n" });
    const run = await init();
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("has no Pulumi.yaml, but contains index.ts, which Pulumi would run as the program");
    expect(readdirSync(folder)).toEqual(["index.ts"]);
  });

  it("`init` refuses a read-only folder", async () => {
    const run = await runCommand(["init"], { cwd: "/proc", env: {} });
    expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/Pulumi\.yaml cannot be written \(E/) });
  });
});

it("`init` keeps a symbolic link to a missing file", async () => {
  symlinkSync(join(folder, "elsewhere"), join(folder, ".gitignore"));
  expect((await result()).of["kept"]).toEqual([".gitignore"]);
});

describe("pipelines of `init --ci`", () => {
  const examples = join(__dirname, "../../../../examples/ci");
  const example = (file: string): string => readFileSync(join(examples, file), "utf8");

  it.each([
    ["github", ".github/workflows/endpoint-monitoring-review.yml", "github/endpoint-monitoring-review.yml", 4],
    ["gitlab", ".gitlab-ci.yml", "gitlab/.gitlab-ci.yml", 4],
  ] as const)("`init --ci %s` writes the same pipelines as the examples", async (ciProvider, place, file, count) => {
    const { of } = await result(["--ci", ciProvider]);
    expect(of["created"]).toContain(place);
    expect(text(place)).toBe(example(file));
    expect(of["created"]?.filter((path) => /^\.(?:github|gitlab)/.test(path))).toHaveLength(count);
  });

  it("`init --ci gitlab` does not change an existing .gitlab-ci.yml", async () => {
    put({ ".gitlab-ci.yml": "stages: [build]\n" });
    const { of } = await result(["--ci", "gitlab"]);
    expect(of["created"]).toContain(".gitlab/endpoint-monitoring.yml");
    expect(text(".gitlab-ci.yml")).toBe("stages: [build]\n");
  });

  it.each([
    [
      "github",
      "pnpm/12.0.0",
      ".github/endpoint-monitoring/action.yml",
      "corepack pnpm install --frozen-lockfile --ignore-scripts",
    ],
    ["gitlab", "yarn/4.0.0", ".gitlab/endpoint-monitoring.yml", "corepack yarn install --immutable --mode=skip-build"],
  ])("`init --ci %s` writes pipelines that install dependencies with %s", async (ciProvider, agent, file, line) => {
    await result(["--ci", ciProvider], agent);
    expect(text(file)).toContain(line);
    expect(text(file)).not.toContain("npm ci");
  });

  it.each([
    ["github", ".github/endpoint-monitoring/action.yml", 'cd "${PROJECT:-monitoring}"'],
    ["gitlab", ".gitlab/endpoint-monitoring.yml", "PROJECT: monitoring #"],
  ])("`init --ci %s` writes pipelines that run in the project's folder", async (ciProvider, file, line) => {
    mkdirSync(join(parent, ".git"));
    const { of } = await result(["--ci", ciProvider]);
    expect(of["created"]).toContain(join("..", file));
    expect(readFileSync(join(parent, file), "utf8")).toContain(line);
  });

  it("`init --ci` refuses a project path with characters that a shell interprets", async () => {
    mkdirSync(join(parent, ".git"));
    folder = join(parent, "$(id)");
    mkdirSync(folder);
    expect(await init(["--ci", "github"])).toMatchObject({ code: 1, stderr: expect.stringContaining('"$(id)"') });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("`init --ci` suggests no commands for settings that the stack already has", async () => {
    put({
      "Pulumi.yaml": "name: office\nruntime: nodejs\n",
      "index.ts": "",
      "Pulumi.dev.yaml": "config:\n  endpoint-monitoring:baseUrl: http://127.0.0.1:8080\n",
    });
    const { commands } = await result(["--ci", "github"]);
    expect(commands).toEqual(["npm install", "npx endpoint-monitoring validate", "pulumi preview"]);
  });

  it("`init --ci` writes all remaining files if it cannot write a pipeline file", async () => {
    put({ ".gitlab": "a file\n" });
    const run = await init(["--ci", "gitlab"]);
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\.gitlab\/endpoint-monitoring\.yml cannot be written \(E/),
    });
    rmSync(join(folder, ".gitlab"));
    expect((await result(["--ci", "gitlab"])).of["created"]).toEqual([
      ".gitlab/endpoint-monitoring.yml",
      ".gitlab/endpoint-monitoring-up.yml",
      ".gitlab/endpoint-monitoring-drift.yml",
      "package.json",
    ]);
  });
});

it("`init` writes a program without syntax errors", async () => {
  await result();
  const parsed = ts.transpileModule(text("index.ts"), { reportDiagnostics: true });
  expect(parsed.diagnostics).toEqual([]);
});

describe("`init --native` in an existing project", () => {
  const project = "# Ours\nname: office\nruntime: nodejs # 24\n";

  it("`init --native` adds the plugin to Pulumi.yaml", async () => {
    put({ "Pulumi.yaml": project, "index.ts": 'import { Label } from "pulumi-endpoint-monitoring";\n' });
    const dry = await init(["--native", "--dry-run"]);
    expect(dry.stdout).toContain("Would extend:\n  Pulumi.yaml (plugins.providers.endpoint-monitoring)");
    expect(text("Pulumi.yaml")).toBe(project);
    const run = await init(["--native", "--json"]);
    const { data, warnings } = JSON.parse(run.stdout) as { data: Result; warnings: string[] };
    expect(data.files).toContainEqual({
      path: "Pulumi.yaml",
      outcome: "extended",
      added: ["plugins.providers.endpoint-monitoring"],
    });
    expect(text("Pulumi.yaml")).toBe(
      `${project}plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ${plugin}\n`,
    );
    expect(text("index.ts")).toBe('import { Label } from "pulumi-endpoint-monitoring";\n');
    expect(warnings).toEqual([expect.stringContaining("Import them from pulumi-endpoint-monitoring/native instead")]);
  });

  it("`init --native` uses the package of a parent workspace", async () => {
    mkdirSync(join(parent, "node_modules/pulumi-endpoint-monitoring/plugin"), { recursive: true });
    put({ "Pulumi.yaml": project });
    await result(["--native"]);
    expect(parse(text("Pulumi.yaml"))).toMatchObject({
      plugins: { providers: [{ name: "endpoint-monitoring", path: "../node_modules/pulumi-endpoint-monitoring/plugin" }] },
    });
  });

  it("`init --native` prints the missing lines if it cannot edit Pulumi.yaml", async () => {
    put({ "Pulumi.yaml": "name: office\nruntime: nodejs\nplugins: all\n" });
    const run = await init(["--native"]);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain(
      "Pulumi.yaml already lists plugins, or does not use YAML block style. Add the following lines to the project file yourself:",
    );
    expect(run.stderr).toContain(`plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ${plugin}`);
    expect(readdirSync(folder)).toEqual(["Pulumi.yaml"]);
  });
});
