/** The entry for the native plugin in a project file: all other text stays as it is, and taking it out gives the text from before. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { namedPlugin, pluginPath, withoutPlugin, withPlugin } from "../../cli/plugin-lines";

const path = "./node_modules/pulumi-endpoint-monitoring/plugin";
const textOf = (edit: ReturnType<typeof withPlugin>): string =>
  "text" in edit ? edit.text : `line ${edit.line} ${edit.reason}`;

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
  const added = textOf(withPlugin(text, path));

  it("gets the entry, and says the same otherwise", () => {
    const before = parse(text) as { plugins?: { providers?: object[] } };
    const providers = [{ name: "endpoint-monitoring", path }, ...(before.plugins?.providers ?? [])];
    expect(parse(added)).toEqual({ ...before, plugins: { ...before.plugins, providers } });
    expect(namedPlugin(added)).toMatchObject({ path });
    const lines = added.split(/\r?\n/);
    for (const line of text.split(/\r?\n/).filter((one) => !one.startsWith("\t") || !text.startsWith("{")))
      expect(lines.map((one) => one.replace(/,$/, ""))).toContain(line.replace(/,$/, ""));
    expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text));
  });

  it("stays as it is when it has the entry", () => {
    expect(textOf(withPlugin(added, "./elsewhere"))).toBe(
      text.startsWith("{") ? textOf(withPlugin(text, "./elsewhere")) : added,
    );
    expect(textOf(withPlugin(added, path))).toBe(added);
  });

  it("is what it was when the entry is taken out", () => {
    expect(textOf(withoutPlugin(added))).toBe(text);
    expect(textOf(withoutPlugin(text))).toBe(text);
  });
});

it.each([
  ["name: a\nplugins: # none yet\nruntime: nodejs\n", "plugins: # none yet\n  providers:\n"],
  ["name: a\r\nplugins:\r\n  providers: # none yet\r\nruntime: nodejs\r\n", "plugins:\r\n  providers: # none yet\r\n"],
])("keeps an empty list with its comment, and fills it: %j", (text, kept) => {
  const added = textOf(withPlugin(text, path));
  const plugins = { providers: [{ name: "endpoint-monitoring", path }] };
  expect(parse(added)).toEqual({ name: "a", plugins, runtime: "nodejs" });
  expect(added).toContain(kept);
  expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text));
});

it("names the line of what it does not edit", () => {
  const added = (text: string): string => textOf(withPlugin(text, path));
  expect(added("name: a\nplugins: { providers: [] }\n")).toBe("line 2 has its plugins in braces");
  expect(added("name: a\nplugins:\n  providers: []\n")).toBe("line 3 has its providers in a form that is not edited");
  expect(added("name: a\nplugins: all\n")).toBe("line 2 has its plugins in braces");
  expect(added("{ name: a, runtime: nodejs }\n")).toBe("line 1 holds its keys in braces");
  const removed = (text: string): string => textOf(withoutPlugin(text));
  expect(removed("name: a\nplugins: { providers: [{ name: endpoint-monitoring }] }\n")).toBe(
    "line 2 has its plugins in braces",
  );
  expect(removed("plugins:\n  providers:\n    # the plugin\n    - name: endpoint-monitoring\n      path: ./p\n")).toBe(
    "line 4 has comments beside it",
  );
});

it("takes out the provider alone, with members of any order, and leaves the others", () => {
  const ours = "    - path: ./p # ours\n      version: 0.1.0\n      name: endpoint-monitoring\n";
  const others = "plugins:\n  providers:\n    - name: dns\n";
  expect(textOf(withoutPlugin(`${others}${ours}name: a\n`))).toBe(`${others}name: a\n`);
});

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
