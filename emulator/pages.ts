import type { Call } from "./handler";
import { Problem } from "./problem";
import type { Collection, Row } from "./store";

/** Largest page, whatever `max` asks for: a wish (shared/api/README.md, Shared behaviour). */
const largestPage = 1000;

type PagedCall = Pick<Call, "aid" | "service" | "self"> & { readonly query: { max?: number; cursor?: string } };

/** The rows that a paged list is asked for, and the URL of its next page where there is one. */
export function pageOf<T>(call: PagedCall, collection: Collection<T>): { rows: Row<T>[]; next?: string } {
  const { max = call.service.settings.pageSize, cursor } = call.query;
  const limit = Math.min(max, largestPage);
  const after = cursor === undefined ? 0 : decode(cursor, collection.name);
  // One more than fits tells whether there is a next page.
  const found = call.service.store.list(collection, call.aid, { after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length <= limit || !last) return { rows };
  const next = new URL(call.self);
  next.searchParams.set("cursor", encode(last.sequence, collection.name));
  return { rows, next: next.href };
}

/** A cursor names the last row of the page before it: rows made or deleted meanwhile shift nothing. */
function encode(sequence: number, name: string): string {
  return Buffer.from(`${name}:${sequence}`).toString("base64url");
}

function decode(cursor: string, name: string): number {
  const sequence = new RegExp(`^${name}:(\\d{1,15})$`).exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (sequence === undefined) throw new Problem(400, "Invalid cursor");
  return Number(sequence);
}
