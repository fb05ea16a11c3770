/** A proxy in front of the emulator that rewrites responses, so that tests can vary the API in any way that HTTP allows. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// oxlint-disable-next-line typescript/no-explicit-any -- A JSON value that a variation changes: members depend on the record type.
export type JsonValue = any;
export type Verb = "create" | "list" | "get" | "update" | "delete" | "other";

/** A request with its response. A variation changes the response. */
export interface Exchange {
  readonly verb: Verb;
  readonly url: URL;
  /** Number of this request among the requests of the same method and path, from 1. */
  readonly nth: number;
  status: number;
  headers: Record<string, string>;
  /** Parsed JSON, text or bytes, or undefined without a body. */
  body: JsonValue;
  /** Bytes of the body after which the connection breaks. */
  breaksAfter?: number;
  /** Whether an informational response precedes the response. */
  hasEarlyHints?: true;
}

export interface Variation {
  readonly name: string;
  /** Text of the message if the provider may fail. undefined if it must work. */
  readonly fails?: string | undefined;
  /** Answers in place of the service, if it returns true. */
  readonly before?: (exchange: Exchange) => boolean | void;
  /** Changes the service's response. */
  readonly after?: (exchange: Exchange) => void;
}

const verbs: Record<string, readonly [ofList: Verb, ofRecord: Verb]> = {
  GET: ["list", "get"],
  POST: ["create", "other"],
  PATCH: ["other", "update"],
  PUT: ["other", "update"],
  DELETE: ["other", "delete"],
};

export class VariedService {
  /** The variation of the API, or undefined. */
  variation: Variation | undefined;
  readonly #counts = new Map<string, number>();
  readonly #server = createServer({ noDelay: true }, (request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });

  /** @param paths paths of the lists that variations concern */
  constructor(
    private readonly target: string,
    private readonly paths: readonly string[],
  ) {}

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  vary(variation: Variation | undefined): void {
    this.variation = variation;
    this.#counts.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", this.url);
    const key = `${method} ${url.pathname}${url.search}`;
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    const list = this.paths.find((path) => url.pathname === path || url.pathname.startsWith(`${path}/`));
    const [ofList, ofRecord] = verbs[method] ?? (["other", "other"] as const);
    const verb = list === undefined ? "other" : list === url.pathname ? ofList : ofRecord;
    const exchange: Exchange = { verb, url, nth, status: 200, headers: {}, body: undefined };
    if (this.variation?.before?.(exchange) !== true) {
      await this.#forward(exchange, request, Buffer.concat(chunks));
      this.variation?.after?.(exchange);
    }
    answer(exchange, response);
  }

  async #forward(exchange: Exchange, { method = "GET", headers }: IncomingMessage, body: Buffer): Promise<void> {
    const { host: _host, connection: _connection, "content-length": _length, ...kept } = headers;
    const target = new URL(exchange.url.pathname + exchange.url.search, this.target);
    target.searchParams.delete("cursor");
    const reply = await fetch(target, {
      method,
      headers: kept as Record<string, string>,
      ...(body.length > 0 && { body }),
      redirect: "manual",
    });
    const text = (await reply.text()).replaceAll(this.target, this.url);
    exchange.status = reply.status;
    const {
      connection: _,
      "keep-alive": _alive,
      "transfer-encoding": _coding,
      "content-length": _size,
      ...rest
    } = Object.fromEntries(reply.headers) as Record<string, string>;
    exchange.headers = rest;
    if (text !== "") exchange.body = JSON.parse(text);
  }
}

/** Returns the records in a response: of a list, or the record that was created, read or updated. */
export function listed({ verb, body }: Exchange): JsonValue[] {
  return verb === "list" ? (Object.values(body as object).find(Array.isArray) ?? []) : body ? [body] : [];
}

function answer({ status, headers, body, breaksAfter, hasEarlyHints }: Exchange, response: ServerResponse): void {
  if (hasEarlyHints) response.writeEarlyHints({ link: "</style.css>; rel=preload" });
  response.sendDate = headers["date"] !== "";
  const bytes =
    body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  // An empty header means no header.
  response.writeHead(status, Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== "")));
  if (bytes === undefined) response.end();
  else if (breaksAfter === undefined) response.end(bytes);
  else response.write((bytes as Buffer).subarray(0, breaksAfter), () => response.destroy());
}
