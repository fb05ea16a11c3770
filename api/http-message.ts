import type { AnswerTarget } from "./errors";
import type { Proxies } from "./proxy";

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The reason why the body could not be decoded, as a clause for error messages. `text` is then empty. */
  damage?: string;
}

export interface HttpRequest extends AnswerTarget {
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string | undefined;
  repeatable: boolean;
  signal?: AbortSignal | undefined;
}

export interface HttpOptions {
  baseUrl: string;
  /** Seconds without progress after which a request fails. */
  timeout: number;
  /** Time limit of the whole request, in seconds. The time limit applies even if a part of the response has arrived. */
  deadline: number;
  proxies: Proxies;
}
