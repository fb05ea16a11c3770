import { operations, type Operation, type RequestOf, type ResponseOf } from "./schemas";
import type { ClientOptions } from "./client-options";
import { Transport } from "./transport";

/** A function that calls operation `O`. If all members of the request are optional, the caller may omit the request. */
export type Call<O extends Operation> =
  object extends RequestOf<O>
    ? (request?: RequestOf<O>) => Promise<ResponseOf<O>>
    : (request: RequestOf<O>) => Promise<ResponseOf<O>>;

type Areas = typeof operations;

/**
 * The API client that the modules of this package use. Each area of the API has one function per operation, such as
 * `client.labels.get({ path: { id } })`.
 */
export type Client = {
  readonly [A in keyof Areas]: { readonly [O in keyof Areas[A]]: Areas[A][O] extends Operation ? Call<Areas[A][O]> : never };
} & {
  /** Closes all connections after the current requests have been answered. */
  close(): Promise<void>;
};

/**
 * Creates a client with types that include undocumented members. Users' programs use the client in `public.ts`, which has only
 * documented types. The client sends nothing before the first call.
 *
 * @throws ConfigurationError for an invalid base URL, or for plain HTTP to a host other than loopback
 */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const client = { close: () => transport.close() };
  for (const area of Object.keys(operations) as (keyof Areas)[]) {
    let calls: object | undefined;
    Object.defineProperty(client, area, { enumerable: true, get: () => (calls ??= callsOf(operations[area], transport)) });
  }
  // The cast is safe, because the object and the type `Client` are both derived from `operations`.
  return client as Client;
}

function callsOf(area: Readonly<Record<string, Operation>>, transport: Transport): object {
  const calls = Object.entries(area).map(([name, operation]) => [
    name,
    (request: RequestOf<Operation> = {}) => transport.call(operation, request),
  ]);
  return Object.fromEntries(calls) as object;
}
