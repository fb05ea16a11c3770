import { type Ask, testKinds } from "../ask";
import type { Json } from "../row";
import type { Body } from "../session";

/** Something of a test of each kind that names nothing but what is required. */
export async function eachPlain(ask: Ask, look: (test: Body) => Json | undefined): Promise<Record<string, Json | undefined>> {
  const seen: Record<string, Json | undefined> = {};
  for (const kind of testKinds) seen[kind] = look(await ask.plain(kind));
  return seen;
}

/** Names of an object's members, sorted; none of what is no object. */
export const membersOf = (value: Body): string[] =>
  typeof value === "object" && value !== null ? Object.keys(value).toSorted() : [];

/** Which of some names an error has, wherever it has them: in its title, its detail or a list of errors. */
export const namedIn = (body: Body, names: readonly string[]): string[] =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(JSON.stringify([body?.title, body?.detail, body?.errors])));
