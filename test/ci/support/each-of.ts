/** Defines tests that each start a resource and end it. The tests run in parallel, because they mostly wait. */
export function eachOf<T extends { end(): Promise<unknown> }>(start: () => Promise<T>) {
  return (name: string, work: (one: T) => Promise<void>): void =>
    it.concurrent(
      name,
      async () => {
        const one = await start();
        try {
          await work(one);
        } finally {
          await one.end();
        }
      },
      120_000,
    );
}
