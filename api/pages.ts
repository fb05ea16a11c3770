import { ProtocolError, ValidationError } from "./errors";

/** Inferred from the call alone, as by `NoInfer`, which compilers before 5.4 do not have. */
type Fixed<T> = [T][T extends unknown ? 0 : never];

/** A call whose request is optional takes `undefined`, too. */
interface PagedRequest {
  query?: object;
}

interface PagedResponse {
  _links?: { next?: { href: string } };
}

/**
 * Yields every page of a paged operation. It follows the query of `_links.next.href`, never its host, until there is no next link.
 * Each page is requested when the caller takes it. An empty link ends the pages, and the caller may find it in the last one.
 *
 * @throws ProtocolError if a cursor repeats, or a next link has none: continuing would loop or lose records
 */
export async function* pages<Q extends PagedRequest | undefined, P extends PagedResponse>(
  call: (request: Q) => Promise<P>,
  request: Fixed<NonNullable<Q>>,
): AsyncGenerator<P> {
  const seen = new Set<string>();
  let next: NonNullable<Q> = request;
  for (;;) {
    const page = await call(next);
    yield page;
    const href = page._links?.next?.href;
    if (href === undefined || href === "") return;
    const url = URL.parse(href, "https://next.invalid");
    const cursor = url?.searchParams.get("cursor") ?? undefined;
    if (cursor === undefined || seen.has(cursor)) {
      const reason = url === null ? "a next link that is not a URL" : "a next link without a cursor";
      const target = { method: "GET", path: url?.pathname ?? href.replace(/\?.*/s, "") } as const;
      throw new ProtocolError(target, cursor === undefined ? reason : "the same cursor twice", false, "_links.next.href");
    }
    seen.add(cursor);
    next = { ...request, query: { ...request.query, cursor } };
  }
}

/** Preferred number of items per page (docs/service/requests.md, Pages). */
const preferredPageSize = 1_000;

/**
 * Yields every page like {@link pages}, but asks for large pages. If the service refuses the page size, it asks again without one.
 *
 * @param pageSize items per page to ask for
 */
export async function* largePages<Q extends PagedRequest | undefined, P extends PagedResponse>(
  call: (request: Q) => Promise<P>,
  request: Fixed<NonNullable<Q>>,
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
