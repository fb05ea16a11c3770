import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something has come to be, or until other work has ended. @returns whether it has come to be */
export async function unlessEnded(work: Promise<unknown>, is: () => boolean): Promise<boolean> {
  const end = new AbortController();
  void work.catch(() => undefined).then(() => end.abort());
  while (!end.signal.aborted) {
    if (is()) return true;
    await sleep(10);
  }
  return false;
}
