/**
 * Builds a release without uploading it. Official commands install the release from a server on loopback into an empty Pulumi
 * home. A test's name lists the tools that the machine lacks.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { parse, stringify } from "yaml";
import { type Emulator, start } from "../../emulator";
import { absoluteLinks, downloadsOf } from "../../tools/release/addresses";
import { archiveName, launcher, thisPlatform } from "../../tools/release/archive";
import { type Manifest, nativePackageFiles, nativePackageName, type Words } from "../../tools/release/native-package";
import { pack, writeFiles } from "../../tools/release/pack";
import { amount, isLong } from "../support/amount";
import { endAll, repository, runNode } from "../support/process";
import { type ReleaseServer, startReleaseServer } from "./support/release-server";
import { brief, Shell } from "./support/shell";
import { temporary } from "../support/temporary";

const read = (path: string): string => readFileSync(path, "utf8");
const parsed = (path: string): Record<string, unknown> => JSON.parse(read(path)) as Record<string, unknown>;

const manifest = parsed(join(repository, "package.json")) as unknown as Manifest;
const { version } = manifest;
/** Another version number of the same package. */
const next = "99.0.0";
/** The same with another repository, because Go accepts no URL with a port. */
const elsewhere = "1.98.0";
const otherHome = "https://forge.example.com/owner/name";
const archive = archiveName(version, thisPlatform());
const plugin = "pulumi-resource-endpoint-monitoring";

