import { z } from "zod";

/** Names between braces in a path template: `"/v7/endpoint/labels/{id}"` gives `"id"`. */
export type PathParameter<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PathParameter<R> : never;

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

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
  readonly query: Q;
  /** Schema of the request body; absent where the operation takes none. */
  readonly body: B;
  /** Media type of the request body. @defaultValue `application/json` */
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  /** Status of success. */
  readonly status: number;
  /** Schema of the answer; absent where success has no body. */
  readonly response: R;
  /**
   * Whether repeating the request does no harm when its outcome is unknown. True for GET, PATCH (whole values are sent)
   * and DELETE, and for reads that travel by POST. There is no idempotency key (shared/api/README.md, Shared behaviour).
   */
  readonly repeatable: boolean;
  /** Which rate limit the request counts against (shared/api/README.md, Rate limits). */
  readonly budget: "none" | "organization" | "instant";
}

interface Definition<P extends string, Q extends z.ZodObject, B, R> {
  id: string;
  method: Method;
  path: P;
  query?: Q;
  body?: B;
  bodyType?: Operation["bodyType"];
  status: number;
  response?: R;
  repeatable?: boolean;
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
    repeatable: definition.method !== "POST",
    budget: "organization",
    ...rest,
    // The three casts say only that an absent member has the type of its generic default.
    query: (query ?? noQuery) as Q,
    body: body as B,
    response: response as R,
  };
}

/** What a caller gives to call operation `O`: path parameters, query and body, as far as `O` has them. */
export type RequestOf<O extends Operation> = (PathParameter<O["path"]> extends never
  ? object
  : { path: Record<PathParameter<O["path"]>, string> }) & { query?: z.output<O["query"]> } & (O["body"] extends z.ZodType
    ? { body: z.input<O["body"]> }
    : object);

/** What operation `O` answers on success. */
export type ResponseOf<O extends Operation> = O["response"] extends z.ZodType ? z.output<O["response"]> : undefined;
