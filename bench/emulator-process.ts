import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { memoryOf } from "./processes";

const main = join(__dirname, "../dist/cli/main.js");

/** The emulator in a process of its own, as users start it. */
export interface EmulatorProcess {
  readonly url: string;
  readonly token: string;
  /** Megabytes of memory that it holds now. */
  memory(): number;
  end(): Promise<void>;
}

export async function startEmulator(...args: string[]): Promise<EmulatorProcess> {
  const given = [main, "emulator", "--json", "--rate-limit", "off", ...args];
  const child: ChildProcess = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The emulator ended with ${code}`)));
    if (child.stdout) createInterface(child.stdout).once("line", resolve);
  });
  // What the command documents for --json.
  const { data } = JSON.parse(line) as { data: { url: string; token: string } };
  return {
    ...data,
    memory: () => memoryOf(child.pid ?? 0).now,
    end: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}
