/** Returns a date as the service writes it: whole seconds, UTC. */
export function date(ms: number): string {
  // A `Date` has a largest time, and a time window may end later.
  return new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString().replace(/\.\d+Z$/, "Z");
}
