import { ProtocolError, ValidationError } from "./errors";
import { operations, type Operation, type RequestOf, type ResponseOf } from "./schemas";
import type { ClientOptions } from "./settings";
import { Transport } from "./transport";

/** A function that calls operation `O`. The request is optional if none of its members is required. */
export type Call<O extends Operation> =
  object extends RequestOf<O>
    ? (request?: RequestOf<O>) => Promise<ResponseOf<O>>
    : (request: RequestOf<O>) => Promise<ResponseOf<O>>;

type Areas = typeof operations;

/** The typed client. It has one member per area, with one function per operation: `client.labels.get({ path: { id } })`. */
export type Client = {
  readonly [A in keyof Areas]: { readonly [O in keyof Areas[A]]: Areas[A][O] extends Operation ? Call<Areas[A][O]> : never };
} & {
  /** Closes all connections after the pending requests have been answered. */
  close(): Promise<void>;
};

/**
 * Creates a client. It sends nothing before the first call.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "https://api.example.com", token });
 * const created = await client.labels.create({ body: { name: "Office", matchType: "or", filters: [] } });
 * await client.close();
 * ```
 * @throws ConfigurationError for an invalid base URL, or for plain HTTP to a host that is not a loopback address
 */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const areas = Object.fromEntries(
    Object.entries(operations).map(([area, calls]) => [
      area,
      Object.fromEntries(
        Object.entries(calls).map(([name, operation]: [string, Operation]) => [
          name,
          (request: RequestOf<Operation> = {}) => transport.call(operation, request),
        ]),
      ),
    ]),
  );
  // Built from the table from which Client is derived.
  return { ...areas, close: () => transport.close() } as unknown as Client;
}

interface PagedResponse {
  _links?: { next?: { href: string } };
}

/**
 * Yields every page of a paged operation. It follows the query of `_links.next.href`, never its host, until there is no next link.
 * Each page is requested when the caller takes it.
 *
 * @throws ProtocolError if a cursor repeats, or a next link has none: continuing would loop or lose records
 */
export async function* pages<Q extends { query?: object }, P extends PagedResponse>(
  call: (request: Q) => Promise<P>,
  request: NoInfer<Q>,
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
      const reason = url === null ? "a next link that is not a URL" : "a next link without a cursor";
      const target = { method: "GET", path: url?.pathname ?? href.replace(/\?.*/s, "") } as const;
      throw new ProtocolError(target, cursor === undefined ? reason : "the same cursor twice", false, "_links.next.href");
    }
    seen.add(cursor);
    next = { ...request, query: { ...request.query, cursor } };
  }
}

/** Preferred number of items per page (shared/api/README.md, Shared behaviour: `max` is a preference, its limits are not documented). */
const preferredPageSize = 1_000;

/**
 * Yields every page like {@link pages}, but asks for large pages. If the service refuses the page size, it asks again without one.
 */
export async function* largePages<Q extends { query?: object }, P extends PagedResponse>(
  call: (request: Q) => Promise<P>,
  request: NoInfer<Q>,
): AsyncGenerator<P> {
  let answered = false;
  try {
    for await (const page of pages(call, { ...request, query: { ...request.query, max: preferredPageSize } })) {
      answered = true;
      yield page;
    }
  } catch (error) {
    if (answered || !(error instanceof ValidationError)) throw error;
    yield* pages(call, request);
  }
}
