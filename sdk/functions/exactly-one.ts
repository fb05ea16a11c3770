import type { FunctionSession } from "./session";

const maxListedRecords = 10;

interface LookUp<R> {
  /** Noun for the record, such as `label`. */
  what: string;
  /** Name of the called function, such as `getLabel`. */
  call: string;
  /** The identifying arguments. The caller must set exactly one identifying argument. */
  by: Record<string, string | undefined>;
  /** Name of the argument that identifies exactly one record. */
  id: string;
  show: (record: R) => string;
}

/** @throws RequestError unless the caller set exactly one of the identifying arguments */
export function checkOneOf(
  { api }: FunctionSession,
  area: "labels" | "tags" | "agents" | "scheduledTests",
  by: LookUp<never>["by"],
): void {
  const names = Object.keys(by);
  const values = Object.values(by).filter((value) => value !== undefined && value !== null);
  if (values.length !== 1) throw new api.RequestError(api.operations[area].list, [`give exactly one of ${names.join(", ")}`]);
}

/**
 * Returns the only record that a search found.
 *
 * @throws LookupError unless the search found exactly one record
 */
export function exactlyOne<R>({ api }: FunctionSession, hits: readonly R[], { call, what, by, id, show }: LookUp<R>): R {
  const [hit, ...others] = hits;
  const lookedFor = Object.entries(by).filter(([, value]) => value !== undefined);
  const wanted = lookedFor.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(" and ");
  if (hit === undefined)
    throw new api.LookupError(`${call}: no ${what} has the ${wanted}. Check this value and accountGroupId.`);
  if (others.length === 0) return hit;
  const shown = hits.slice(0, maxListedRecords).map(show).join("; ");
  const more = hits.length > maxListedRecords ? ` and ${hits.length - maxListedRecords} more` : "";
  throw new api.LookupError(`${call}: ${hits.length} ${what}s have the ${wanted}: ${shown}${more}. Choose one by ${id}.`);
}
