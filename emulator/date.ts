/** Returns a date in the service's format, in UTC with whole seconds. */
export function date(ms: number): string {
  // The end of a time window may be later than the latest time that a `Date` can represent.
  return new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString().replace(/\.\d+Z$/, "Z");
}
