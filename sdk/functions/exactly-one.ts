import type { FunctionSession } from "./session";

/** Largest number of records that an error lists. */
const listed = 10;

interface LookUp<R> {
  /** Noun for the record: `label`. */
  what: string;
  /** Name of the called function: `getLabel`. */
  call: string;
  /** The identifying arguments. Exactly one of them must be set. */
  by: Record<string, string | undefined>;
  /** The argument that identifies one record. */
  id: string;
  /** Returns a record's text for an error. */
  show: (record: R) => string;
}

/** @throws RequestError unless exactly one argument is set */
export function checkOneOf(
  { api }: FunctionSession,
  area: "labels" | "tags" | "agents" | "scheduledTests",
  by: LookUp<never>["by"],
): void {
  const names = Object.keys(by);
  const values = Object.values(by).filter((value) => value !== undefined && value !== null);
  if (values.length !== 1) throw new api.RequestError(api.operations[area].list, [`give exactly one of ${names.join(", ")}`]);
}

/** Returns the only hit. @throws LookupError if there is none, or if there are several, which it lists */
export function exactlyOne<R>({ api }: FunctionSession, hits: readonly R[], { call, what, by, id, show }: LookUp<R>): R {
  const [hit, ...others] = hits;
  const lookedFor = Object.entries(by).filter(([, value]) => value !== undefined);
  const wanted = lookedFor.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(" and ");
  if (hit === undefined)
    throw new api.LookupError(`${call}: no ${what} has the ${wanted}. Check this value and accountGroupId.`);
  if (others.length === 0) return hit;
  const shown = hits.slice(0, listed).map(show).join("; ");
  const more = hits.length > listed ? ` and ${hits.length - listed} more` : "";
  throw new api.LookupError(`${call}: ${hits.length} ${what}s have the ${wanted}: ${shown}${more}. Choose one by ${id}.`);
}
