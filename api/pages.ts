import { createHash } from "node:crypto";
import { ProtocolError, type AnswerTarget } from "./errors";
import { ValidationError } from "./api-errors";

/** Keeps the compiler from inferring a type from this parameter. `NoInfer` does the same, but compilers before 5.4 lack it. */
type FixedParameters<T> = [T][T extends unknown ? 0 : never];

/** The request of a page. A call with an optional request also accepts `undefined`. */
interface PagedRequest {
  query?: object;
}

interface PagedResponse {
  _links?: { next?: { href: string } };
}

/** Largest number of successive pages without a new record. After more of them, the list probably has no end. */
const maxPagesWithoutNews = 100;

/** The requests that returned pages. An error about a page names its request, and contains no part of the page. */
const targets = new WeakMap<object, AnswerTarget>();

/** Remembers the request that returned a body. */
export function rememberTarget(body: unknown, target: AnswerTarget): void {
  if (typeof body === "object" && body !== null) targets.set(body, target);
}

/**
 * Yields all pages of a paged operation. It follows the query of `_links.next.href`, but never its host, until there is no next
 * link. Each page is requested when the caller reads it. An empty link also ends the pages. The caller can find it in the last
 * page.
 *
 * @throws ProtocolError if a next link has no cursor or repeats one, or after 100 successive pages without a new record. To
 * continue would loop, and to stop would lose records
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

/** The records on the pages of one list. */
class SeenRecords {
  readonly #keys = new Set<string>();

  /** Adds the records in all lists of a page. @returns whether a record is new */
  add(page: object): boolean {
    const before = this.#keys.size;
    for (const [name, records] of Object.entries(page)) {
      if (!Array.isArray(records)) continue;
      for (const record of records) this.#keys.add(`${name} ${keyOf(record)}`);
    }
    return this.#keys.size > before;
  }
}

/** Returns the id of a record, or a digest for results, which have no id. */
function keyOf(record: unknown): string {
  if (typeof record === "object" && record !== null && "id" in record && typeof record.id === "string") return record.id;
  return createHash("sha1")
    .update(JSON.stringify(record) ?? "")
    .digest("base64");
}

/** Preferred number of items per page (docs/service/requests.md, Pages). */
const preferredPageSize = 1_000;

/**
 * Yields all pages like {@link pages}, but requests large pages. If the service refuses the page size, it repeats the request
 * without one.
 *
 * @param pageSize requested items per page
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
