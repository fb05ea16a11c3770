import { readFileSync } from "node:fs";
import { join } from "node:path";

interface PluginSchema {
  readonly functions: Readonly<Record<string, { inputs: { properties: Readonly<Record<string, object>> } }>>;
}

/** Returns the package's schema. The file is next to the executable, in the build and in the sources. */
export function schemaText(): string {
  const folder = __dirname.endsWith(join("dist", "plugin")) ? "../../plugin" : "";
  return readFileSync(join(__dirname, folder, "schema.json"), "utf8");
}

let parsed: PluginSchema | undefined;

/** Returns the names of a function's arguments. */
export function argumentsOf(token: string): string[] {
  const { functions } = (parsed ??= JSON.parse(schemaText()) as PluginSchema);
  return Object.keys(functions[token]?.inputs.properties ?? {});
}
