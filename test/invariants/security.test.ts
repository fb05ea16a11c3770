/** Checks the promises of SECURITY.md and docs/security.md against the code. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { settings } from "../../api";
import { helpOf } from "../../cli/command/help";
import { allCommands } from "../../cli/command/list";
import { records, registry } from "../../provider/registry";
import * as sdk from "../../sdk";
import { undocumented } from "../support/kinds";
import { documented } from "../support/api/document";

const root = join(__dirname, "../..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const pages = ["SECURITY.md", "docs/security.md"];
const page = read("docs/security.md");
const code = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner = ""]) => inner);

test("the permission tables in docs/security.md list each operation that writes", () => {
  const rows = new Map(
    [...page.matchAll(/^\| `([a-zA-Z.]+)` \| `(\w+ \S+)` \| (.+) \|$/gm)].map(([, id, ...rest]) => [id, rest]),
  );
  // The API's own list, not the contract that generates the tables.
  const listed = documented.flatMap(({ id, method, path, permission }) => {
    const writes = method !== "GET" && !/\.filter(Multi)?$|^token\.issue$/.test(id);
    return writes || permission ? [[id, [`${method} ${path}`, permission ?? "-"]] as const] : [];
  });
  for (const id of undocumented.keys()) rows.delete(id);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(listed));
});

test("docs/security.md lists exactly the secret settings as credentials", () => {
  const secret = Object.entries(settings).flatMap(([name, setting]) => ("secret" in setting ? [[name, setting.env]] : []));
  const rows = [...page.matchAll(/^\| `endpoint-monitoring:(\w+)` \| `(\w+)` \| \S.{20,} \|$/gm)].map(([, name, env]) => [
    name,
    env,
  ]);
  expect(rows).toEqual(secret);
});

/** Files and titles of the tests that show the protections against each attacker of the threat model. */
const tests: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  "A fork": [
    ["test/ci/github-steps.test.ts", "a fork's pull request runs nothing, and its job fails with instructions"],
    ["test/ci/gitlab-steps.test.ts", "the pipeline of a fork runs only one job, which fails with instructions"],
    ["test/ci/schemas.test.ts", "no job with secrets runs the code of a fork"],
    [
      "test/ci/github-approval.test.ts",
      "a merge ignores approvals from other pull requests, branches, workflows, events or forks",
    ],
    ["test/ci/gitlab-approval.test.ts", "a merge ignores approvals from a fork or another commit, branch, job or event"],
  ],
  "A collaborator": [
    ["test/plan/address.test.ts", "the review stops before it sends a request if the base URL has an unknown host"],
    ["test/plan/address.test.ts", "the review stops if a provider in the program and the stack use different hosts: %s"],
    ["test/real/elsewhere.test.ts", "no command that runs the program sends a request to an unknown host"],
    ["test/real/address.test.ts", "no command sends a request to a host that ENDPOINT_MONITORING_ALLOWED_HOSTS does not list"],
    ["test/ci/github-approval.test.ts", "a merge applies the approved review instead of a later, different review"],
    ["test/ci/gitlab-approval.test.ts", "a merge applies the approved review instead of a later, different review"],
    ["test/invariants/approval-attacks.test.ts", "apply refuses edited approvals but accepts the original approval"],
    ["test/ci/exposure.test.ts", "each process of a GitLab job sees only its own variables"],
  ],
  "A user who names records": [
    ["test/invariants/hostile-names.test.ts", "every block of a report escapes hostile names"],
    ["test/invariants/hostile-names.test.ts", "progress, warnings and errors escape hostile names"],
    ["test/emulator/page/page.test.ts", "200 hostile names add no control characters, elements or script links to a page"],
  ],
  "A hostile service": [
    ["test/api/pages.test.ts", "the client never follows a next link to another host or path"],
    [
      "test/invariants/other-servers-resources.test.ts",
      "a response from another server neither deletes a record nor marks a record as deleted",
    ],
    ["test/provider/lifecycle.test.ts", "a resource stays in the state if the credentials cannot see its account group"],
    [
      "test/invariants/recorded-errors.test.ts",
      "an error hides a secret that the service repeats, both in its message and in its fields",
    ],
  ],
  "Another user of the machine": [
    ["test/provider/compile-cache.test.ts", "the compile cache is not in the shared temporary folder"],
    ["test/provider/open-log.test.ts", "the operation log rejects shared folders, links and folders of other users"],
    ["test/common/files.test.ts", "only the owner can read a file with secrets"],
    ["test/common/files.test.ts", "the temporary folder is never a link or a folder that another user created"],
    ["test/invariants/emulator-hosts.test.ts", "the emulator answers only requests for loopback host names"],
  ],
  "The network": [
    ["test/real/mistakes.test.ts", "a preview rejects plain HTTP to a remote host"],
    ["test/api/proxy.test.ts", "the client reports a certificate error behind a proxy as a TLS error"],
    ["test/api/proxy.test.ts", "the client decodes percent-encoded credentials in the proxy's URL"],
  ],
  "A dependency": [
    ["test/invariants/security.test.ts", "npm runs no install script of the package"],
    ["test/invariants/security.test.ts", "npm runs no install script of the package's dependencies"],
    ["test/ci/schemas.test.ts", "the pipelines use fixed versions and pipe no installer into a shell"],
    ["test/ci/schemas.test.ts", "the workflows pin every action to a commit and keep no token after a checkout"],
    ["test/ci/schemas.test.ts", "the workflows use no cache"],
    ["test/ci/exposure.test.ts", "GitHub shows each process only its secrets"],
  ],
  "A user who may push a tag": [
    ["test/invariants/workflows.test.ts", "a release requires a tag, runs the long tests and publishes with provenance"],
    [
      "test/invariants/release-settings.test.ts",
      "the check of the repository settings confirms each setting that tools/release/README.md lists",
    ],
  ],
};

