import type { z } from "zod";
import type { Operation, PathParameter, ResponseOf } from "../api/schemas";
import type { Caller, Permission } from "./organization";
import type { ProblemStyle } from "./problem";
import type { Service } from "./service";

/** A parsed request with a path, a query and a body that match the schemas of the operation `O`. */
export interface HandlerCall<O extends Operation = Operation> {
  readonly path: Readonly<Record<PathParameter<O["path"]>, string>>;
  readonly query: z.output<O["query"]>;
  readonly body: O["body"] extends z.ZodType ? z.output<O["body"]> : undefined;
  /** The body as the client sent it, including members that the schema does not contain. */
  readonly sent: unknown;
  /** The user or client that sent the request. */
  readonly caller: Caller;
  /** Account group of the request: the parameter `aid`, or the caller's login account group. */
  readonly aid: string;
  /** Absolute URL of the request with its original query. Responses to read requests contain this URL as the self link. */
  readonly self: string;
  /** Returns the absolute URL of a path, with `aid` if the request contains `aid`. */
  readonly link: (path: string) => string;
  readonly header: (name: string) => string | undefined;
  readonly service: Service;
}

export interface HandlerAnswer<O extends Operation = Operation> {
  readonly body: ResponseOf<O>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Properties of an operation that its contract does not define. */
export interface HandlerOptions {
  /**
   * Whether the operation needs no bearer token.
   *
   * @defaultValue `false`
   */
  readonly open?: boolean;
  /**
   * The permission that the caller needs.
   *
   * @defaultValue `"edit"` for writes, `"none"` for reads
   */
  readonly permission?: Permission | "none";
  /** Media type of a successful response. If omitted, the `Accept` header selects the media type. */
  readonly mediaType?: string;
  /**
   * Converts a text body that is not JSON to a value for the operation's schema.
   *
   * @throws Problem
   */
  readonly fromText?: (text: string) => object;
  /**
   * Format of the operation's error responses.
   *
   * @defaultValue a body with all members of the schema `Error`
   */
  readonly style?: ProblemStyle;
}

export interface Handler extends HandlerOptions {
  readonly operation: Operation;
  run(call: HandlerCall): HandlerAnswer | Promise<HandlerAnswer>;
}

export function handle<O extends Operation>(
  operation: O,
  run: (call: HandlerCall<O>) => HandlerAnswer<O> | Promise<HandlerAnswer<O>>,
  manner: HandlerOptions = {},
): Handler {
  // The cast is safe, because the server parses each call with the operation's schemas.
  return { operation, ...manner, run };
}

export function isWrite(operation: Operation): boolean {
  return operation.writes;
}
