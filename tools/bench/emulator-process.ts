import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inUse, type InUse, measuringItself } from "./processes";

const main = join(__dirname, "../../dist/cli/main.js");

/** An emulator in a separate process, as users start it. */
export interface EmulatorProcess {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  /** Returns the memory in use, after a garbage collection. */
  inUse(): Promise<InUse>;
  end(): Promise<void>;
}

export async function startEmulator(...args: string[]): Promise<EmulatorProcess> {
  const line = [...measuringItself, main, "emulator", "--json", "--rate-limit", "off", ...args];
  const child: ChildProcess = spawn(process.execPath, line, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const printed = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The emulator exited with code ${code}`)));
    if (child.stdout) createInterface(child.stdout).once("line", resolve);
  });
  // The documentation of `--json` guarantees this shape.
  const { data } = JSON.parse(printed) as { data: { url: string; token: string } };
  return {
    ...data,
    pid: child.pid ?? 0,
    inUse: () => inUse(child),
    end: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}
