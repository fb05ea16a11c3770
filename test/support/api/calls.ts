import type { Client } from "../../../api";

/** A label with only the required members. */
export const label = { id: "1", name: "Office", matchType: "or", filters: [] };

const path = { id: "1" };
const body = { name: "Office", matchType: "or" as const, filters: [] };

/** One call for each method. */
export const calls = {
  GET: (client: Client) => client.labels.get({ path }),
  PATCH: (client: Client) => client.labels.update({ path, body }),
  DELETE: (client: Client) => client.labels.delete({ path }),
  POST: (client: Client) => client.labels.create({ body }),
} as const;

export type Verb = keyof typeof calls;
// The keys of a literal, in its order.
export const verbs = Object.keys(calls) as Verb[];

export const tokenCall = "POST /v7/oauth2/token";
