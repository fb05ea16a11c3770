import type { FunctionSession } from "./session";

/** How many hits an error lists. */
const listed = 10;

interface LookUp<R> {
  /** The noun of the record that is looked for: `label`. */
  what: string;
  /** The function that was called: `getLabel`. */
  call: string;
  /** The arguments it is looked for by, of which exactly one must be given. */
  by: Record<string, string | undefined>;
  /** The argument that names a record beyond doubt. */
  id: string;
  /** A record as an error shows it. */
  show: (record: R) => string;
}

/** @throws RequestError unless exactly one is given */
export function checkOneOf(
  { api }: FunctionSession,
  area: "labels" | "tags" | "agents" | "scheduledTests",
  by: LookUp<never>["by"],
): void {
  const names = Object.keys(by);
  const values = Object.values(by).filter((value) => value !== undefined && value !== null);
  if (values.length !== 1) throw new api.RequestError(api.operations[area].list, [`give exactly one of ${names.join(", ")}`]);
}

/** @throws LookupError where there is none, or there are several: then it lists them */
export function exactlyOne<R>({ api }: FunctionSession, hits: readonly R[], { call, what, by, id, show }: LookUp<R>): R {
  const [hit, ...others] = hits;
  const lookedFor = Object.entries(by).filter(([, value]) => value !== undefined);
  const wanted = lookedFor.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(" and ");
  if (hit === undefined) throw new api.LookupError(`${call}: no ${what} has the ${wanted}. Check it, and accountGroupId.`);
  if (others.length === 0) return hit;
  const shown = hits.slice(0, listed).map(show).join("; ");
  const more = hits.length > listed ? ` and ${hits.length - listed} more` : "";
  throw new api.LookupError(`${call}: ${hits.length} ${what}s have the ${wanted}: ${shown}${more}. Choose one by ${id}.`);
}
