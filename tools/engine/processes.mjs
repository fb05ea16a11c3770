/**
 * Starting helpers (Go, the official installer) so that none outlives this process: each gets a process group of its
 * own, and a signal that ends us ends those groups and undoes what was begun. Go starts hundreds of compilers, so
 * ending only the direct child would leave them working on a build that nobody wants any more.
 */
import { spawn } from "node:child_process";

/** Process groups that run now, by the id of their leader. */
const groups = new Set();

function endGroup(pid) {
  try {
    if (process.platform === "win32") process.kill(pid);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env: NodeJS.ProcessEnv, timeout?: number, onLine?: (line: string) => void,
 *   onStdout?: (line: string) => void }} options `onLine` gets what goes to stderr, and to stdout without `onStdout`.
 * @returns {Promise<{ ok: boolean, missing: boolean, tail: string[] }>} `missing`: there is no such command; `tail`:
 *   the last lines it printed, for a message.
 */
export function run(command, args, { cwd, env, timeout, onLine = () => {}, onStdout = onLine }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const tail = [];
    const lines = (stream, handle) => {
      let rest = "";
      const take = (line) => {
        if (!line.trim()) return;
        // What somebody reads as data is no explanation of a failure.
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
 * Does `work`; if a signal ends this process meanwhile, its helpers end, `undo` is called, and only then the process
 * ends by that signal, so that who started it sees the truth.
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
