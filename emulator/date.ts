/** Returns a date as the service writes it: whole seconds, UTC. */
export function date(ms: number): string {
  // A time window may end after the last time that a Date can represent.
  return new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString().replace(/\.\d+Z$/, "Z");
}
