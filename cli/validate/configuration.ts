import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../provider/values";
import { UsageError } from "../command";
import { messageOf } from "../report/text";

/** A stack's configuration as its file has it, by full keys. */
export interface StackConfiguration {
  readonly stack: string;
  readonly values: Readonly<Record<string, string>>;
  /** Keys of values that are encrypted. */
  readonly secrets: readonly string[];
}

/** What a program gets for a secret that is not decrypted: text, a number and JSON at once. */
const standIn = "0";

/** Name of a stack where the project has none yet. */
const noStack = "validate";

/**
 * Reads a stack's configuration from its file, without the engine.
 *
 * @param stack its name; otherwise the only stack that has a file
 * @throws UsageError where there is no such file, several, or one that cannot be read
 */
export function readConfiguration(folder: string, project: string, stack: string | undefined): StackConfiguration {
  const files = readdirSync(folder).flatMap((name) => /^Pulumi\.(.+)\.ya?ml$/.exec(name)?.[1] ?? []);
  const chosen = stack?.split("/").at(-1) ?? files[0];
  if (stack === undefined && files.length > 1) {
    throw new UsageError(`The project has several stacks: say --stack NAME, one of ${files.toSorted().join(", ")}`, "work");
  }
  if (chosen === undefined) return { stack: noStack, values: {}, secrets: [] };
  const file = ["yaml", "yml"].map((ending) => join(folder, `Pulumi.${chosen}.${ending}`)).find((one) => existsSync(one));
  if (file === undefined) return { stack: chosen, values: {}, secrets: [] };
  const config = configOf(file);
  const entries = Object.entries(config).map(
    ([name, value]) => [name.includes(":") ? name : `${project}:${name}`, value] as const,
  );
  return {
    stack: chosen,
    values: Object.fromEntries(entries.map(([key, value]) => [key, isSecret(value) ? standIn : textOf(value)])),
    secrets: entries.flatMap(([key, value]) => (isSecret(value) ? [key] : [])),
  };
}

function configOf(file: string): Record<string, unknown> {
  try {
    // Loaded when needed.
    const { parse } = require("yaml") as typeof import("yaml");
    const content: unknown = parse(readFileSync(file, "utf8"));
    const config = isObject(content) ? content["config"] : undefined;
    return isObject(config) ? config : {};
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${messageOf(error).split("\n")[0] ?? ""})`, "work");
  }
}

function isSecret(value: unknown): boolean {
  return isObject(value) && "secure" in value;
}

/** Objects and lists are JSON, as the engine hands them on. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
