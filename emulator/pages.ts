import type { Call } from "./handler";
import { Problem } from "./problem";
import type { Collection, Row } from "./store";

/** Largest page, whatever `max` asks for: a wish (shared/api/README.md, Shared behaviour). */
export const largestPage = 1000;

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

/**
 * The part of a list in memory that is asked for, and the URL of the next one where there is one.
 *
 * @param name names the list in its cursors
 * @param sorted whether the order is another than that of creation
 */
export function pageOfList<T extends { readonly sequence: number }>(
  call: PagedCall,
  name: string,
  items: readonly T[],
  { sorted = false, size = call.service.settings.pageSize, largest = largestPage } = {},
): { rows: readonly T[]; next?: string } {
  const { max = size, cursor } = call.query;
  const start = cursor === undefined ? 0 : placeAfter(items, decodePlace(cursor, name), sorted);
  const rows = items.slice(start, start + Math.min(max, largest));
  const last = rows.at(-1);
  if (!last || start + rows.length >= items.length) return { rows };
  const next = new URL(call.self);
  next.searchParams.set("cursor", Buffer.from(`${name}:${last.sequence}:${start + rows.length}`).toString("base64url"));
  return { rows, next: next.href };
}

/** Where a list goes on after a row, also when that is no longer on it. */
function placeAfter(items: readonly { sequence: number }[], [sequence, place]: readonly [number, number], sorted: boolean) {
  const at = items.findIndex((item) => item.sequence === sequence);
  if (at >= 0) return at + 1;
  if (sorted) return place - 1;
  const next = items.findIndex((item) => item.sequence > sequence);
  return next < 0 ? items.length : next;
}

function decodePlace(cursor: string, name: string): readonly [sequence: number, place: number] {
  const parts = new RegExp(`^${name}:(\\d{1,15}):([1-9]\\d{0,8})$`).exec(Buffer.from(cursor, "base64url").toString());
  if (!parts) throw new Problem(400, "Invalid cursor");
  return [Number(parts[1]), Number(parts[2])];
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
