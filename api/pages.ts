import { createHash } from "node:crypto";
import { ProtocolError, type AnswerTarget } from "./errors";
import { ValidationError } from "./api-errors";

/** Prevents the compiler from inferring `T` from a parameter. TypeScript before 5.4 lacks `NoInfer`. */
type FixedParameters<T> = [T][T extends unknown ? 0 : never];

interface PagedRequest {
  query?: object;
}

interface PagedResponse {
  _links?: { next?: { href: string } };
}

/**
 * Maximum number of successive pages without a new record. A list with more than 100 successive pages without a new record
 * probably never ends.
 */
const maxPagesWithoutNews = 100;

/** Maps each page to its request, so that an error can name the request without quoting the page. */
const targets = new WeakMap<object, AnswerTarget>();

export function rememberTarget(body: unknown, target: AnswerTarget): void {
  if (typeof body === "object" && body !== null) targets.set(body, target);
}

/**
 * Yields all pages of a list. The generator requests a page only when the caller reads the page. The generator uses only the
 * cursor in the link to the next page, and ignores the link's host. A missing or empty link to the next page ends the list. A
 * caller that treats an empty link as an error must check the last page itself.
 *
 * @throws ProtocolError if a link lacks or repeats a cursor, or if 100 successive pages contain no new record
 */
export async function* pages<Q extends PagedRequest | undefined, P extends PagedResponse>(
  call: (request: Q) => Promise<P>,
  request: FixedParameters<NonNullable<Q>>,
): AsyncGenerator<P> {
  const cursors = new Set<string>();
  const records = new SeenRecords();
  let withoutNews = 0;
  let next: NonNullable<Q> = request;
  for (;;) {
    const page = await call(next);
    const fail = (reason: string): ProtocolError => {
      const target = targets.get(page) ?? { method: "GET", path: "(a paged list)", redact: String };
      return new ProtocolError(target, reason, false, "_links.next.href");
    };
    withoutNews = records.add(page) ? 0 : withoutNews + 1;
    yield page;
    const href = page._links?.next?.href;
    if (href === undefined || href === "") return;
    const url = URL.parse(href, "https://next.invalid");
    const cursor = url?.searchParams.get("cursor") ?? undefined;
    if (cursor === undefined) throw fail(url ? "a next link without a cursor" : "a next link that is not a URL");
    if (cursors.has(cursor)) throw fail("the same cursor twice");
    if (withoutNews >= maxPagesWithoutNews)
      throw fail(`${withoutNews} successive pages without a new record, and a link to a further page`);
    cursors.add(cursor);
    next = { ...request, query: { ...request.query, cursor } };
  }
}

class SeenRecords {
  readonly #keys = new Set<string>();

  /** Adds the records of all lists on a page. @returns whether the page has a new record */
  add(page: object): boolean {
    const before = this.#keys.size;
    for (const [name, records] of Object.entries(page)) {
      if (!Array.isArray(records)) continue;
      for (const record of records) this.#keys.add(`${name} ${keyOf(record)}`);
    }
    return this.#keys.size > before;
  }
}

/** Returns a record's id, or a digest of the record if the record has no id. */
function keyOf(record: unknown): string {
  if (typeof record === "object" && record !== null && "id" in record && typeof record.id === "string") return record.id;
  return createHash("sha1")
    .update(JSON.stringify(record) ?? "")
    .digest("base64");
}

/** Requested number of items per page (docs/service/requests.md, Pages). */
const preferredPageSize = 1_000;

/**
 * Yields all pages of a list like the function `pages`, but requests a large page size. If the service refuses the page size, the function
 * repeats the request without a page size.
 *
 * @param pageSize requested number of items per page
 */
export async function* largePages<Q extends PagedRequest | undefined, P extends PagedResponse>(
  call: (request: Q) => Promise<P>,
  request: FixedParameters<NonNullable<Q>>,
  pageSize: number = preferredPageSize,
): AsyncGenerator<P> {
  let answered = false;
  try {
    for await (const page of pages(call, { ...request, query: { ...request.query, max: pageSize } })) {
      answered = true;
      yield page;
    }
  } catch (error) {
    if (answered || !(error instanceof ValidationError)) throw error;
    yield* pages(call, request);
  }
}
