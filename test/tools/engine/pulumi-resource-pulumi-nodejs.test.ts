/** Runs the script that starts providers for a locally built engine. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { repository, runNode } from "../../support/process";
import { temporary } from "../../support/temporary";

const script = join(repository, "tools/engine/pulumi-resource-pulumi-nodejs");

let folder: string;
let engine: Server;
let port: number;
const started: number[] = [];
beforeEach(async () => {
  folder = temporary();
  // A stand-in for the host: a server that does not end on its own.
  const host = join(folder, "node_modules/@pulumi/pulumi/cmd/dynamic-provider");
  mkdirSync(host, { recursive: true });
  writeFileSync(join(host, "index.js"), "require('node:net').createServer().listen(0, () => console.log(process.argv[2]));");
  engine = createServer();
  await once(engine.listen(0, "127.0.0.1"), "listening");
  ({ port } = engine.address() as AddressInfo);
});
afterEach(() => {
  engine.close();
  for (const pid of started.splice(0).filter(isRunning)) process.kill(pid, "SIGKILL");
});

/** Starts the script below a process that ends when `whenItEnds` runs. @returns the process id */
async function startBelow(whenItEnds: string): Promise<number> {
  const parent = `
    const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(script)}, "127.0.0.1:${port}"], {
      detached: true, stdio: ["ignore", "pipe", "ignore"] });
    const end = () => process.stdout.write(String(child.pid), () => process.exit());
    ${whenItEnds}`;
  const { stdout } = await runNode(["-e", parent], { cwd: folder });
  started.push(Number(stdout));
  return Number(stdout);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function ends(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 300 && isRunning(pid); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  return !isRunning(pid);
}

test("the provider process ends if the engine ended before the process started", async () => {
  engine.close();
  expect(await ends(await startBelow("end()"))).toBe(true);
});

test("the provider process ends with the engine, even if the engine sent no request", async () => {
  const pid = await startBelow('child.stdout.once("data", end);');
  expect(await ends(pid)).toBe(true);
});

test("the provider process answers requests while the engine runs", async () => {
  const pid = await startBelow(
    'child.stdout.once("data", (line) => setTimeout(end, 700)); child.on("exit", () => process.exit());',
  );
  expect(pid).toBeGreaterThan(0);
  expect(await ends(pid)).toBe(true);
});
