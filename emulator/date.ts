/** A date as the service writes it: whole seconds, UTC. */
export function date(ms: number): string {
  // The last moment that a Date holds: windows may be longer than time.
  return new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString().replace(/\.\d+Z$/, "Z");
}
