/**
 * Cleans up after `dev` in a separate process, which survives if the command is killed or its terminal is closed. At the end of standard
 * input, it ends every process with the session's folder in its environment, and deletes the folder.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";

const folder = process.argv[2] ?? "";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.stdin.resume().on("end", () => void cleanUp());

async function cleanUp(): Promise<void> {
  // A process may start another one just before it ends, so this repeats until no process is left.
  for (let looks = 0, pids = ofSession(); pids.length > 0 && looks < 100; looks += 1, pids = ofSession()) {
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns the processes of the session. The environments of other users' processes are not readable. Windows shows no
 * environments.
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
