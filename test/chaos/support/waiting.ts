import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a condition is true, or until other work has ended. @returns whether the condition is true */
export async function unlessEnded(work: Promise<unknown>, is: () => boolean): Promise<boolean> {
  const end = new AbortController();
  void work.catch(() => undefined).then(() => end.abort());
  while (!end.signal.aborted) {
    if (is()) return true;
    await sleep(10);
  }
  return false;
}
