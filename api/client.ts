import { operations, type Operation, type RequestOf, type ResponseOf } from "./schemas";
import type { ClientOptions } from "./settings";
import { Transport } from "./transport";

/** A function that calls operation `O`. The request may be left out where nothing in it is required. */
export type Call<O extends Operation> =
  object extends RequestOf<O>
    ? (request?: RequestOf<O>) => Promise<ResponseOf<O>>
    : (request: RequestOf<O>) => Promise<ResponseOf<O>>;

type Areas = typeof operations;

/** The client of the rooms of this package: one member an area, one function an operation. */
export type Client = {
  readonly [A in keyof Areas]: { readonly [O in keyof Areas[A]]: Areas[A][O] extends Operation ? Call<Areas[A][O]> : never };
} & {
  /** Ends all connections once what is under way has been answered. */
  close(): Promise<void>;
};

/**
 * Makes a client with the types of the schemas, which keep what the service answers beyond its interface. Programs get the one of
 * `public.ts`, whose types are documented.
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
  // Made by walking the very table that Client is typed from.
  return { ...areas, close: () => transport.close() } as unknown as Client;
}
