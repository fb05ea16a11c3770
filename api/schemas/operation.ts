import { z } from "zod";
import type { Method } from "../method";

export type { Method } from "../method";

/** Names in braces in a path template: `"id"` in `"/v7/endpoint/labels/{id}"`. */
export type PathParameter<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PathParameter<R> : never;

/** Media type of a request body. */
export type BodyType = "application/json" | "application/x-www-form-urlencoded" | "text/csv" | "text/plain";

/**
 * One operation of the service: the contract between the client and the emulator. Requests are checked strictly, and answers
 * are parsed leniently (unknown members are kept).
 */
export interface Operation<
  P extends string = string,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  R extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Name of the operation, `area.verb`, in request counts and errors. */
  readonly id: string;
  readonly method: Method;
  /** Path template below the base URL, with the prefix `/v7`. */
  readonly path: P;
  /** Another spelling of `path` with the same parameters. The service accepts both, and the client uses `path`. */
  readonly alias?: string;
  readonly query: Q;
  /** Schema of the request body. Absent if the operation takes none. A request may omit a body with a default. */
  readonly body: B;
  /** Media type of the request body that the client sends. @defaultValue `application/json` */
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  /** All media types that the service accepts. Text is converted to the form of `body`. @defaultValue `[bodyType]` */
  readonly bodyTypes: readonly BodyType[];
  /** Status of success. */
  readonly status: number;
  /** Schema of the answer. Absent if a successful answer has no body. */
  readonly response: R;
  /**
   * Whether the request can be repeated safely if its outcome is unknown. True for GET, PATCH (which sends whole values) and
   * DELETE, and for reads by POST. The API has no idempotency key (docs/service/requests.md, Creates and deletes).
   */
  readonly repeatable: boolean;
  /** Whether the operation changes data. False for GET and for reads by POST. */
  readonly writes: boolean;
  /**
   * Whether it needs a bearer token. Only the operation that issues tokens needs none (docs/service/requests.md,
   * Authentication).
   */
  readonly authenticated: boolean;
  /**
   * Permission that the token's owner needs in addition to API access, with the name in the service's documentation
   * (docs/service/requests.md, Authentication). Absent if none is documented.
   */
  readonly permission?: string;
  /** The rate limit of the request (docs/service/requests.md, Rate limits). */
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

/** Declares an operation. Members that are omitted get the most common values. */
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
    // The casts are safe, because an absent member has the type of its generic default.
    query: (query ?? noQuery) as Q,
    body: body as B,
    response: response as R,
  };
}

/** Members of all reads by POST. They change nothing, so they can be repeated. */
export const readByPost = { method: "POST", status: 200, repeatable: true, writes: false } as const;

/** The body of a request. An optional body may be omitted. */
type BodyOf<B> = B extends z.ZodType ? (undefined extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : object;

/** The request of operation `O`: its path parameters, query and body, and a signal that ends the call. */
export type RequestOf<O extends Operation> = (PathParameter<O["path"]> extends never
  ? object
  : { path: Record<PathParameter<O["path"]>, string> }) & { query?: z.output<O["query"]>; signal?: AbortSignal } & BodyOf<
    O["body"]
  >;

/** The successful answer of operation `O`. */
export type ResponseOf<O extends Operation> = O["response"] extends z.ZodType ? z.output<O["response"]> : undefined;
