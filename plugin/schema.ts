import { readFileSync } from "node:fs";
import { join } from "node:path";

interface PluginSchema {
  readonly functions: Readonly<Record<string, { inputs: { properties: Readonly<Record<string, object>> } }>>;
}

/** The schema beside the executable, in the package's folder, whether this runs built or from its source. */
export function schemaText(): string {
  const folder = __dirname.endsWith(join("dist", "plugin")) ? "../../plugin" : "";
  return readFileSync(join(__dirname, folder, "schema.json"), "utf8");
}

let parsed: PluginSchema | undefined;

/** Names of the arguments that a function takes. */
export function argumentsOf(token: string): string[] {
  const { functions } = (parsed ??= JSON.parse(schemaText()) as PluginSchema);
  return Object.keys(functions[token]?.inputs.properties ?? {});
}
