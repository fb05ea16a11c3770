/** Milliseconds that a batch waits for further look-ups, because the engine processes several resources in parallel. */
const batchWindowMs = 15;
const maxBatchSize = 100;

/** Combines look-ups that arrive at about the same time into one request. */
export class Batch<V> {
  #waiting: Map<string, PromiseWithResolvers<V | undefined>> | undefined;

  /** @param load function that looks up several keys with one request, and omits unknown keys from its result */
  constructor(private readonly load: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {}

  find(key: string): Promise<V | undefined> {
    let waiting = this.#waiting;
    if (waiting === undefined || waiting.size >= maxBatchSize) {
      const batch = (this.#waiting = waiting = new Map());
      setTimeout(() => {
        if (this.#waiting === batch) this.#waiting = undefined;
        void this.#send(batch);
      }, batchWindowMs);
    }
    let pending = waiting.get(key);
    if (!pending) waiting.set(key, (pending = Promise.withResolvers()));
    return pending.promise;
  }

  async #send(waiting: ReadonlyMap<string, PromiseWithResolvers<V | undefined>>): Promise<void> {
    try {
      const loaded = await this.load([...waiting.keys()]);
      for (const [key, { resolve }] of waiting) resolve(loaded.get(key));
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
    }
  }
}
