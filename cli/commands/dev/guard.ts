/**
 * A separate process that cleans up after the command `dev`, even if the command or its terminal is killed. When standard input ends, the
 * guard kills every process of the session and deletes the session's folder.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";

const folder = process.argv[2] ?? "";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.stdin.resume().on("end", () => void cleanUp());

async function cleanUp(): Promise<void> {
  // A process may start another process just before it ends, so the guard repeats its search.
  for (let attempts = 0, pids = ofSession(); pids.length > 0 && attempts < 100; attempts += 1, pids = ofSession()) {
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns the processes with the session's folder in their environment. On Windows, the result is empty, because Windows does not expose
 * the environments of processes.
 */
function ofSession(): number[] {
  if (process.platform !== "linux") {
    const { output } = spawnSync("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], { encoding: "utf8" });
    const lines = output?.join("").split("\n") ?? [];
    return lines.filter((line) => line.includes(`file://${folder}`)).map((line) => Number.parseInt(line, 10));
  }
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(`file://${folder}`)).map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
