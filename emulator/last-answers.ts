import type { Reply } from "./reply";

/** Largest number of kept answers. It covers the lists that one client requests. */
const maxKept = 20;

/** The last answers to GET requests. A `stale` fault repeats them. */
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
