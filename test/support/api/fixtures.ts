import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../fixtures/service");

export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), "utf8"));
}

/** Names of all JSON bodies under `examples/`, without the suffix: `labels.get.response`, `assembled/errors.404.response`. */
export const exampleNames: readonly string[] = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(/\.json$/, ""))
  .toSorted();

export const example = (name: string): unknown => readFixture(`examples/${name}.json`);
