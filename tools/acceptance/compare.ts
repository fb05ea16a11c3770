import { isDeepStrictEqual } from "node:util";

export interface Difference {
  readonly at: string;
  readonly emulator: unknown;
  readonly service: unknown;
}

/** Returns the members that differ between two JSON values. Lists are compared as a whole. */
export function differencesOf(emulator: unknown, service: unknown, at = ""): Difference[] {
  const [a, b] = [asSent(emulator), asSent(service)];
  if (!isObject(a) || !isObject(b)) return isDeepStrictEqual(a, b) ? [] : [{ at: at || "answer", emulator: a, service: b }];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) => differencesOf(a[name], b[name], at === "" ? name : `${at}.${name}`));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value as its JSON text describes it, without undefined members. */
function asSent(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
