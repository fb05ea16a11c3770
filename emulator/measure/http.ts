import { exchange, type HttpExchange, type MeasuredRequest } from "./exchange";
import { type AllowedTarget, mayContact, targetOf } from "./targets";

export interface HttpFigures extends Omit<HttpExchange, "location"> {
  readonly redirectTime: number;
  readonly numRedirects: number;
}

const mostRedirects = 10;

/**
 * Fetches a URL that the options allow. Returns the times of the last request after redirects.
 *
 * @throws if `end` is aborted
 */
export async function fetchOnce(
  request: MeasuredRequest,
  allowed: readonly AllowedTarget[],
  end: AbortSignal,
): Promise<HttpFigures> {
  const timeUp = AbortSignal.any([end, AbortSignal.timeout(request.timeLimit)]);
  const origin = new URL(request.url).origin;
  let url = new URL(request.url);
  let redirectTime = 0;
  for (let numRedirects = 0; ; numRedirects += 1) {
    const basic = url.origin === origin ? request.basic : undefined;
    const answer = await exchange(url, { ...request, basic }, allowed, timeUp);
    end.throwIfAborted();
    const next = redirectOf(answer, url);
    const problem = next === undefined ? undefined : refusal(next, numRedirects, allowed);
    if (!next || problem !== undefined) return figures(answer, { numRedirects, redirectTime, problem });
    redirectTime += answer.totalTime;
    url = next;
  }
}

function redirectOf({ responseCode, location }: HttpExchange, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(responseCode ?? 0)) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function refusal(next: URL, followed: number, allowed: readonly AllowedTarget[]): string | undefined {
  if (followed >= mostRedirects) return `more than ${mostRedirects} redirects`;
  if (next.protocol !== "http:" && next.protocol !== "https:") return `redirect to ${next.protocol} is not followed`;
  const { host, port } = targetOf(next);
  return mayContact({ host, port }, allowed) ? undefined : `redirect to ${host}:${port} is not followed: it is not loopback`;
}

function figures(
  { location: _location, ...exchanged }: HttpExchange,
  { problem, ...redirects }: { numRedirects: number; redirectTime: number; problem?: string },
): HttpFigures {
  const failed =
    problem ??
    (exchanged.responseCode !== undefined && exchanged.responseCode >= 400 ? `HTTP ${exchanged.responseCode}` : undefined);
  if (exchanged.errorType !== "none" || failed === undefined) return { ...exchanged, ...redirects };
  return { ...exchanged, ...redirects, errorType: "http", errorDetails: failed };
}
