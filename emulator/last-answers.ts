import type { Reply } from "./reply";

/** Maximum number of stored responses, which exceeds the number of lists that a client requests. */
const maxKept = 20;

/** The last responses to GET requests, for faults of the kind `stale`. */
export class LastAnswers {
  readonly #replies = new Map<string, Reply>();

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
