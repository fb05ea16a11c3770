import { readFileSync } from "node:fs";
import { join } from "node:path";

interface PluginSchema {
  readonly functions: Readonly<Record<string, { inputs: { properties: Readonly<Record<string, object>> } }>>;
}

/**
 * Returns the content of the package's schema file. The folder `plugin` contains the schema file, even for compiled modules in
 * `dist/plugin`.
 */
export function schemaText(): string {
  const folder = __dirname.endsWith(join("dist", "plugin")) ? "../../plugin" : "";
  return readFileSync(join(__dirname, folder, "schema.json"), "utf8");
}

let parsed: PluginSchema | undefined;

export function argumentsOf(token: string): string[] {
  const { functions } = (parsed ??= JSON.parse(schemaText()) as PluginSchema);
  return Object.keys(functions[token]?.inputs.properties ?? {});
}
