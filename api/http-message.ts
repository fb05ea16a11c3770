import type { AnswerTarget } from "./errors";
import type { Proxies } from "./proxy";

/** The answer to one HTTP request, with its complete body. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The reason why the body could not be decoded, as part of a sentence. Then `text` is empty. */
  damage?: string;
}

export interface HttpRequest extends AnswerTarget {
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether the request can be repeated safely. If so, the outcome is never unknown. */
  repeatable: boolean;
  /** Ends the request. */
  signal?: AbortSignal | undefined;
}

export interface HttpOptions {
  baseUrl: string;
  /** Seconds without progress after which a request fails. */
  timeout: number;
  /** Seconds after which a request fails, even if parts of its answer arrive. */
  deadline: number;
  proxies: Proxies;
}
