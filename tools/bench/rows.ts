import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row";

const folder = join(__dirname, "rows");

/** Every row that a module of `rows/` exports, by the names of the modules. */
export function loadRows(): Row[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const exported = files.toSorted().flatMap((file) => Object.values(require(join(folder, file)) as Record<string, unknown>));
  return exported.flat().filter(isRow);
}

function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null) return false;
  const { name, what, run } = value as Partial<Row>;
  return typeof name === "string" && typeof what === "string" && typeof run === "function";
}
