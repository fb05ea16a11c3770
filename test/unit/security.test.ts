/** What SECURITY.md and docs/security.md promise, held against the code. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allOperations, settings } from "../../api";
import { helpOf } from "../../cli/command/help";
import { allCommands } from "../../cli/command/list";
import { records, registry } from "../../provider/registry";
import * as sdk from "../../sdk";
import { undocumented } from "../support/kinds";
import { documented } from "./support/fixtures";

const root = join(__dirname, "../..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const pages = ["SECURITY.md", "docs/security.md"];
const page = read("docs/security.md");
const code = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner = ""]) => inner);

test("every operation stands in the table, with whether it changes something and the permission that it takes", () => {
  const rows = new Map(
    [...page.matchAll(/^\| `([a-zA-Z.]+)` \| `(\w+ \S+)` \| (\S+) \| (.+) \|$/gm)].map(([, id, ...rest]) => [id, rest]),
  );
  // The interface's own list, not the contract that the table is made from.
  const wanted = documented.map(({ id, method, path, permission }) => {
    const writes = method !== "GET" && !/\.filter(Multi)?$|^token\.issue$/.test(id);
    return [id, [`${method} ${path}`, writes ? "yes" : "-", permission ?? "-"]] as const;
  });
  expect(rows.size).toBe(allOperations.length);
  for (const id of undocumented.keys()) rows.delete(id);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(wanted));
});

test("every secret setting is among the credentials, and nothing else", () => {
  const secret = Object.entries(settings).flatMap(([name, setting]) => ("secret" in setting ? [[name, setting.env]] : []));
  const rows = [...page.matchAll(/^\| `endpoint-monitoring:(\w+)` \| `(\w+)` \| \S.{20,} \|$/gm)].map(([, name, env]) => [
    name,
    env,
  ]);
  expect(rows).toEqual(secret);
});

test("each row of the threat model names tests that there are, by their titles", () => {
  const [, section = ""] = page.split("\n## Threat model\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (\*\*.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
  expect(rows).toHaveLength(8);
  const missing = rows.flatMap(([who = "", ...cells]) => {
    const tests = [...(cells[2] ?? "").matchAll(/`(test\/[\w./-]+)` "([^"]+)"/g)].map(([, file = "", title = ""]) => [
      file,
      title,
    ]);
    const found = tests.filter(([file = "", title = ""]) => existsSync(join(root, file)) && hasTest(read(file), title));
    return cells.length === 4 && tests.length > 0 && found.length === tests.length ? [] : [[who, tests]];
  });
  expect(missing).toEqual([]);
});

/** Whether a file has a test of a title. */
function hasTest(text: string, title: string): boolean {
  return text.replace(/\(\s+/g, "(").includes(`("${title}",`);
}

describe.each(pages)("%s", (name) => {
  const text = read(name);

  test("names only commands, options of them and functions that there are", () => {
    const named = code(text);
    const run = named.flatMap((one) => /^(?:npx )?endpoint-monitoring ([a-z]+)/.exec(one)?.[1] ?? []);
    expect(run.length).toBeGreaterThan(0);
    expect(allCommands().map((command) => command.name)).toEqual(expect.arrayContaining(run));
    const ours = named.flatMap((one) => /^((?:get|regenerate)\w+)(?:\(\))?$/.exec(one)?.[1] ?? []);
    expect(Object.keys(sdk)).toEqual(expect.arrayContaining(ours));
    const help = allCommands()
      .map((command) => helpOf(command))
      .join();
    // Those of Pulumi and npm.
    const others = new Set(["--secret", "--save-plan", "--show-secrets"]);
    const options = named.flatMap((one) => one.match(/--[a-z-]+/g) ?? []).filter((option) => !others.has(option));
    for (const option of options) expect(help).toContain(option);
    const variables = named.flatMap((one) => one.match(/ENDPOINT_MONITORING_[A-Z_]+/g) ?? []);
    for (const variable of variables) expect(read("docs/settings.md")).toContain(variable);
  });

  test("leads only to files that there are", () => {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      expect([target, existsSync(join(root, dirname(name), target))]).toEqual([target, true]);
    }
  });
});

test("the supported version is the one of the package, and the README leads to the policy", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(read("SECURITY.md")).toContain(`| ${version.replace(/\.\d+$/, ".x")} | yes |`);
  expect(read("README.md")).toContain("(SECURITY.md)");
});

test("passwords are secret in the state whatever the program marks: every property that is never returned, but those that are none", () => {
  const classes = sdk as unknown as Record<string, { of?: { secrets: string[] } }>;
  const marked = Object.values(registry).flatMap(({ name }) => classes[name]?.of?.secrets ?? []);
  expect(new Set(marked)).toEqual(new Set(["password"]));
  const hidden = Object.values(records).flatMap(({ writeOnly }) => [...writeOnly]);
  expect(new Set(hidden)).toEqual(new Set(["password", "targetResponseTime"]));
});

describe("nothing of ours runs when the package is installed", () => {
  interface Manifest {
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  }
  const manifest = JSON.parse(read("package.json")) as Manifest;
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { hasInstallScript?: boolean; dependencies?: Record<string, string> }>;
  };

  test("it has no script that npm runs at an install", () => {
    const atInstall = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
    expect(atInstall.filter((name) => name in manifest.scripts)).toEqual([]);
    expect(existsSync(join(root, "binding.gyp"))).toBe(false);
  });

  test("none of the libraries that come with it has one", () => {
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const one of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) visit(one);
    };
    for (const name of Object.keys(manifest.dependencies)) visit(name);
    expect(seen.size).toBeGreaterThanOrEqual(Object.keys(manifest.dependencies).length);
    expect([...seen].filter((name) => packages[`node_modules/${name}`]?.hasInstallScript)).toEqual([]);
  });
});
