/**
 * Cleans up after `dev` in a process of its own: it outlives whatever ends that command, SIGKILL and a closed terminal too. When its
 * standard input ends, it ends every process whose environment names the session's folder, and deletes the folder.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";

const folder = process.argv[2] ?? "";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.stdin.resume().on("end", () => void cleanUp());

async function cleanUp(): Promise<void> {
  // The next round finds processes that one of these started just before it ended.
  for (let looks = 0, pids = ofSession(); pids.length > 0 && looks < 100; looks += 1, pids = ofSession()) {
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Processes of the session. The environment of a process of another user cannot be read, and Windows shows none. */
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
    // It has ended.
  }
}
