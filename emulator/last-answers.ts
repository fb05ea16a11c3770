import type { Reply } from "./reply";

/** Maximum number of stored answers, which is enough for the lists that one client requests. */
const maxKept = 20;

/** The last answers to GET requests. A `stale` fault repeats such an answer. */
export class LastAnswers {
  readonly #replies = new Map<string, Reply>();

  /** @param target path and query of the request */
  get(target: string): Reply | undefined {
    return this.#replies.get(target);
  }

  keep(target: string, reply: Reply): void {
    this.#replies.delete(target);
    this.#replies.set(target, reply);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > maxKept && oldest !== undefined) this.#replies.delete(oldest);
  }

  clear(): void {
    this.#replies.clear();
  }
}
