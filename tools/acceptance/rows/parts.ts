import { type Ask, testKinds } from "../ask";
import type { Json } from "../row";
import type { Body } from "../session";

/** Returns a fact about a test of each type that has only required members. */
export async function eachPlain(ask: Ask, look: (test: Body) => Json | undefined): Promise<Record<string, Json | undefined>> {
  const seen: Record<string, Json | undefined> = {};
  for (const kind of testKinds) seen[kind] = look(await ask.plain(kind));
  return seen;
}

/** Returns the sorted names of an object's members; an empty list for any other value. */
export const membersOf = (value: Body): string[] =>
  typeof value === "object" && value !== null ? Object.keys(value).toSorted() : [];

/** Returns the given names that occur in the title, the detail or the list of errors. */
export const namedIn = (body: Body, names: readonly string[]): string[] =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(JSON.stringify([body?.title, body?.detail, body?.errors])));
