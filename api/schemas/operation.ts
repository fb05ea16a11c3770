import { z } from "zod";
import type { Method } from "../method";

export type { Method } from "../method";

export type PathParameter<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PathParameter<R> : never;

/** Media type of a request body. */
export type BodyType = "application/json" | "application/x-www-form-urlencoded" | "text/csv" | "text/plain";

/**
 * Definition of an API operation for the client and the emulator. Requests must match their schema exactly, but responses may contain
 * unknown members.
 */
export interface Operation<
  P extends string = string,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  R extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Name of the operation in errors and request counts, such as `labels.list`. */
  readonly id: string;
  readonly method: Method;
  /** Path of the operation below the base URL, with the prefix `/v7` and parameters in braces. */
  readonly path: P;
  /** Another path that the service accepts for the operation, with the same parameters. The client uses only `path`. */
  readonly alias?: string;
  readonly query: Q;
  /**
   * Schema of the request body; undefined if the operation takes no body. If the schema has a default, a request may omit the
   * body.
   */
  readonly body: B;
  /** Media type of the client's request bodies. @defaultValue `application/json` */
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  /**
   * All media types of request bodies that the service accepts. The emulator converts `text/csv` and `text/plain` bodies to the
   * structure of `body`.
   * @defaultValue `[bodyType]`
   */
  readonly bodyTypes: readonly BodyType[];
  /** HTTP status of a successful response. */
  readonly status: number;
  /** Schema of the response; undefined if a successful response has no body. */
  readonly response: R;
  /**
   * Whether a request with an unknown outcome can be repeated safely. By default, all methods except POST are repeatable. A PATCH request
   * is repeatable, because its body contains complete values. The API does not support idempotency keys (docs/service/requests.md, Create
   * and delete requests).
   */
  readonly repeatable: boolean;
  /** Whether the operation changes data; false for GET, and for POST operations that only read. */
  readonly writes: boolean;
  /**
   * Whether the operation needs a bearer token. Only the operation that issues tokens works without a token
   * (docs/service/requests.md, Authentication).
   */
  readonly authenticated: boolean;
  /**
   * Permission that the token's user needs, spelled as in the service's documentation. Every operation also requires API access
   * (docs/service/requests.md, Authentication). `permission` is undefined if the service documents no permission.
   */
  readonly permission?: string;
  /** The rate limit that a request counts against (docs/service/requests.md, Rate limits). */
  readonly budget: "none" | "organization" | "instant";
}

interface Definition<P extends string, Q extends z.ZodObject, B, R> {
  id: string;
  method: Method;
  path: P;
  alias?: string;
  query?: Q;
  body?: B;
  bodyType?: Operation["bodyType"];
  bodyTypes?: Operation["bodyTypes"];
  status: number;
  response?: R;
  repeatable?: boolean;
  writes?: boolean;
  authenticated?: boolean;
  permission?: string;
  budget?: Operation["budget"];
}

const noQuery = z.object({});

/** Declares an operation. Omitted members get default values. */
export function operation<
  const P extends string,
  Q extends z.ZodObject = typeof noQuery,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(definition: Definition<P, Q, B, R>): Operation<P, Q, B, R> {
  const { query, body, response, ...rest } = definition;
  return {
    bodyType: "application/json",
    bodyTypes: [definition.bodyType ?? "application/json"],
    repeatable: definition.method !== "POST",
    writes: definition.method !== "GET",
    authenticated: true,
    budget: "organization",
    ...rest,
    // The casts are safe, because an omitted member has the type of its generic default.
    query: (query ?? noQuery) as Q,
    body: body as B,
    response: response as R,
  };
}

/** Shared members of operations that read data by POST. A client can safely repeat an operation that only reads data. */
export const readByPost = { method: "POST", status: 200, repeatable: true, writes: false } as const;

/** The `body` member of a request. The member is optional if the body's schema has a default. */
type BodyOf<B> = B extends z.ZodType ? (undefined extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : object;

/** The request of operation `O`: its path parameters, query and body, and a signal that ends the call. */
export type RequestOf<O extends Operation> = (PathParameter<O["path"]> extends never
  ? object
  : { path: Record<PathParameter<O["path"]>, string> }) & { query?: z.output<O["query"]>; signal?: AbortSignal } & BodyOf<
    O["body"]
  >;

/** The successful response of operation `O`. */
export type ResponseOf<O extends Operation> = O["response"] extends z.ZodType ? z.output<O["response"]> : undefined;
