/** Checks a fresh clone for contributors: consistent versions, valid issue forms, and existing paths. */
import { publishedModules } from "../support/imports";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const root = join(__dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const json = (path: string): Record<string, unknown> => JSON.parse(read(path)) as Record<string, unknown>;

/** Each file and folder in the root of a clone. A new one needs a reason that a stranger would accept. */
const rootEntries = [
  ".ci .devcontainer .github api cli common docs emulator engine examples plan plugin policy program provider sdk skills test testing tools",
  "ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md llms.txt",
  ".editorconfig .gitattributes .gitignore .nvmrc .oxfmtrc.json .oxlintrc.json Pulumi.yaml jest.config.cjs package-lock.json package.json",
  "tsconfig.build.json tsconfig.json",
].flatMap((line) => line.split(" "));

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

it("the repository's root folder contains only the expected files and folders", () => {
  const tracked = git("ls-files", "-z").split("\0").filter(Boolean);
  const entries = new Set(tracked.map((path) => path.split("/")[0] ?? ""));
  const byName = (names: Iterable<string>): string[] => [...names].toSorted((a, b) => a.localeCompare(b));
  expect(byName(entries)).toEqual(byName(rootEntries));
});

it("git ignores logs, such as V8 profiles", () => {
  expect(() => git("check-ignore", "isolate-0x1-1-v8.log", "test/debug.log")).not.toThrow();
  expect(git("ls-files", "*.log")).toBe("");
});

it("all files agree on the Node version, the Go version and the line width", () => {
  const major = read(".nvmrc").trim();
  const { devDependencies } = json("package.json") as { devDependencies: Record<string, string> };
  expect(devDependencies["node"]).toMatch(new RegExp(`^${major}\\.`));
  for (const workflow of readdirSync(join(root, ".github/workflows"))) {
    const named = [...read(`.github/workflows/${workflow}`).matchAll(/node-version: (\S+)/g)].map(([, version]) => version);
    expect(named.every((version) => version === major)).toBe(true);
  }
  const container = json(".devcontainer/devcontainer.json") as { image: string; features: Record<string, { version: string }> };
  expect(container.image).toContain(`:${major}-`);
  const [, go = ""] = /^go (\d+\.\d+)/m.exec(read("tools/engine/go.mod")) ?? [];
  expect(container.features["ghcr.io/devcontainers/features/go:1"]?.version).toBe(go);
  expect(read(".editorconfig")).toContain(`max_line_length = ${String(json(".oxfmtrc.json")["printWidth"])}`);
});

interface Field {
  type: string;
  id?: string;
  attributes: { label?: string; value?: string; options?: string[] };
  validations?: { required: boolean };
}

const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");

it.each(forms)("the issue form %s has the required fields", (name) => {
  // The CI provider reads it. The expectations below check its type.
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as { name: string; description: string; body: Field[] };
  expect(form.name.length).toBeGreaterThan(3);
  expect(form.description.length).toBeGreaterThan(3);
  const inputs = form.body.filter(({ type }) => type !== "markdown");
  for (const { type, attributes } of form.body) {
    expect(["markdown", "textarea", "input", "dropdown", "checkboxes"]).toContain(type);
    expect((type === "markdown" ? attributes.value : attributes.label)?.length).toBeGreaterThan(3);
    expect(new Set(attributes.options).size > 1).toBe(type === "dropdown");
  }
  const ids = inputs.map(({ id }) => id);
  expect(ids.every((id) => /^[\w-]+$/.test(id ?? ""))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(inputs.some(({ validations }) => validations?.required)).toBe(true);
});

it.each(["ARCHITECTURE.md", "CONTRIBUTING.md", ".github/pull_request_template.md", "SECURITY.md"])(
  "every path in %s exists",
  (page) => {
    const phraseText = read(page).replaceAll(/```[\s\S]*?```/g, "");
    const named = [...phraseText.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path = ""]) => path);
    const isPackage = (path: string) =>
      /^(?:pulumi-endpoint-monitoring|actions)\//.test(path) || path.startsWith("shared/") || path.includes("VERSION");
    // A path is relative to its module, and sources and suites are named without extension.
    const rooms = ["", ...publishedModules, "docs", "test"];
    const exists = (path: string) =>
      rooms.some((room) => ["", ".ts", ".test.ts"].some((end) => existsSync(join(root, room, path + end))));
    expect(named.filter((path) => !isPackage(path) && !exists(path))).toEqual([]);
  },
);
