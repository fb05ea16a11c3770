import { ProtocolError, ValidationError } from "./errors";

/** Inferred from the call alone, as by `NoInfer`, which compilers before 5.4 do not have. */
type Fixed<T> = [T][T extends unknown ? 0 : never];

interface Page {
  _links?: { next?: { href: string } };
}

/**
 * Yields every page of a paged operation, following `_links.next.href` until there is none. Only the query of the link is
 * followed, never its host. Pages are asked for one after another, as they are taken.
 *
 * @throws ProtocolError where a cursor comes again, or a next link has none: going on would loop or lose records
 */
export async function* pages<Q extends { query?: object }, P extends Page>(
  call: (request: Q) => Promise<P>,
  request: Fixed<Q>,
): AsyncGenerator<P> {
  const seen = new Set<string>();
  let next: Q = request;
  for (;;) {
    const page = await call(next);
    yield page;
    const href = page._links?.next?.href;
    if (href === undefined) return;
    const url = URL.parse(href, "https://next.invalid");
    const cursor = url?.searchParams.get("cursor") ?? undefined;
    if (cursor === undefined || seen.has(cursor)) {
      const reason = url === null ? "a next link that is no URL" : "a next link without a cursor";
      const place = { method: "GET", path: url?.pathname ?? href.replace(/\?.*/s, "") } as const;
      throw new ProtocolError(place, cursor === undefined ? reason : "the same cursor twice", false, "_links.next.href");
    }
    seen.add(cursor);
    next = { ...request, query: { ...request.query, cursor } };
  }
}

/** Size of page to wish for (shared/api/README.md, Shared behaviour: `max` is a wish, its bounds are not stated). */
const wishedPage = 1_000;

/**
 * Yields every page like {@link pages}, in few large pages where the service grants them. One that refuses the wish is asked
 * again without it.
 */
export async function* largePages<Q extends { query?: object }, P extends Page>(
  call: (request: Q) => Promise<P>,
  request: Fixed<Q>,
): AsyncGenerator<P> {
  let answered = false;
  try {
    for await (const page of pages(call, { ...request, query: { ...request.query, max: wishedPage } })) {
      answered = true;
      yield page;
    }
  } catch (error) {
    if (answered || !(error instanceof ValidationError)) throw error;
    yield* pages(call, request);
  }
}
