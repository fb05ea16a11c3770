/**
 * Runs other programs, such as Go and the official installer, which must not outlive this process. Each program has its own
 * process group. A signal to this process also ends the process groups and undoes unfinished work. Go starts hundreds of
 * compilers, so ending only Go would leave the compilers running.
 */
import { spawn } from "node:child_process";

const groups = new Set();

function endGroup(pid) {
  try {
    if (process.platform === "win32") process.kill(pid);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has already ended.
  }
}

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env: NodeJS.ProcessEnv, timeout?: number, onLine?: (line: string) => void,
 *   onStdout?: (line: string) => void }} options `onLine` receives lines from stderr. Without `onStdout`,
 *   `onLine` also receives lines from stdout.
 * @returns {Promise<{ ok: boolean, missing: boolean, tail: string[] }>} `missing` means that the command does not exist.
 *   `tail` contains the last lines of output for an error message.
 */
export function run(command, args, { cwd, env, timeout, onLine = () => {}, onStdout = onLine }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const tail = [];
    const lines = (stream, handle) => {
      let rest = "";
      const take = (line) => {
        if (!line.trim()) return;
        // Output that the caller reads as data does not explain a failure.
        if (handle === onLine && tail.push(line.trimEnd()) > 12) tail.shift();
        handle(line);
      };
      stream.setEncoding("utf8").on("data", (chunk) => {
        const parts = (rest + chunk).split(/\r?\n/);
        rest = parts.pop();
        parts.forEach(take);
      });
      stream.on("end", () => take(rest));
    };
    lines(child.stdout, onStdout);
    lines(child.stderr, onLine);

    if (child.pid) groups.add(child.pid);
    const clock = timeout && setTimeout(() => endGroup(child.pid), timeout);
    const finish = (result) => {
      clearTimeout(clock);
      groups.delete(child.pid);
      resolve({ missing: false, tail, ...result });
    };
    child.on("error", (error) => finish({ ok: false, missing: error.code === "ENOENT", tail: [error.message] }));
    child.on("close", (code) => finish({ ok: code === 0 }));
  });
}

/**
 * Runs `work`. On a signal, ends the started programs, calls `undo`, and sends the signal to this process again. The parent
 * process then sees why this process ended.
 * @template T
 * @param {() => void} undo
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function interruptible(undo, work) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const stop = (signal) => {
    signals.forEach((name) => process.removeListener(name, stop));
    groups.forEach(endGroup);
    undo();
    process.kill(process.pid, signal);
  };
  signals.forEach((name) => process.on(name, stop));
  try {
    return await work();
  } finally {
    signals.forEach((name) => process.removeListener(name, stop));
  }
}
