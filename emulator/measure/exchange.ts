import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { type AllowedTarget, addressOf, targetOf } from "./targets";
import { openConnection, reasonOf } from "./tcp";
import { secure, type TlsChoice } from "./tls";

/** The request phase that failed, named as in the service's API. `none` means success. */
export type HttpErrorType = "connect" | "dns" | "http" | "none" | "send" | "ssl" | "receive";

export interface MeasuredRequest extends TlsChoice {
  readonly url: string;
  readonly ipVersion: string;
  /** Credentials for the origin of `url`. Requests to other origins do not contain the credentials. */
  readonly basic?: { readonly username: string; readonly password: string };
  /** Maximum time in milliseconds for the whole request, including redirects. */
  readonly timeLimit: number;
}

/** The times of one request, in whole milliseconds. If the request did not reach a phase, the time of the phase is absent. */
export interface HttpExchange {
  readonly serverIp?: string;
  readonly sourceIp?: string;
  readonly dnsTime?: number;
  readonly connectTime?: number;
  readonly sslTime?: number;
  readonly waitTime?: number;
  readonly receiveTime?: number;
  /** Sum of DNS, connect, TLS and wait times. */
  readonly responseTime?: number;
  /** Response time plus receive time, or the time until the failure. */
  readonly totalTime: number;
  readonly responseCode?: number;
  readonly errorType: HttpErrorType;
  readonly errorDetails?: string;
  /** Number of bytes in the body, as received. */
  readonly wireSize?: number;
  readonly throughput?: number;
  /** The heads of the request and the response, as sent and received but without credentials. */
  readonly headers: { readonly requestHeaders: string; readonly responseHeaders: string };
  readonly location?: string;
}

/** Maximum number of bytes that are read from a body. */
const largestBody = 16 * 1024 * 1024;

/**
 * Phases of a request in order, each with the error type of a failure in that phase. The wait includes the time for sending the request.
 */
const phases = [
  ["dnsTime", "dns"],
  ["connectTime", "connect"],
  ["sslTime", "ssl"],
  ["sent", "send"],
  ["waitTime", "receive"],
  ["receiveTime", "receive"],
] as const;

/** Records the rounded end time of each phase, so that the durations of all phases add up to the rounded total. */
class ExchangeClock {
  readonly #started = performance.now();
  readonly #ends: number[] = [];

  next(): void {
    this.#ends.push(this.elapsed());
  }

  elapsed(): number {
    return Math.round(performance.now() - this.#started);
  }

  get failing(): HttpErrorType {
    return phases[this.#ends.length]?.[1] ?? "receive";
  }

  times() {
    const [dns, connect, ssl, , wait, receive] = this.#ends;
    const part = (end: number | undefined, start: number) => (end === undefined ? undefined : end - start);
    return {
      dnsTime: dns,
      connectTime: part(connect, dns ?? 0),
      sslTime: part(ssl, connect ?? 0),
      waitTime: part(wait, ssl ?? 0),
      receiveTime: part(receive, wait ?? 0),
      responseTime: wait,
      totalTime: receive ?? this.elapsed(),
    };
  }
}

/**
 * Sends one request on its own connection. Even for a failed request, the result contains the times of its phases.
 *
 * @param end aborts the request
 */
export async function exchange(
  url: URL,
  spec: MeasuredRequest,
  allowed: readonly AllowedTarget[],
  end: AbortSignal,
): Promise<HttpExchange> {
  const clock = new ExchangeClock();
  const headers = headersFor(url, spec);
  const sent = { headers: { requestHeaders: headText(`GET ${pathOf(url)} HTTP/1.1`, headers), responseHeaders: "" } };
  let seen: Partial<HttpExchange> = {};
  let socket: Socket | undefined;
  try {
    const target = targetOf(url);
    const { address } = await addressOf(target, spec.ipVersion, allowed);
    seen = { serverIp: address };
    clock.next();
    const plain = await openConnection(address, target.port, end);
    socket = plain;
    seen = { ...seen, sourceIp: plain.localAddress };
    clock.next();
    const connection = url.protocol === "https:" ? await secure(plain, target.host, spec, end) : plain;
    clock.next();

    const request = httpRequest({
      path: pathOf(url),
      headers: Object.fromEntries(headers),
      setHost: false,
      createConnection: () => connection,
    });
    request.on("error", () => undefined);
    const answered = once(request, "response", { signal: end });
    // If sending fails before the code awaits the promise, the failure must not become an unhandled rejection.
    answered.catch(() => undefined);
    request.end();
    await once(request, "finish", { signal: end });
    clock.next();
    const [response] = (await answered) as [IncomingMessage];
    clock.next();
    const { statusCode, httpVersion, statusMessage, rawHeaders } = response;
    const head = headText(`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, pairs(rawHeaders));
    seen = { ...seen, responseCode: statusCode, location: response.headers.location };
    sent.headers.responseHeaders = head;

    const receiving = performance.now();
    const wireSize = await sizeOf(response, end);
    const throughput = Math.round(wireSize / Math.max(performance.now() - receiving, 0.001));
    clock.next();
    return { ...seen, ...sent, ...clock.times(), wireSize, throughput, errorType: "none" };
  } catch (failure) {
    const code = typeof failure === "object" && failure !== null && "code" in failure ? String(failure.code) : "";
    // Error codes of Node's parser mean that the response is not HTTP.
    const errorType = code.startsWith("HPE_") ? "http" : clock.failing;
    const errorDetails = reasonOf(failure, `not complete within ${spec.timeLimit} ms`);
    return { ...seen, ...sent, ...clock.times(), errorType, errorDetails };
  } finally {
    socket?.destroy();
  }
}

async function sizeOf(response: IncomingMessage, end: AbortSignal): Promise<number> {
  const cut = () => response.destroy(new DOMException("Cut short", "AbortError"));
  end.addEventListener("abort", cut, { once: true });
  try {
    let size = 0;
    // A stream without an encoding yields Buffers, but the type `IncomingMessage` declares `any`.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBody) throw new Error(`the response body is larger than ${largestBody} bytes`);
    }
    return size;
  } finally {
    end.removeEventListener("abort", cut);
  }
}

function headersFor(url: URL, { basic }: MeasuredRequest): [string, string][] {
  const credentials = basic && Buffer.from(`${basic.username}:${basic.password}`).toString("base64");
  return [
    ["Host", url.host],
    ["User-Agent", "endpoint-monitoring-emulator"],
    ["Accept", "*/*"],
    ["Connection", "close"],
    ...(credentials === undefined ? [] : ([["Authorization", `Basic ${credentials}`]] as [string, string][])),
  ];
}

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as [string, string]] : []));
}

/** Returns the head of a request or response as sent or received, without credentials. */
function headText(first: string, headers: readonly (readonly [string, string])[]): string {
  const lines = headers.map(([name, value]) => `${name}: ${name === "Authorization" ? "(removed)" : value}`);
  return [first, ...lines, ""].join("\r\n");
}
