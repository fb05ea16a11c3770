import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, type Client, type ClientOptions } from "../../../api";

/** A received request. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The point at which a response breaks off and the socket is destroyed. */
export type Break = "before the head" | "after the head" | "in the body";
export const breaks: readonly Break[] = ["before the head", "after the head", "in the body"];

/** A scripted response. A body that is neither a string nor bytes is sent as JSON, or as problem+json with an error status. */
export interface Answer {
  /** @defaultValue 200, or 204 without a body */
  status?: number;
  headers?: Record<string, string>;
  /** @defaultValue the usual text of the status */
  statusText?: string;
  body?: unknown;
  breaks?: Break | undefined;
  /** Leaves the request without a response. */
  silent?: true;
}

/** Answers a request. `nth` counts the requests of the same method and path, from 1. */
export type Script = (request: Arrived, nth: number) => Answer;

/** An HTTP server on loopback that answers by script and records requests. */
export class Service {
  readonly arrived: Arrived[] = [];
  /** The client's port of each request. */
  readonly clientPorts: (number | undefined)[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(private readonly script: Script) {}

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get port(): number {
    // A server that listens on a port has an address of this type.
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns the requests for a method and path such as `POST /v7/oauth2/token`. */
  to(call: string): Arrived[] {
    return this.arrived.filter(({ method, path }) => `${method} ${path}` === call);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    // Without an encoding, a request yields buffers.
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const { pathname: path, searchParams: query } = new URL(url, this.url);
    const arrived = { method, path, query, headers, body: Buffer.concat(chunks).toString() };
    this.arrived.push(arrived);
    this.clientPorts.push(request.socket.remotePort);
    send(response, this.script(arrived, this.to(`${method} ${path}`).length));
  }
}

function send(response: ServerResponse, { status, statusText, headers, body, breaks: at, silent }: Answer): void {
  if (silent) return;
  if (at === "before the head") {
    response.destroy();
    return;
  }
  const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  const text = isRaw ? (body ?? "") : JSON.stringify(body);
  const code = status ?? (body === undefined ? 204 : 200);
  const type = code < 400 ? "application/hal+json" : "application/problem+json";
  if (body !== undefined) response.setHeader("content-type", type);
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === "") response.removeHeader(name);
    else response.setHeader(name, value);
  }
  if (at === undefined) {
    if (statusText !== undefined) response.statusMessage = statusText;
    response.writeHead(code).end(text);
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.flushHeaders();
  if (at === "in the body") response.write('{"id":');
  // The written data must be sent before the socket is destroyed.
  setTimeout(() => response.destroy(), 20);
}

/** Services and clients of one test file, closed after each test. */
export function bench(): {
  serve: (script: Script) => Promise<Service>;
  /** Returns a client with a token, unless the options differ. */
  connect: (service: { url: string }, options?: Partial<ClientOptions>) => Client;
} {
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(server: T): T => {
    opened.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of opened.splice(0).toReversed()) await server.close();
  });
  return {
    serve: async (script) => keep(await new Service(script).start()),
    connect: ({ url }, options) => keep(createClient({ baseUrl: url, token: "given-token", ...options })),
  };
}

/** Returns the error of `work`. The test fails for any error other than `Class`. */
export async function failureOf<E extends Error>(
  Class: abstract new (...args: never[]) => E,
  work: Promise<unknown>,
): Promise<E> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome)) throw new Error(`resolved to ${JSON.stringify(outcome.value)} instead of failing`);
  if (!(outcome.error instanceof Class)) throw outcome.error;
  return outcome.error;
}
