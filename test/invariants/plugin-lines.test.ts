/** Adds the native plugin to project files of different shapes. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { namesPlugin, pluginPath, withPlugin } from "../../cli/plugin-lines";
import { temporary } from "../support/temporary";

const path = "./node_modules/pulumi-endpoint-monitoring/plugin";
const shapes: Record<string, string> = {
  "only a name and a runtime": "name: a\nruntime: nodejs\n",
  "no line end at the end": "name: a\nruntime: nodejs",
  CRLF: "name: a\r\nruntime: nodejs\r\n",
  "CRLF without a line end at the end": "name: a\r\nruntime: nodejs",
  "comments and blank lines": "# Ours\nname: a # short\n\nruntime:\n  name: nodejs # the best\n\n# The end\n",
  packages: "name: a\npackages:\n  dns: ./dns # local\nruntime: nodejs\n",
  "an end of the document": "name: a\nruntime: nodejs\n...\n",
  "a beginning of the document": "---\nname: a\nruntime: nodejs\n",
  "quoted keys": '"name": "a"\n"runtime": "nodejs"\n',
  "a byte order mark": "\uFEFFname: a\nruntime: nodejs\n",
  "text in blocks": "name: a\nruntime: nodejs\ndescription: |\n  plugins:\n    none\n",
  "a plugins key in the configuration": "name: a\nruntime: nodejs\nconfig:\n  plugins:\n    a: b\n",
};

describe.each(Object.entries(shapes))("a project file with %s", (_name, text) => {
  const added = withPlugin(text, path) ?? "";

  it("init adds the plugin entry without other changes to the file", () => {
    const providers = [{ name: "endpoint-monitoring", path }];
    expect(parse(added)).toEqual({ ...(parse(text) as object), plugins: { providers } });
    expect([namesPlugin(text), namesPlugin(added)]).toEqual([false, true]);
    for (const line of text.split(/\r?\n/)) expect(added.split(/\r?\n/)).toContain(line);
    expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text));
    expect([added.startsWith("\uFEFF"), added.endsWith("\n")]).toEqual([text.startsWith("\uFEFF"), text.endsWith("\n")]);
  });

  it("init does not change a project file that already lists the plugin", () => {
    expect(withPlugin(added, "./elsewhere")).toBe(added);
  });
});

it.each([
  "name: a\nplugins:\n  providers:\n    - name: dns\n      path: ./dns\n",
  "name: a\nplugins:\n",
  "name: a\nplugins: { providers: [] }\n",
  "{ name: a, runtime: nodejs } # Ours\n",
  '{\n  "name": "a",\n  "runtime": "nodejs"\n}\n',
])("init does not edit a project file that lists other plugins or uses flow YAML: %j", (text) => {
  expect(withPlugin(text, path)).toBeUndefined();
});

it("init finds the installed package in the project or in a parent workspace", () => {
  const root = temporary();
  const project = join(root, "stacks/office");
  mkdirSync(project, { recursive: true });
  expect(pluginPath(project, project)).toBe(path);
  mkdirSync(join(root, "node_modules/pulumi-endpoint-monitoring/plugin"), { recursive: true });
  expect(pluginPath(project, project)).toBe("../../node_modules/pulumi-endpoint-monitoring/plugin");
  mkdirSync(join(project, "src/node_modules/pulumi-endpoint-monitoring/plugin"), { recursive: true });
  expect(pluginPath(project, join(project, "src"))).toBe("./src/node_modules/pulumi-endpoint-monitoring/plugin");
});
