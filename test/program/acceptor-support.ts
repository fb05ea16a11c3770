import { runInNewContext } from "node:vm";
import ts from "typescript";
import * as yaml from "yaml";
import { Acceptor } from "../../program/acceptor";
import type { AcceptedChange, AcceptedResource, Acceptance, ObservedResource } from "../../program/acceptance";
import { placeText } from "../../program/declarations";
import { ProgramSource } from "../../program/program-source";
import type { Kind } from "../../provider/kind";
import { registry, type KindName } from "../../provider/registry";
import type { Properties } from "../../provider/values";

/** A resource in a stack's state. */
export function resource(kindName: KindName, name: string, more: Partial<AcceptedResource> = {}): AcceptedResource {
  const kind: Kind = registry[kindName];
  const secrets = new Set(kind.secrets);
  return { stack: "dev", name, kindName, kind, id: `id-of-${name}`, inputs: {}, secrets, ...more };
}

/** Changes to properties to these values. Undefined removes a property. */
export function changes(values: Record<string, unknown>): AcceptedChange[] {
  return Object.entries(values).map(([property, after]) =>
    after === undefined ? { property, how: "removed" } : { property, how: "changed", after },
  );
}

export async function acceptIn(files: Record<string, string>, realities: readonly ObservedResource[]): Promise<Acceptance> {
  return new Acceptor(await ProgramSource.of("/nowhere", files)).accept(realities);
}

/** The reasons for unplaced changes, one per line. */
export function refusalsOf({ refused }: Acceptance): string[] {
  return refused.map(
    ({ resource: { name }, property, reason, position }) =>
      `${name}.${property} ${reason}${position ? ` (${placeText(position)})` : ""}`,
  );
}

/** A resource that a program declares when it runs. */
export interface Declared {
  kindName: KindName;
  name: string;
  args: Properties;
}

const compiled = new Map<string, string>();

/** Returns the JavaScript of a file. Programs run again after an edit, mostly with the same files. */
function javascriptOf(path: string, text: string): string {
  const key = `${path}\n${text}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileModule(text, {
    // Whatever the kind of modules, they are loaded with `require` here.
    fileName: path.replace(/\.[cm](?=[jt]s$)/, "."),
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, allowJs: true },
  });
  compiled.set(key, outputText);
  return outputText;
}

/**
 * Runs a program and returns the resources that it declares.
 *
 * @param files its files by path; the first is the entry file
 * @param config values of its configuration
 * @param idOf the id of a resource
 */
export function declaredBy(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, unknown>> = {},
  idOf = (_kindName: KindName, name: string): string => `id-of-${name}`,
): Declared[] {
  const declared: Declared[] = [];
  const classes = (Object.keys(registry) as KindName[]).map((kindName) => [
    registry[kindName].name,
    // Called with `new`, as a class is.
    function construct(this: { id: string }, name: string, args: Properties) {
      this.id = idOf(kindName, name);
      declared.push({ kindName, name, args });
    },
  ]);
  const read = (key: string): unknown => config[key];
  const Config = function construct(this: object) {
    const names = [
      "get",
      "getNumber",
      "getBoolean",
      "getSecret",
      "require",
      "requireNumber",
      "requireBoolean",
      "requireSecret",
    ];
    Object.assign(this, Object.fromEntries(names.map((name) => [name, read])));
  };
  const packages: Record<string, object> = {
    "node:fs": { readFileSync: (path: string) => files[path.replace(/^\.\//, "")] },
    "pulumi-endpoint-monitoring": Object.fromEntries(classes) as object,
    "@pulumi/pulumi": { Config },
    yaml,
  };
  const loaded = new Map<string, { exports: object }>();
  const load = (path: string): object => {
    const known = loaded.get(path);
    if (known) return known.exports;
    if (path.endsWith(".json")) {
      // An ES module imports the content as the default export.
      const content = JSON.parse(files[path] ?? "") as object;
      return Object.defineProperty(content, "default", { value: content });
    }
    const outputText = javascriptOf(path, files[path] ?? "");
    const module = { exports: {} };
    loaded.set(path, module);
    const require = (name: string): object => {
      const required = Object.keys(files).find((file) => file.replace(/\.\w+$/, "") === name.replace(/^\.\/|\.\w+$/g, ""));
      return packages[name] ?? load(required ?? name);
    };
    runInNewContext(outputText, { JSON, module, exports: module.exports, require, console: { log: () => undefined } });
    return module.exports;
  };
  load(Object.keys(files)[0] ?? "");
  return declared;
}
