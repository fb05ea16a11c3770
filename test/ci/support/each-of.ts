/** Makes tests with one of something each, which is ended after it. They run side by side: what they do is mostly to wait. */
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
