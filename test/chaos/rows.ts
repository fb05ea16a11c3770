import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row";

const folder = join(__dirname, "rows");

/** Returns each row that a module of `rows/` exports, with rows that evaluate the others last. */
export function loadRows(): Row[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const exported = files.toSorted().flatMap((file) => Object.values(require(join(folder, file)) as Record<string, unknown>));
  // A module may also export a list of rows.
  const exportedRows = exported.flat().filter(isRow);
  const rows = [...new Map(exportedRows.map((row) => [row.name, row])).values()];
  // Rows with the most time come after rows that may leave some of theirs.
  const place = ({ weight = 1, last = false }: Row): number => weight + (last ? 1_000 : 0);
  return rows.toSorted((a, b) => place(a) - place(b));
}

function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null) return false;
  const { name, atLeast, run } = value as Partial<Row>;
  return typeof name === "string" && typeof atLeast === "number" && typeof run === "function";
}
