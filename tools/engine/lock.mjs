/**
 * One process at a time fills a directory; the others wait and use what it made.
 *
 * The lock is a symbolic link whose target names its holder: the only thing a file system creates atomically together
 * with its content, so nobody ever reads half a lock. The holder touches it regularly. It is stale when its process is
 * gone, or when it was not touched for long: a process id may have been given to another process since (after a
 * restart, in a container), and a home directory may be shared with a machine whose processes we cannot see.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TOUCH_EVERY = 5_000;
const STALE_AFTER = 60_000;
const SAY_EVERY = 10_000;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signaled, but it is there.
    return error.code === "EPERM";
  }
}

/** @returns {{ token: string, pid: number, stale: boolean } | undefined} Who holds the lock, if anybody does. */
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
 * Removes a stale lock. Two processes may both have found it stale, and the slower one must not remove the lock that
 * the quicker one has taken since: so it is moved aside first and looked at again.
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
 * Takes the lock of a directory, waiting for it if another process has it.
 * @param {string} directory Has to exist.
 * @param {(line: string) => void} log Told when there is something to wait for, and now and then while waiting.
 * @returns {Promise<() => void>} Releases the lock; may be called more than once.
 */
export async function takeLock(directory, log) {
  const lock = path.join(directory, ".lock");
  const token = `${process.pid}@${os.hostname()}@${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const start = Date.now();
  let said = 0;
  while (!tryToTake(lock, token)) {
    const holder = holderOf(lock);
    if (holder?.stale) {
      log(`Process ${holder.pid} left a lock behind when it ended: taken over`);
      removeStale(lock, holder);
    } else if (holder) {
      const now = Date.now();
      if (now - said >= SAY_EVERY) {
        const waited = said ? `, ${Math.round((now - start) / 1000)} s` : "";
        log(`Process ${holder.pid} is getting the Pulumi engine: waiting for it${waited}`);
        said = now;
      }
      await sleep(250);
    }
  }

  const touch = setInterval(() => {
    // A lock that somebody removed by hand is not worth an error: at worst two build at once, each for itself.
    fs.lutimes(lock, new Date(), new Date(), () => {});
  }, TOUCH_EVERY);
  touch.unref();
  return () => {
    clearInterval(touch);
    if (holderOf(lock)?.token === token) fs.unlinkSync(lock);
  };
}
