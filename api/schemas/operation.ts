import { z } from "zod";
import type { Method } from "../method";

export type { Method } from "../method";

/** Names between braces in a path template: `"/v7/endpoint/labels/{id}"` gives `"id"`. */
export type PathParameter<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PathParameter<R> : never;

/** Media type of a request body. */
export type BodyType = "application/json" | "application/x-www-form-urlencoded" | "text/csv" | "text/plain";

/**
 * One operation of the service: the contract that the client calls and the emulator answers.
 * Requests are checked member by member; responses are parsed leniently (unknown members are kept).
 */
export interface Operation<
  P extends string = string,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  R extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Name of the operation, `area.verb`, as request counts and errors show it. */
  readonly id: string;
  readonly method: Method;
  /** Path template below the base URL, with the `/v7` prefix. */
  readonly path: P;
  /** Another spelling of `path`, with the same parameters: the service answers both, the client uses `path`. */
  readonly alias?: string;
  readonly query: Q;
  /** Schema of the request body; absent where the operation takes none. One with a default may be left out of a request. */
  readonly body: B;
  /** Media type of the request body that the client sends. @defaultValue `application/json` */
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  /** Every media type that the service takes. Text is turned into what `body` describes. @defaultValue `[bodyType]` */
  readonly bodyTypes: readonly BodyType[];
  /** Status of success. */
  readonly status: number;
  /** Schema of the answer; absent where success has no body. */
  readonly response: R;
  /**
   * Whether repeating the request does no harm when its outcome is unknown. True for GET, PATCH (whole values are sent)
   * and DELETE, and for reads that travel by POST. There is no idempotency key (docs/service/requests.md, Creates and deletes).
   */
  readonly repeatable: boolean;
  /** Whether it changes anything: all but GET, and the reads that travel by POST. */
  readonly writes: boolean;
  /** Whether it needs a bearer token: all but the one that issues them (docs/service/requests.md, Authentication). */
  readonly authenticated: boolean;
  /**
   * Permission that the token's owner needs beside API access, as the service's documentation calls it
   * (docs/service/requests.md, Authentication). Absent where none is stated.
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

/** Declares an operation; what is left out gets the values that hold for most. */
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
    // The three casts say only that an absent member has the type of its generic default.
    query: (query ?? noQuery) as Q,
    body: body as B,
    response: response as R,
  };
}

/** Members of all reads by POST: they change nothing, so repeating them does no harm. */
export const readByPost = { method: "POST", status: 200, repeatable: true, writes: false } as const;

/** The body of a request; one that the operation does without may be left out. */
type BodyOf<B> = B extends z.ZodType ? (undefined extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : object;

/** The request of operation `O`: path parameters, query and body, as far as `O` has them, and a signal that ends the call. */
export type RequestOf<O extends Operation> = (PathParameter<O["path"]> extends never
  ? object
  : { path: Record<PathParameter<O["path"]>, string> }) & { query?: z.output<O["query"]>; signal?: AbortSignal } & BodyOf<
    O["body"]
  >;

/** The answer of operation `O` on success. */
export type ResponseOf<O extends Operation> = O["response"] extends z.ZodType ? z.output<O["response"]> : undefined;
