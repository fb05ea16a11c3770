import type { HandlerCall } from "./handler";
import { Order, type OrderPosition } from "./order";
import { Problem } from "./problem";
import type { Collection, StoreRow } from "./store";

/** Maximum page size, even if the parameter `max` is larger. The service documents no maximum (docs/service/requests.md, Pages). */
export const largestPage = 1000;

type PagedCall = Pick<HandlerCall, "aid" | "service" | "self"> & { readonly query: { max?: number; cursor?: string } };

export function pageOf<T>(call: PagedCall, collection: Collection<T>): { rows: StoreRow<T>[]; next?: string } {
  const { max = call.service.settings.pageSize, cursor } = call.query;
  const limit = Math.min(max, largestPage);
  const after = cursor === undefined ? 0 : decode(cursor, collection.name);
  const upToNext = call.service.store.list(collection, call.aid, { after, limit: limit + 1 });
  const rows = upToNext.slice(0, limit);
  const last = rows.at(-1);
  if (upToNext.length <= limit || !last) return { rows };
  const next = new URL(call.self);
  next.searchParams.set("cursor", encode(last.sequence, collection.name));
  return { rows, next: next.href };
}

const byCreation = new Order<{ sequence: number }>([], "oldest first");

export function pageOfList<T extends { readonly sequence: number }>(
  call: PagedCall,
  name: string,
  items: readonly T[],
  {
    order = byCreation,
    size = call.service.settings.pageSize,
    largest = largestPage,
  }: { order?: Order<T>; size?: number; largest?: number } = {},
): { rows: readonly T[]; next?: string } {
  const { max = size, cursor } = call.query;
  const start = cursor === undefined ? 0 : order.indexAfter(items, decodePlace(cursor, name, order));
  const rows = items.slice(start, start + Math.min(max, largest));
  const last = rows.at(-1);
  if (!last || start + rows.length >= items.length) return { rows };
  const next = new URL(call.self);
  next.searchParams.set("cursor", encodeCursor([name, order.placeOf(last)]));
  return { rows, next: next.href };
}

function decodePlace<T extends { readonly sequence: number }>(cursor: string, name: string, order: Order<T>): OrderPosition {
  const [itsName, text] = decodeCursor(cursor);
  const place = order.parsePlace(text);
  if (itsName !== name || place === undefined) throw invalidCursor();
  return place;
}

export const invalidCursor = (): Problem => new Problem(400, "Invalid cursor");

export function encodeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** @throws Problem 400 if the string is not a cursor */
export function decodeCursor(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // The code below refuses a string that is not one of the emulator's cursors.
  }
  throw invalidCursor();
}

/** Returns a cursor that contains the last row of the page. If rows were added, a page number would lead to the wrong page. */
function encode(sequence: number, name: string): string {
  return Buffer.from(`${name}:${sequence}`).toString("base64url");
}

function decode(cursor: string, name: string): number {
  const sequence = new RegExp(`^${name}:(\\d{1,15})$`).exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (sequence === undefined) throw invalidCursor();
  return Number(sequence);
}
