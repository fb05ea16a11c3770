/** The entry for the native plugin in a project file: comments and all other values stay. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { namesPlugin, pluginPath, withPlugin } from "../../cli/plugin-lines";

const path = "./node_modules/pulumi-endpoint-monitoring/plugin";
const shapes: Record<string, string> = {
  "the least": "name: a\nruntime: nodejs\n",
  "no line end at the end": "name: a\nruntime: nodejs",
  CRLF: "name: a\r\nruntime: nodejs\r\n",
  "CRLF without a line end at the end": "name: a\r\nruntime: nodejs",
  "comments and blank lines": "# Ours\nname: a # short\n\nruntime:\n  name: nodejs # the best\n\n# The end\n",
  packages: "name: a\npackages:\n  dns: ./dns # local\nruntime: nodejs\n",
  "other providers":
    "name: a\nplugins:\n  providers:\n    # of the network team\n    - name: dns # local\n      path: ./dns\nruntime: nodejs\n",
  "other providers at the end, indented by four":
    "name: a\nruntime: nodejs\nplugins:\n    providers:\n        - name: dns\n          path: ./dns",
  "other providers, whose dashes are not indented":
    "plugins:\n# one\n  providers:\n  - path: ./dns\n    name: dns\n\nname: a\nruntime: nodejs\n",
  "other kinds of plugins": "name: a\nplugins:\n  languages:\n    - name: l\n      path: ./l\nruntime: nodejs\n",
  "an end of the document": "name: a\nruntime: nodejs\n...\n",
  "a beginning of the document": "---\nname: a\nruntime: nodejs\n",
  "quoted keys": '"name": "a"\n"runtime": "nodejs"\n"plugins":\n  "providers":\n    - "name": "dns"\n      "path": "./dns"\n',
  "a byte order mark": "\uFEFFname: a\nruntime: nodejs\n",
  "text in blocks": "name: a\nruntime: nodejs\ndescription: |\n  plugins:\n    none\n",
  "plugins of something else": "name: a\nruntime: nodejs\nconfig:\n  plugins:\n    a: b\n",
  JSON: '{\n  "name": "a",\n  "runtime": "nodejs"\n}\n',
  "JSON with tabs and other providers":
    '{\n\t"plugins": {\n\t\t"providers": [\n\t\t\t{\n\t\t\t\t"name": "dns"\n\t\t\t}\n\t\t]\n\t},\n\t"name": "a"\n}',
};

describe.each(Object.entries(shapes))("a project file: %s", (_name, text) => {
  const added = withPlugin(text, path) ?? "";

  it("gets the entry, and keeps its values, comments, line ends and mark", () => {
    const before = parse(text) as { plugins?: { providers?: object[] } };
    const providers = [{ name: "endpoint-monitoring", path }, ...(before.plugins?.providers ?? [])];
    expect(parse(added)).toEqual({ ...before, plugins: { ...before.plugins, providers } });
    expect([namesPlugin(text), namesPlugin(added)]).toEqual([false, true]);
    for (const comment of text.match(/#.*/g) ?? []) expect(added).toContain(comment.trimEnd());
    expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text));
    expect([added.startsWith("\uFEFF"), added.endsWith("\n")]).toEqual([text.startsWith("\uFEFF"), text.endsWith("\n")]);
  });

  it("stays as it is if it has the entry", () => {
    expect(withPlugin(added, "./elsewhere")).toBe(added);
  });
});

const withoutPlugins = Object.values(shapes).filter((text) => !/^"?plugins"?:|^\{/m.test(text));

it.each(withoutPlugins)("keeps every line of a file without plugins: %j", (text) => {
  const lines = (withPlugin(text, path) ?? "").split(/\r?\n/);
  expect(lines).toEqual(expect.arrayContaining(text.split(/\r?\n/)));
});

it.each([
  "name: a\nplugins: # none yet\nruntime: nodejs\n",
  "name: a\r\nplugins:\r\n  providers: # none yet\r\nruntime: nodejs\r\n",
])("fills an empty list, and keeps its comment: %j", (text) => {
  const added = withPlugin(text, path) ?? "";
  const plugins = { providers: [{ name: "endpoint-monitoring", path }] };
  expect(parse(added)).toEqual({ name: "a", plugins, runtime: "nodejs" });
  expect(added).toContain("# none yet");
  expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text));
});

it.each([
  "{ name: a, runtime: nodejs } # Ours\n",
  "name: a\nplugins: { providers: [] }\n",
  "name: a\nplugins:\n  providers: [{ name: dns }]\n",
])("edits a file in braces: %j", (text) => {
  const added = withPlugin(text, path) ?? "";
  const before = parse(text) as { plugins?: { providers: object[] } };
  const providers = [{ name: "endpoint-monitoring", path }, ...(before.plugins?.providers ?? [])];
  expect(parse(added)).toEqual({ ...before, plugins: { providers } });
});

it.each(["name: a\nplugins: all\n", "name: a\nplugins:\n  providers: all\n", "name: a\nplugins: [a]\n"])(
  "does not edit what is no map of lists: %j",
  (text) => expect(withPlugin(text, path)).toBeUndefined(),
);

it("leads to where the package is installed: beside the project, or above it in a workspace", () => {
  const root = mkdtempSync(join(tmpdir(), "plugin-"));
  const project = join(root, "stacks/office");
  mkdirSync(project, { recursive: true });
  expect(pluginPath(project, project)).toBe(path);
  mkdirSync(join(root, "node_modules/pulumi-endpoint-monitoring/plugin"), { recursive: true });
  expect(pluginPath(project, project)).toBe("../../node_modules/pulumi-endpoint-monitoring/plugin");
  mkdirSync(join(project, "src/node_modules/pulumi-endpoint-monitoring/plugin"), { recursive: true });
  expect(pluginPath(project, join(project, "src"))).toBe("./src/node_modules/pulumi-endpoint-monitoring/plugin");
});
