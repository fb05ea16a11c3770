/**
 * Locks a directory, so that one process fills it while others wait.
 *
 * The lock is a symbolic link, and its target identifies the holder. A file system creates only links atomically together with their
 * content, so no process reads a part of a lock. The holder touches the lock regularly. It is stale if its process no longer exists, or
 * if it was not touched for long: another process may have the same id (after a restart, in a container), and the home directory may be
 * shared with another machine.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TOUCH_EVERY = 5_000;
const STALE_AFTER = 60_000;
const REPORT_EVERY_MS = 10_000;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process exists, but cannot be signaled.
    return error.code === "EPERM";
  }
}

/** @returns {{ token: string, pid: number, stale: boolean } | undefined} The holder of the lock, if there is one. */
function holderOf(lock) {
  try {
    const token = fs.readlinkSync(lock);
    const [pid, host] = token.split("@");
    const silent = Date.now() - fs.lstatSync(lock).mtimeMs > STALE_AFTER;
    const gone = host === os.hostname() && !isAlive(Number(pid));
    return { token, pid: Number(pid), stale: silent || gone };
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function tryToTake(lock, token) {
  try {
    fs.symlinkSync(token, lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Deletes a stale lock. Two processes may both see that it is stale, and the slower process must not delete the lock that the faster one
 * has taken since. So this first moves the lock, and then checks it again.
 */
function removeStale(lock, stale) {
  const aside = `${lock}-${process.pid}`;
  try {
    fs.renameSync(lock, aside);
    if (fs.readlinkSync(aside) === stale.token) fs.unlinkSync(aside);
    else fs.renameSync(aside, lock);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

/**
 * Takes the lock of a directory, and waits if another process has it.
 * @param {string} directory Must exist.
 * @param {(line: string) => void} log Called at the beginning of a wait, and regularly while waiting.
 * @returns {Promise<() => void>} A function that releases the lock. It may be called more than once.
 */
export async function takeLock(directory, log) {
  const lock = path.join(directory, ".lock");
  const token = `${process.pid}@${os.hostname()}@${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const start = Date.now();
  let reportedAt = 0;
  while (!tryToTake(lock, token)) {
    const holder = holderOf(lock);
    if (holder?.stale) {
      log(`Took over the lock of process ${holder.pid}, which no longer runs`);
      removeStale(lock, holder);
    } else if (holder) {
      const now = Date.now();
      if (now - reportedAt >= REPORT_EVERY_MS) {
        const waited = reportedAt ? `, ${Math.round((now - start) / 1000)} s` : "";
        log(`Process ${holder.pid} is downloading or building the Pulumi engine. Waiting for it${waited}`);
        reportedAt = now;
      }
      await sleep(250);
    }
  }

  const touch = setInterval(() => {
    // If a user deleted the lock, two processes may build at once, each in its own folder. That is not an error.
    fs.lutimes(lock, new Date(), new Date(), () => {});
  }, TOUCH_EVERY);
  touch.unref();
  return () => {
    clearInterval(touch);
    if (holderOf(lock)?.token === token) fs.unlinkSync(lock);
  };
}
