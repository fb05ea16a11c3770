import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row";

const folder = join(__dirname, "rows");

/** Every module of `rows/`: those that look at what the others did come last. */
export function loadRows(): Row[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .toSorted();
  const rows = files.map((file) => rowOf(file, require(join(folder, file)) as Record<string, unknown>));
  return rows.toSorted((a, b) => Number(a.last ?? false) - Number(b.last ?? false));
}

/** A module is a row itself, or exports one. */
function rowOf(file: string, exported: Record<string, unknown>): Row {
  const found = [exported, ...Object.values(exported)].find(isRow);
  if (!found) throw new Error(`rows/${file} exports no row: { name, atLeast, run }`);
  return found;
}

function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null) return false;
  const { name, atLeast, run } = value as Partial<Row>;
  return typeof name === "string" && typeof atLeast === "number" && typeof run === "function";
}