const onPath = (command: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((directory) => join(directory, command))
    .find((path) => existsSync(path));
const isOnPath = (command: string): boolean => onPath(command) !== undefined;
/** The language host of a locally built engine is a script that finds Pulumi's SDK only in the project. */
const hasOfficialNodeHost = statSync(onPath("pulumi-language-nodejs") ?? "/").size > 1_000_000;

let root: string;
let out: string;
let server: ReleaseServer;
let emulator: Emulator;

beforeAll(async () => {
  root = temporary();
  out = join(root, "out");
  server = await startReleaseServer({ [version]: out, [next]: join(root, next), [elsewhere]: join(root, elsewhere) });
  emulator = await start({ rateLimit: "off" });
  const parts = ["packages", "archive", "checksums"].flatMap((part) => ["--part", part]);
  const made = await runNode(["tools/release/run.cjs", "--out", out, "--home", server.home, ...parts], {
    cwd: repository,
    bound: 300_000,
  });
  if (made.code !== 0) throw new Error(made.text);
});
afterAll(async () => {
  server.end();
  await emulator.close();
  await endAll();
});

/** Unpacks a release file. @returns the folder */
function unpacked(name: string): string {
  const folder = join(root, "unpacked", name);
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", join(out, name), "-C", folder]);
  return folder;
}

describe("archive of a release", () => {
  it("two archives of the same files have the same bytes", () => {
    const folder = (names: readonly string[], mode: number): string => {
      const made = mkdtempSync(join(root, "pack-"));
      writeFiles(
        made,
        names.map((name) => ({ name, content: name, executable: name === "bin/run" })),
      );
      for (const name of names) if (name !== "bin/run") chmodSync(join(made, name), mode);
      return made;
    };
    const [first, second] = [folder(["a", "bin/run", "z"], 0o644), folder(["z", "bin/run", "a"], 0o600)];
    utimesSync(join(second, "a"), 1_000_000, 1_000_000);
    for (const [at, made] of [first, second].entries()) pack(made, ["."], join(root, `${at}.tar.gz`));
    const listed = execFileSync("tar", ["-tvzf", join(root, "0.tar.gz")], { encoding: "utf8" });
    expect(listed.trim().split("\n")).toEqual([
      expect.stringMatching(/^-rw-r--r-- 0\/0 .* a$/),
      expect.stringMatching(/^-rwxr-xr-x 0\/0 .* bin\/run$/),
      expect.stringMatching(/^-rw-r--r-- 0\/0 .* z$/),
    ]);
    expect(readFileSync(join(root, "1.tar.gz")).equals(readFileSync(join(root, "0.tar.gz")))).toBe(true);
  });

  it("archiving fails with an error that names tar if tar is missing", () => {
    const path = process.env["PATH"];
    process.env["PATH"] = root;
    try {
      writeFiles(root, [{ name: "none", content: "" }]);
      expect(() => pack(root, ["none"], join(root, "none.tar.gz"))).toThrow("A release needs tar on PATH.");
    } finally {
      process.env["PATH"] = path;
    }
  });
});

describe("files of a release", () => {
  it("a release contains the npm packages, this platform's archive and checksums", () => {
    const files = [
      `pulumi-endpoint-monitoring-${version}.tgz`,
      `${nativePackageName}-${version}.tgz`,
      archive,
      archive.replace(".tar.gz", ".cdx.json"),
    ];
    expect(readdirSync(out).toSorted()).toEqual([...files, "SHA256SUMS"].toSorted());
    const lines = files.toSorted().map((name) => {
      const digest = createHash("sha256")
        .update(readFileSync(join(out, name)))
        .digest("hex");
      return `${digest}  ${name}\n`;
    });
    expect(read(join(out, "SHA256SUMS"))).toBe(lines.join(""));
  });

  it("the package, the schema and the README contain the repository's URL", () => {
    const ownFolder = join(unpacked(`pulumi-endpoint-monitoring-${version}.tgz`), "package");
    const download = `${server.home}/releases/download/v\${VERSION}`;
    const addresses = { homepage: server.home, repository: server.home, pluginDownloadURL: download };
    expect(parsed(join(ownFolder, "plugin/schema.json"))).toMatchObject({ ...addresses, version });
    expect(parsed(join(unpacked(archive), "schema.json"))).toEqual(parsed(join(ownFolder, "plugin/schema.json")));
    expect(parsed(join(ownFolder, "package.json"))).toMatchObject({ repository: { url: `git+${server.home}.git` } });
    const native = join(unpacked(`${nativePackageName}-${version}.tgz`), "package/package.json");
    expect(parsed(native)).toMatchObject({
      dependencies: { "pulumi-endpoint-monitoring": version },
      pulumi: { resource: true, name: "endpoint-monitoring", version, server: download },
    });
    const readme = read(join(ownFolder, "README.md"));
    const targets = Array.from(
      readme.matchAll(/\]\(([^)\s]+)|(?:src|href)="([^"]+)"/g),
      ([, link, source]) => link ?? source ?? "",
    );
    expect(targets.filter((target) => target.startsWith(server.home)).length).toBeGreaterThan(10);
    expect(targets.filter((target) => !/^(https?:|#)/.test(target))).toEqual([]);
  });

  it("the release lists each bundled library and Node with version and license", () => {
    const bill = parsed(join(out, archive.replace(".tar.gz", ".cdx.json"))) as {
      bomFormat: string;
      components: { name: string; version: string; licenses: unknown }[];
    };
    const dependencies = parsed(join(repository, "package.json"))["dependencies"] as Record<string, string>;
    const versions = Object.fromEntries(bill.components.map((component) => [component.name, component.version]));
    expect(bill.bomFormat).toBe("CycloneDX");
    expect(versions).toMatchObject({
      undici: dependencies["undici"],
      zod: dependencies["zod"],
      "@pulumi/pulumi": "3.270.0",
      node: process.versions.node,
    });
    // The archive does not contain the CLI.
    for (const name of ["yaml", "magic-string", "typescript"]) expect(versions).not.toHaveProperty(name);
    expect(bill.components.filter(({ licenses }) => !licenses)).toEqual([]);
    const texts = read(join(unpacked(archive), "THIRD-PARTY-LICENSES"));
    const untold = bill.components.filter(({ name, version: of }) => name !== "node" && !texts.includes(`${name} ${of} (`));
    expect(untold).toEqual([]);
  });
});

it("the README of a release contains only absolute links", () => {
  const located = { version: "1.2.3", repository: { url: "git+https://github.com/o/n.git" } };
  const text =
    '[a](docs/a.md#b) ![c](./c.png) [d](#d) <img src="p/e.svg"> [f](https://f.example.com/) [g](mailto:g@example.com)';
  const home = "https://github.com/o/n";
  expect(absoluteLinks(text, located)).toBe(
    `[a](${home}/blob/v1.2.3/docs/a.md#b) ![c](${home}/raw/v1.2.3/c.png) [d](#d) <img src="${home}/raw/v1.2.3/p/e.svg"> [f](https://f.example.com/) [g](mailto:g@example.com)`,
  );
  expect(absoluteLinks(text, { version: "1.2.3" })).toBe(text);
  expect(downloadsOf(located)).toBe("github://api.github.com/o/n");
});

/** Starts the plugin of a folder without a Node on PATH. @returns the version that it answers to the engine */
async function versionOf(folder: string): Promise<string> {
  const tools = join(root, "tools");
  if (!existsSync(tools)) {
    mkdirSync(tools);
    for (const name of ["sh", "readlink", "dirname"]) {
      symlinkSync(onPath(name) ?? "", join(tools, name));
    }
  }
  const child = spawn(join(folder, plugin), [], { cwd: root, env: { PATH: tools }, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`The plugin ended with ${code}.`)));
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const info = await new Promise<PluginInfo>((resolve, reject) => {
      client.getPluginInfo(new Empty(), (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    client.close();
    return info.getVersion();
  } finally {
    child.kill();
  }
}

it("the plugin in the archive starts without npm and without Node on the PATH", async () => {
  expect(await versionOf(unpacked(archive))).toBe(version);
});

if (isOnPath("go") && isLong)
  it("the compiled launcher for Windows starts the plugin", async () => {
    expect(launcher().subarray(0, 2).toString()).toBe("MZ");
    const folder = join(root, "launched");
    mkdirSync(folder);
    for (const name of ["node", "main.js", "plugin.js", "schema.json", "package.json"])
      symlinkSync(join(unpacked(archive), name), join(folder, name));
    writeFileSync(join(folder, plugin), launcher({}), { mode: 0o755 });
    expect(await versionOf(folder)).toBe(version);
  });
else if (!isOnPath("go"))
  it("the build of the launcher for Windows requires Go", () => {
    expect(() => launcher()).toThrow("go");
  });

/** A user's commands after the installation, up to an update. */
const begin = (): string[] => [
  "pulumi stack init dev",
  `pulumi config set endpoint-monitoring:baseUrl ${emulator.url}`,
  "pulumi config set --plaintext endpoint-monitoring:token emulator-token",
  "pulumi up",
];
/** The preview after the update, without changes. */
const unchanged = "pulumi preview --expect-no-changes";

/** Runs commands in a project with these files, in an empty Pulumi home. */
async function inProject(files: Readonly<Record<string, string>>, work: (shell: Shell) => Promise<void>): Promise<void> {
  // Compiling an SDK in Go takes minutes.
  const shell = new Shell(brief, 480_000);
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(shell.folder, name), text);
    await work(shell);
  } finally {
    await shell.end();
  }
}

const label = (name: string): string => `{ name: "${name}", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }`;

/**
 * Makes the archive of a version with another number and other parts of the schema. It is not compressed, because compression takes
 * ten seconds of CPU time. The archive of a release is compressed.
 */
function republish(as: string, addresses: object = {}): void {
  const [folder, changedFolder, packed] = [unpacked(archive), join(root, "changed", as), join(root, "changed", `${as}.tar`)];
  mkdirSync(changedFolder, { recursive: true });
  const changed: Record<string, object> = { "package.json": { version: as }, "schema.json": { version: as, ...addresses } };
  for (const [name, change] of Object.entries(changed))
    writeFileSync(join(changedFolder, name), JSON.stringify({ ...parsed(join(folder, name)), ...change }));
  const others = readdirSync(folder).filter((name) => !(name in changed));
  execFileSync("tar", ["-cf", packed, "-C", folder, ...others, "-C", changedFolder, ...Object.keys(changed)]);
  mkdirSync(join(root, as), { recursive: true });
  writeFileSync(join(root, as, archiveName(as, thisPlatform())), gzipSync(readFileSync(packed), { level: 0 }));
}

/** The next version, as its server has it. @returns the npm package of its native front */
function publishNext(): string {
  republish(next);
  const located = { ...manifest, repository: { url: `git+${server.home}.git` }, version: next };
  const native = nativePackageFiles(located, parsed(join(unpacked(archive), "schema.json")) as unknown as Words);
  const text = (native["package.json"] ?? "").replace(
    `"pulumi-endpoint-monitoring": "${next}"`,
    `"pulumi-endpoint-monitoring": "${version}"`,
  );
  const content = Object.entries({ ...native, "package.json": text }).map(([name, fileText]) => ({
    name: `package/${name}`,
    content: fileText,
  }));
  const file = join(root, next, `${nativePackageName}-${next}.tgz`);
  const folder = join(root, "changed", "native");
  writeFiles(folder, content);
  pack(folder, ["package"], file);
  return file;
}

// The short form runs one, because only the package manager differs.
describe.each(["npm", "pnpm", "yarn"].slice(0, amount(1, 3)))("TypeScript with %s", (manager) => {
  /** A fresh clone without an installation. The package is its tarball, because no registry has it. */
  const files = (): Record<string, string> => {
    const ownPackage = `file:${join(out, `pulumi-endpoint-monitoring-${version}.tgz`)}`;
    const override = { "pulumi-endpoint-monitoring": ownPackage };
    const dependencies = {
      "@pulumi/pulumi": "3.270.0",
      ...override,
      [nativePackageName]: `file:${join(out, `${nativePackageName}-${version}.tgz`)}`,
    };
    const devDependencies = { "@types/node": "24.19.2", typescript: "6.0.3" };
    return {
      "package.json": JSON.stringify({
        name: "monitoring",
        main: "index.ts",
        dependencies,
        devDependencies,
        resolutions: override,
      }),
      "pnpm-workspace.yaml": `allowBuilds:\n  protobufjs: false\noverrides:\n  pulumi-endpoint-monitoring: ${ownPackage}\n`,
      ".yarnrc.yml": "nodeLinker: node-modules\nenableImmutableInstalls: false\nenableGlobalCache: true\n",
      "yarn.lock": "",
      "tsconfig.json": read(join(repository, "examples/quickstart/tsconfig.json")),
      "Pulumi.yaml": `name: monitoring\nruntime:\n  name: nodejs\n  options:\n    packagemanager: ${manager}\n`,
      "index.ts": `import { Label } from "${nativePackageName}";\nexport const { id } = new Label("office", ${label(manager)}, { protect: false });\n`,
    };
  };

  const install = hasOfficialNodeHost ? ["pulumi install"] : [`${manager} install`, "pulumi install"];
  it(`a preview shows no changes after ${install.length + 4} commands in a fresh clone, including ${install.join(" and ")}`, async () => {
    const before = server.downloads.length;
    const commands = [...install, ...begin()];
    await inProject(files(), async (shell) => {
      expect(commands).toHaveLength(install.length + 4);
      for (const command of commands) await shell.run(command);
      expect(shell.printed).toContain("+ 2 created");
      await shell.run("npx tsc --noEmit");
      expect((await shell.run(unchanged)).stdout).toContain("2 unchanged");
      expect(server.downloads.slice(before)).toEqual([archive]);
      if (manager === "npm") await upgraded(shell);
      await shell.run("pulumi destroy");
    });
    console.log(
      [`TypeScript with ${manager}, in a fresh clone: ${commands.length} commands`, ...commands, unchanged].join("\n$ "),
    );
  });

  /** The next version, with a state of this version. */
  async function upgraded(shell: Shell): Promise<void> {
    const before = server.downloads.length;
    await shell.run(`npm install file:${publishNext()}`);
    await shell.run("pulumi install");
    expect(server.downloads.slice(before)).toEqual([archiveName(next, thisPlatform())]);
    expect((await shell.run(unchanged)).stdout).toContain("2 unchanged");
    expect((await shell.run("pulumi up")).stdout).toContain("2 unchanged");
    expect((await shell.run("pulumi refresh")).stdout).toContain("2 unchanged");
    expect((await shell.run("pulumi stack export")).stdout).toContain(`"version": "${next}"`);
  }
});

const page = read(join(repository, "docs/languages.md"));
/** The section of the documentation about the start with each language. */
const [, beginning = ""] = /## From an empty folder\n([^]*?)\n## /.exec(page) ?? [];
/** The commands of the section, in order. */
const documented = Array.from(/```sh\n([^]*?)```/.exec(beginning)?.[1]?.matchAll(/^\w.*$/gm) ?? [], ([line]) => line);
/** The rows of its table: a language's package source, and the number of commands up to the preview. */
const rows = new Map(
  Array.from(beginning.matchAll(/^\| (\w+)[^|]* \| `([^`]+)` \| (\d+) \|/gm), ([, language = "", add = "", count]) => [
    language,
    { add, count: Number(count) },
  ]),
);

/** A language: its template's files, which `pulumi new` downloads, and the file of the registry page's program. */
interface Language {
  readonly files: Readonly<Record<string, string>>;
  readonly program: string;
  readonly place?: string;
  readonly long?: boolean;
}
const ofNode = {
  name: "monitoring",
  main: "index.ts",
  dependencies: { "@pulumi/pulumi": "3.270.0" },
  devDependencies: { "@types/node": "24.19.2", typescript: "6.0.3" },
};
const languages: Record<string, Language> = {
  YAML: { files: { "Pulumi.yaml": "runtime: yaml\n" }, program: "Pulumi.yaml" },
  TypeScript: {
    files: {
      "Pulumi.yaml": "runtime: nodejs\n",
      "package.json": JSON.stringify(ofNode),
      "tsconfig.json": read(join(repository, "examples/quickstart/tsconfig.json")),
    },
    program: "index.ts",
    long: true,
  },
  Bun: {
    files: { "Pulumi.yaml": "runtime: bun\n", "package.json": JSON.stringify({ ...ofNode, type: "module" }) },
    program: "index.ts",
    long: true,
  },
  Python: {
    files: {
      "Pulumi.yaml": "runtime:\n  name: python\n  options:\n    toolchain: pip\n    virtualenv: venv\n",
      "requirements.txt": "pulumi==3.270.0\n",
      "__main__.py": "",
    },
    program: "__main__.py",
    long: true,
  },
  Go: {
    files: {
      "Pulumi.yaml": "runtime: go\n",
      "go.mod": "module monitoring\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.270.0\n",
      "main.go":
        'package main\n\nimport "github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n\nfunc main() {\n\tpulumi.Run(func(*pulumi.Context) error { return nil })\n}\n',
    },
    program: "main.go",
    long: true,
  },
  Java: {
    files: { "Pulumi.yaml": "runtime: java\n", "pom.xml": read(join(__dirname, "support/pom.xml")) },
    program: "App.java",
    place: "src/main/java/generated_program",
    long: true,
  },
  HCL: { files: { "Pulumi.yaml": "runtime: hcl\n" }, program: "main.tf", long: true },
};
const hosts: Readonly<Record<string, string>> = { TypeScript: "nodejs" };

it("the documentation contains the first steps in each language", () => {
  expect([...rows.keys()]).toEqual(["TypeScript", "Bun", "YAML", "Python", "Go", "Java", "HCL"]);
  expect(Object.keys(languages).toSorted()).toEqual([...rows.keys()].toSorted());
  expect(documented).toHaveLength(6);
});

// The host that is a script installs no project, so it tests TypeScript only in a clone (above).
const begun = Object.entries(languages).filter(([language]) => hasOfficialNodeHost || language !== "TypeScript");
describe.each(begun)("%s in an empty folder", (language, { files, program, place = ".", long = false }) => {
  const host = `pulumi-language-${hosts[language] ?? language.toLowerCase()}`;
  const { add = "", count = 0 } = rows.get(language) ?? {};
  const missing = [host, ...(language === "Bun" ? ["bun"] : [])].filter((name) => !isOnPath(name));
  if (missing.length > 0)
    it(`the engine reports that ${missing.join(" and ")} is missing on this machine`, async () => {
      await inProject({ ...files, "Pulumi.yaml": `name: monitoring\n${files["Pulumi.yaml"]}` }, async (shell) => {
        // The engine would download the host of HCL, but the proxy refuses connections.
        await expect(shell.run("HTTPS_PROXY=http://127.0.0.1:1 pulumi install")).rejects.toThrow(missing[0]);
      });
    });
  else if (!long || isLong)
    it(`a preview shows no changes after the ${count} documented commands`, async () => {
      const before = server.downloads.length;
      const of = language === "Go" ? elsewhere : version;
      const addresses = { homepage: otherHome, repository: otherHome, pluginDownloadURL: `${otherHome}/plugins` };
      if (of === elsewhere) republish(elsewhere, addresses);
      const url = downloadsOf({ ...manifest, repository: server.home });
      const nativePackage = join(out, `${nativePackageName}-${version}.tgz`);
      // Bun gets the dependency from the command line, npm from an override.
      const packed =
        language === "Bun" ? `${nativePackage} ${join(out, `pulumi-endpoint-monitoring-${version}.tgz`)}` : nativePackage;
      /** The documented commands, with local files instead of a registry and a release server. */
      const typed = (line: string): string =>
        line
          .replace(
            "pulumi new LANGUAGE",
            `pulumi new ${join(root, language)} --name monitoring --description d --stack dev --yes`,
          )
          .replace(new RegExp(`^(npm install|bun add) ${nativePackageName}$`), `$1 ${packed}`)
          .replace("VERSION --server URL", `${of} --server '${url}'`)
          .replace("https://api.example.com", emulator.url)
          .replace(/--secret (\S+)$/, "--secret $1 emulator-token");
      const [first = "", ...rest] = add.split(" && ");
      const commands = documented.flatMap((line) =>
        line === "ADD" ? [first] : line === "pulumi up" ? [...rest, line] : [line],
      );
      expect(commands).toHaveLength(count);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(root, language), { recursive: true });
        writeFileSync(join(root, language, name), name === "Pulumi.yaml" ? `name: \${PROJECT}\n${text}` : text);
        // The dependency also comes from a local file.
        if (name === "package.json") withOverride(join(root, language, name));
      }
      await inProject({}, async (shell) => {
        for (const command of commands) {
          await shell.run(typed(command));
          // The program is written after the package's installation.
          if (command === first) await written(shell, program, place);
        }
        expect(shell.printed).toContain("+ 4 created");
        expect(shell.printed).toContain("4 unchanged");
        // npm's package contains no plugin, so the engine downloads it for the program as well.
        expect(server.downloads.slice(before)).toEqual([archiveName(of, thisPlatform())]);
        await shell.run("pulumi destroy");
      });
      console.log([`${language}, from an empty folder: ${count} commands`, ...commands].join("\n$ "));
    });
});

function withOverride(path: string): void {
  const overrides = { "pulumi-endpoint-monitoring": `file:${join(out, `pulumi-endpoint-monitoring-${version}.tgz`)}` };
  writeFileSync(path, JSON.stringify({ ...parsed(path), overrides }));
}

/** The registry page's program in a language. Only the documentation has the one in HCL. */
function programOf(file: string): string {
  const fences: Readonly<Record<string, string>> = { ts: "typescript", py: "python", tf: "hcl" };
  const [, suffix = ""] = file.split(".");
  const language = fences[suffix] ?? suffix;
  const documentation = read(join(repository, language === "hcl" ? "docs/recipes.md" : "docs/_index.md"));
  const text = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\`\n`).exec(documentation)?.[1];
  if (text === undefined) throw new Error(`The documentation has no program in ${language}.`);
  return `${text}\n`;
}

/** A project file with the configuration and the resources of a program in YAML. */
function merged(project: string, program: string): string {
  const current = parse(project) as Record<string, object>;
  const { config, resources, outputs } = parse(program) as Record<string, object>;
  return stringify({ ...current, config: { ...current["config"], ...config }, resources, outputs });
}

/** Writes the program into a project, and sets its password. */
async function written(shell: Shell, program: string, place: string): Promise<void> {
  const text = programOf(program).replace("example.com/pulumi-endpoint-monitoring", "forge.example.com/owner/name");
  const path = join(shell.folder, place, program);
  mkdirSync(join(shell.folder, place), { recursive: true });
  writeFileSync(path, program === "Pulumi.yaml" ? merged(read(path), text) : text);
  await shell.run("pulumi config set --secret probePassword first-passw0rd");
}
