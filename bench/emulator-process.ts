import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const main = join(__dirname, "../dist/cli/main.js");

/** The emulator in a process of its own, as users start it. */
export interface EmulatorProcess {
  readonly url: string;
  readonly token: string;
  /** Bytes of memory that it holds now. */
  memory(): number;
  end(): Promise<void>;
}

export async function startEmulator(...args: string[]): Promise<EmulatorProcess> {
  const given = ["--expose-gc", main, "emulator", "--json", "--rate-limit", "off", ...args];
  const child: ChildProcess = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The emulator ended with ${code}`)));
    if (child.stdout) createInterface(child.stdout).once("line", resolve);
  });
  // What the command documents for --json.
  const { data } = JSON.parse(line) as { data: { url: string; token: string } };
  return {
    ...data,
    memory: () => residentBytes(child.pid ?? 0),
    end: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Resident memory of a process, from Linux's table of processes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1_024;
}
