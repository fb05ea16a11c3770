/** How long the first key waits for company, in ms: the engine asks for several resources at once. */
const gathering = 15;
/** Most keys of one request. */
const largest = 100;

/**
 * Turns single look-ups that come at about the same time into one request for all of them.
 *
 * @typeParam V what is found of a key
 */
export class Batch<V> {
  #waiting: Map<string, PromiseWithResolvers<V | undefined>> | undefined;

  /** @param load finds many at once; what it leaves out was not found */
  constructor(private readonly load: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {}

  find(key: string): Promise<V | undefined> {
    let waiting = this.#waiting;
    if (waiting === undefined || waiting.size >= largest) {
      const gathered = (this.#waiting = waiting = new Map());
      setTimeout(() => {
        if (this.#waiting === gathered) this.#waiting = undefined;
        void this.#send(gathered);
      }, gathering);
    }
    let found = waiting.get(key);
    if (!found) waiting.set(key, (found = Promise.withResolvers()));
    return found.promise;
  }

  async #send(waiting: ReadonlyMap<string, PromiseWithResolvers<V | undefined>>): Promise<void> {
    try {
      const found = await this.load([...waiting.keys()]);
      for (const [key, { resolve }] of waiting) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
    }
  }
}
