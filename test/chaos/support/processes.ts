import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

export function processes(): Process[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(" ") };
  });
}

/** Returns the processes that a process started, directly or indirectly. */
export function descendantsOf(root: number): Process[] {
  const all = processes();
  const descendants: Process[] = [];
  for (let parents = [root]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    descendants.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return descendants;
}

/** Returns the provider process of an engine. */
export function providerOf(engine: number): Process | undefined {
  return processes().find(({ parent, command }) => parent === engine && command.includes("pulumi-resource-pulumi-nodejs"));
}

export function isRunning({ pid, command }: Process): boolean {
  return processes().some((candidate) => candidate.pid === pid && candidate.command === command);
}

/** Waits for a condition for at most ten seconds. @returns whether it became true */
export async function eventually(is: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 200; i += 1) {
    if (await is()) return true;
    await sleep(50);
  }
  return false;
}

/** Waits for a condition for a limited time. @throws if it stays false */
export async function until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await eventually(is))) throw new Error(`waited in vain for ${what}`);
}
