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
  "other packages": "name: a\npackages:\n  # of the network team\n  dns: ./dns # local\nruntime: nodejs\n",
  "other packages at the end, indented by four": "name: a\nruntime: nodejs\npackages:\n    dns: ./dns\n    z: z@1.0.0",
  "packages that are not indented further than their comments": "packages:\n# one\n  dns: ./dns\n\nname: a\nruntime: nodejs\n",
  "an end of the document": "name: a\nruntime: nodejs\n...\n",
  "a beginning of the document": "---\nname: a\nruntime: nodejs\n",
  "quoted keys": '"name": "a"\n"runtime": "nodejs"\n"packages":\n  "dns": "./dns"\n',
  "a byte order mark": "\uFEFFname: a\nruntime: nodejs\n",
  "text in blocks": "name: a\nruntime: nodejs\ndescription: |\n  packages:\n    none\n",
  "packages of something else": "name: a\nruntime: nodejs\nplugins:\n  packages:\n    a: b\n",
  JSON: '{\n  "name": "a",\n  "runtime": "nodejs"\n}\n',
  "JSON with tabs and other packages": '{\n\t"name": "a",\n\t"packages": {\n\t\t"dns": "./dns"\n\t}\n}',
};

describe.each(Object.entries(shapes))("a project file: %s", (_name, text) => {
  const added = textOf(withPlugin(text, path));

  it("gets the entry, and says the same otherwise", () => {
    const before = parse(text) as { packages?: object };
    expect(parse(added)).toEqual({ ...before, packages: { ...before.packages, "endpoint-monitoring": path } });
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

it("keeps an empty list of packages, and fills it", () => {
  const added = textOf(withPlugin("name: a\npackages: # none yet\nruntime: nodejs\n", path));
  expect(added).toBe(`name: a\npackages: # none yet\n  endpoint-monitoring: ${path}\nruntime: nodejs\n`);
});

it("names the line of what it does not edit", () => {
  expect(textOf(withPlugin("name: a\npackages: { dns: ./dns }\n", path))).toBe("line 2 has its packages in braces");
  expect(textOf(withPlugin("{ name: a, runtime: nodejs }\n", path))).toBe("line 1 holds its keys in braces");
  const entry = "packages: { endpoint-monitoring: ./p }\n";
  expect(textOf(withoutPlugin(`name: a\n${entry}`))).toBe("line 2 has its packages in braces");
  expect(textOf(withoutPlugin("packages:\n  # the plugin\n  endpoint-monitoring: ./p\n"))).toBe(
    "line 3 has comments beside it",
  );
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
