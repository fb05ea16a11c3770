import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isObject } from "../../provider/values";
import { UsageError } from "../command";
import { reasonOf } from "../files";
import { few } from "../report/text";

/** A secret that a program takes from the configuration. */
export interface RequestedSecret {
  readonly key: string;
  readonly property: string;
  /** Name of its resource, and id of its record. They identify the only secret of a resource, too. */
  readonly name: string;
  readonly id: string;
  readonly only: boolean;
}

/** Values of secrets that a person gave, by whatever names them: configuration key, resource name or id. */
export type GivenSecrets = ReadonlyMap<string, string>;

/** Reads a file of secrets, from the folder the command runs in. A value is never printed. @throws UsageError */
export function readSecrets(path: string, cwd: string): GivenSecrets {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(resolve(cwd, path), "utf8"));
  } catch (error) {
    // The message of a parser quotes the file.
    const why = error instanceof SyntaxError ? "it is no JSON" : reasonOf(error);
    throw new UsageError(`The secrets in ${path} cannot be read (${why})`, "work");
  }
  const usage = 'an object such as { "portalPassword": "…" }: configuration key, resource name or id, and the value';
  if (!isObject(parsed)) throw new UsageError(`${path} must hold ${usage}`, "work");
  const wrong = Object.entries(parsed).filter(([, value]) => typeof value !== "string" || value === "");
  if (wrong.length > 0) {
    throw new UsageError(`${path}: ${wrong.map(([name]) => name).join(", ")} must each be text that is not empty`, "work");
  }
  // Every value has just been seen to be a string.
  return new Map(Object.entries(parsed as Record<string, string>));
}

/**
 * The value of each secret that is asked for and known.
 *
 * @param known known names without a requested secret: of resources that are not imported now
 * @throws UsageError for entries that name nothing, or more than one thing, and for secrets with two values
 */
export function matchSecrets(
  given: GivenSecrets,
  asked: readonly RequestedSecret[],
  known: ReadonlySet<string>,
): { values: Map<RequestedSecret, string>; unused: string[] } {
  const values = new Map<RequestedSecret, string>();
  const [unused, unknown]: [string[], string[]] = [[], []];
  for (const [name, value] of given) {
    const byKey = asked.filter(({ key }) => key === name);
    const hits = byKey.length > 0 ? byKey : asked.filter((one) => one.name === name || one.id === name);
    const [hit, ...others] = hits;
    if (hit === undefined) {
      (known.has(name) ? unused : unknown).push(name);
      continue;
    }
    if (others.length > 0 || (byKey.length === 0 && !hit.only)) {
      throw new UsageError(
        `--secrets: "${name}" may be any of ${hits.map(({ key }) => key).join(", ")}: name one of them`,
        "work",
      );
    }
    if (values.has(hit) && values.get(hit) !== value) {
      throw new UsageError(`--secrets: ${hit.key} is given twice, with two values`, "work");
    }
    values.set(hit, value);
  }
  if (unknown.length > 0) {
    throw new UsageError(
      `--secrets: ${unknown.map((name) => `"${name}"`).join(", ")} ${unknown.length > 1 ? "name" : "names"} no secret of what is imported. ` +
        (asked.length > 0 ? `There are ${few(asked.map(({ key }) => key))}` : "Nothing of it has a secret"),
      "work",
    );
  }
  return { values, unused };
}
