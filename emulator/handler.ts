import type { z } from "zod";
import type { Operation, PathParameter, ResponseOf } from "../api/schemas";
import type { Caller, Permission } from "./organization";
import type { ProblemStyle } from "./problem";
import type { Service } from "./service";

/** A parsed request: what a handler of operation `O` gets. Path, query and body have passed the operation's schemas. */
export interface HandlerCall<O extends Operation = Operation> {
  readonly path: Readonly<Record<PathParameter<O["path"]>, string>>;
  readonly query: z.output<O["query"]>;
  readonly body: O["body"] extends z.ZodType ? z.output<O["body"]> : undefined;
  /** The body as it came, with the members that the schema does not know. */
  readonly sent: unknown;
  /** The sender of the request. */
  readonly caller: Caller;
  /** Account group the request is about: `aid`, or the caller's login account group. */
  readonly aid: string;
  /** Absolute URL of the request, with its query as sent: the self link of a read. */
  readonly self: string;
  /** Absolute URL of another path of the service. It carries `aid` where the request did. */
  readonly link: (path: string) => string;
  /** Value of a request header. */
  readonly header: (name: string) => string | undefined;
  readonly service: Service;
}

/** The answer of a handler on success; the status is the operation's. */
export interface HandlerAnswer<O extends Operation = Operation> {
  readonly body: ResponseOf<O>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Differences of an operation from the others beyond its contract. */
export interface HandlerOptions {
  /** Answered without a bearer token. @defaultValue `false` */
  readonly open?: boolean;
  /** The permission that the caller needs. @defaultValue `"edit"` for writes, `"none"` for reads */
  readonly permission?: Permission | "none";
  /** Media type of success, where it is not chosen by `Accept`. */
  readonly mediaType?: string;
  /** Turns a text body of another media type than JSON into what the operation's schema describes. @throws Problem */
  readonly fromText?: (text: string) => object;
  /** How the area words its problems. @defaultValue all members of an `Error` */
  readonly style?: ProblemStyle;
}

export interface Handler extends HandlerOptions {
  readonly operation: Operation;
  run(call: HandlerCall): HandlerAnswer | Promise<HandlerAnswer>;
}

/** Ties behavior to an operation's contract. */
export function handle<O extends Operation>(
  operation: O,
  run: (call: HandlerCall<O>) => HandlerAnswer<O> | Promise<HandlerAnswer<O>>,
  manner: HandlerOptions = {},
): Handler {
  // `run` asks for more than Handler promises. The server parses a call with the schemas of this same operation, so it is a
  // Call<O> whenever it gets here.
  return { operation, ...manner, run };
}

/** Whether the operation changes something. */
export function isWrite(operation: Operation): boolean {
  return operation.writes;
}
