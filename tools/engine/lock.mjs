/**
 * Locks a directory, so that one process fills the directory while other processes wait.
 *
 * The lock is a symbolic link. Its target identifies the process that holds the lock. Only a link is created together with its
 * content, so no process reads an incomplete lock. A lock is stale if its process has ended, or if the process has not touched
 * the lock for a long time. After a restart or on another machine, an unrelated process may have the same id.
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
    // The error EPERM means that the process exists but belongs to another user.
    return error.code === "EPERM";
  }
}

/** @returns {{ token: string, pid: number, stale: boolean } | undefined} The process that holds the lock, if any. */
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
 * Deletes a stale lock. If two processes find the stale lock, the slower process must not delete a lock that the faster process
 * has taken. This function therefore moves the lock away and then checks the lock again.
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
 * Takes the lock of a directory. Waits while another process holds the lock.
 * @param {string} directory An existing directory.
 * @param {(line: string) => void} log Called when a wait begins, and regularly during the wait.
 * @returns {Promise<() => void>} Function that releases the lock. Repeated calls have no effect.
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
    // If a user has deleted the lock, two processes may build at the same time. Each process uses its own folder, so the
    // failure does no harm.
    fs.lutimes(lock, new Date(), new Date(), () => {});
  }, TOUCH_EVERY);
  touch.unref();
  return () => {
    clearInterval(touch);
    if (holderOf(lock)?.token === token) fs.unlinkSync(lock);
  };
}