test("each test that the threat model names exists", () => {
  const attackers = [...page.matchAll(/^\| \*\*(.+?)\*\*.* \|$/gm)].map(([, attacker]) => attacker);
  expect(attackers).toEqual(Object.keys(tests));
  const missing = Object.values(tests)
    .flat()
    .filter(([file, title]) => !existsSync(join(root, file)) || !hasTest(read(file), title));
  expect(missing).toEqual([]);
});

/** Whether a file has a test with a title. */
function hasTest(text: string, title: string): boolean {
  return text.replace(/\(\s+/g, "(").includes(`("${title}",`);
}

describe.each(pages)("the page %s", (name) => {
  const text = read(name);

  test("the page names only commands, options and functions that exist", () => {
    const named = code(text);
    const run = named.flatMap((word) => /^(?:npx )?endpoint-monitoring ([a-z]+)/.exec(word)?.[1] ?? []);
    expect(run.length).toBeGreaterThan(0);
    expect(allCommands().map((command) => command.name)).toEqual(expect.arrayContaining(run));
    const ours = named.flatMap((word) => /^((?:get|regenerate)\w+)(?:\(\))?$/.exec(word)?.[1] ?? []);
    expect(Object.keys(sdk)).toEqual(expect.arrayContaining(ours));
    const help = allCommands()
      .map((command) => helpOf(command))
      .join();
    // Options of Pulumi and npm.
    const others = new Set(["--secret", "--save-plan", "--show-secrets", "--run-program"]);
    const options = named.flatMap((word) => word.match(/--[a-z-]+/g) ?? []).filter((option) => !others.has(option));
    for (const option of options) expect(help).toContain(option);
    const variables = named.flatMap((word) => word.match(/ENDPOINT_MONITORING_[A-Z_]+/g) ?? []);
    for (const variable of variables) expect(read("docs/settings.md")).toContain(variable);
  });

  test("the page links only to files that exist", () => {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      expect([target, existsSync(join(root, dirname(name), target))]).toEqual([target, true]);
    }
  });
});

test("SECURITY.md names the supported version", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(read("SECURITY.md")).toContain(`| ${version.replace(/\.\d+$/, ".x")} | yes |`);
  expect(read("README.md")).toContain("(SECURITY.md)");
});

test("only password properties are both write-only and always secret", () => {
  const classes = sdk as unknown as Record<string, { of?: { secrets: string[] } }>;
  const marked = Object.values(registry).flatMap(({ name }) => classes[name]?.of?.secrets ?? []);
  expect(new Set(marked)).toEqual(new Set(["password"]));
  const hidden = Object.values(records).flatMap(({ writeOnly }) => [...writeOnly]);
  expect(new Set(hidden)).toEqual(new Set(["password", "targetResponseTime"]));
});

describe("installation of the package", () => {
  interface Manifest {
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  }
  const manifest = JSON.parse(read("package.json")) as Manifest;
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { hasInstallScript?: boolean; dependencies?: Record<string, string> }>;
  };

  test("npm runs no install script of the package", () => {
    const atInstall = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
    expect(atInstall.filter((name) => name in manifest.scripts)).toEqual([]);
    expect(existsSync(join(root, "binding.gyp"))).toBe(false);
  });

  test("npm runs no install script of the package's dependencies", () => {
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const dependency of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) visit(dependency);
    };
    for (const name of Object.keys(manifest.dependencies)) visit(name);
    expect(seen.size).toBeGreaterThanOrEqual(Object.keys(manifest.dependencies).length);
    expect([...seen].filter((name) => packages[`node_modules/${name}`]?.hasInstallScript)).toEqual([]);
  });
});
