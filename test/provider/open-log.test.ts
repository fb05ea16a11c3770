/** Tests the file that an operation's provider processes share, with real processes and real files. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { Ledger } from "../../provider/ledger";
import { openLog } from "../../provider/open-log";
import { privateFolder } from "../../provider/private-folder";
import { logFileOf } from "../../provider/file-log";
import { temporary } from "../support/temporary";

let home: string;
const { XDG_RUNTIME_DIR: former } = process.env;
beforeEach(() => {
  home = temporary();
  process.env["XDG_RUNTIME_DIR"] = home;
});
afterEach(() => {
  process.env["XDG_RUNTIME_DIR"] = former;
  if (former === undefined) delete process.env["XDG_RUNTIME_DIR"];
});

const hook = join(__dirname, "../setup/typescript.cjs");
const source = join(__dirname, "../../provider/open-log.ts");

/** Another process that opens the log of an address and appends entries on request. */
class Other {
  readonly #child: ChildProcessWithoutNullStreams;
  #text = "";

  constructor(address: string) {
    const script = `
      const log = require(${JSON.stringify(source)}).openLog(${JSON.stringify(address)});
      console.log(JSON.stringify({ problem: log.problem }));
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const [count, who] = line.split(" ");
        let seen = 0;
        for (let i = 0; i < Number(count); i += 1) seen += log.append({ do: "set", of: who + " " + i }).length;
        console.log(JSON.stringify({ seen }));
      });`;
    this.#child = spawn(process.execPath, ["--require", hook, "--eval", script], {
      env: { ...process.env, XDG_RUNTIME_DIR: home },
    });
    this.#child.stdout.on("data", (data: Buffer) => (this.#text += data.toString()));
    this.#child.stderr.on("data", (data: Buffer) => (this.#text += data.toString()));
  }

  /** Returns the next line that it prints. */
  async line(): Promise<Record<string, unknown>> {
    while (!this.#text.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 10));
    const [line = "", ...rest] = this.#text.split("\n");
    this.#text = rest.join("\n");
    return JSON.parse(line) as Record<string, unknown>;
  }

  async append(count: number, who: string): Promise<void> {
    this.#child.stdin.write(`${count} ${who}\n`);
    await this.line();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill(signal);
    await ended;
  }
}

/** Returns the entries of a log that are not protocol entries. */
const marks = (entries: readonly object[]): unknown[] => entries.filter((entry) => "of" in entry);
const folder = (): string => privateFolder("operations");

test("all processes read the same complete log entries in the same order", async () => {
  const address = "127.0.0.1:40001";
  const [writer, reader] = [openLog(address), openLog(address)];
  const others = [new Other(address), new Other(address), new Other(address)];
  for (const other of others) expect(await other.line()).toEqual({});
  const seen: object[] = [];
  const appending = Promise.all(others.map((other, i) => other.append(400, `process ${i}`)));
  for (let i = 0; i < 400; i += 1) seen.push(...writer.append({ do: "set", of: `own ${i}` }));
  await appending;
  seen.push(...writer.append());
  expect(marks(seen)).toHaveLength(1_600);
  expect(marks(reader.append())).toEqual(marks(seen));
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder()).map((name) => statSync(join(folder(), name)).mode & 0o777)).toEqual([0o600]);
  for (const other of others) await other.end("SIGTERM");
});

test("operations with different engine addresses share no log entries", () => {
  openLog("127.0.0.1:40002").append({ do: "set", of: "a" });
  expect(marks(openLog("127.0.0.1:40003").append())).toEqual([]);
});

test.each(["SIGINT", "SIGTERM"] as const)("the operation log records the exit of a process after %s", async (signal) => {
  const address = "127.0.0.1:40004";
  const first = new Other(address);
  expect(await first.line()).toEqual({});
  await first.append(3, "first");
  await first.end(signal);
  const next = openLog(address);
  expect(next.problem).toBeUndefined();
  expect(next.append().map(({ do: what }) => what)).toEqual(["join", "set", "set", "set", "leave", "join"]);
});

test("a killed process makes the log unusable unless another process of the operation runs", async () => {
  const address = "127.0.0.1:40005";
  const [killed, alive] = [new Other(address), new Other(address)];
  for (const other of [killed, alive]) expect(await other.line()).toEqual({});
  await killed.append(2, "killed");
  await killed.end("SIGKILL");
  const beside = openLog(address);
  expect([beside.problem, marks(beside.append())]).toEqual([undefined, [expect.anything(), expect.anything()]]);
  await alive.end("SIGKILL");
  const other = "127.0.0.1:40006";
  const alone = new Other(other);
  await alone.line();
  await alone.end("SIGKILL");
  expect(openLog(other).problem).toMatch(/a provider process was killed in this .* so its last actions are unknown/);
});

test("a process skips log entries of another engine with the same address", async () => {
  const engine = createServer().listen(0, "127.0.0.1");
  await once(engine, "listening");
  const address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  // Both processes use the folder from the engine's environment, although the other process has different variables.
  const file = logFileOf(address);
  // An earlier engine on this machine may have had the same port.
  rmSync(file, { force: true });
  // This process is the engine of the other process, and later of itself.
  const killed = new Other(address);
  await killed.line();
  await killed.end("SIGKILL");
  expect(readdirSync(home)).toEqual([]);
  const joined = JSON.parse(readFileSync(file, "utf8")) as { engine: string };
  expect(joined.engine).toMatch(new RegExp(`^${process.pid} \\d+$`));
  const label = { name: "Label", noun: "label" };
  // The marks of the same engine count, and those of another engine do not.
  appendFileSync(file, `${JSON.stringify({ do: "adopt", of: " Label 1", n: "x" })}\n`);
  expect(new Ledger(openLog(address)).isOwned(label, "1")).toBe(true);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(joined.engine, "1 1"));
  expect(new Ledger(openLog(address)).isOwned(label, "1")).toBe(false);
  rmSync(file);
  engine.close();
});

test("the provider deletes the log of a finished operation after an hour", async () => {
  openLog("127.0.0.1:40007");
  const ended = new Other("127.0.0.1:40008");
  await ended.line();
  await ended.end("SIGTERM");
  const names = readdirSync(folder());
  expect(names).toHaveLength(2);
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const name of names) utimesSync(join(folder(), name), old, old);
  openLog("127.0.0.1:40009");
  expect(readdirSync(folder())).toHaveLength(2);
});

test("the operation log rejects shared folders, links and folders of other users", () => {
  const user = process.getuid?.();
  const ownFolder = join(home, `pulumi-endpoint-monitoring-${user}`);
  mkdirSync(ownFolder, { mode: 0o700 });
  for (const path of [ownFolder, home]) {
    expect(refusalOfAnother(path)).toContain(`${user === 0 ? path : home} belongs to another user`);
  }
  chmodSync(ownFolder, 0o755);
  expect(() => privateFolder("operations", ["TMPDIR"], { TMPDIR: home })).toThrow(
    /other users can access .* \(chmod 700 prevents this\)/,
  );
  rmSync(ownFolder, { recursive: true });
  mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(home, "elsewhere"), ownFolder);
  expect(() => privateFolder("operations", ["TMPDIR"], { TMPDIR: home })).toThrow(/is not a folder/);
});

/**
 * Returns the reason for rejecting another user's folder. Root gives the folder away; other users pretend to be another user.
 */
function refusalOfAnother(path: string): string {
  const { getuid } = process;
  const user = getuid?.() ?? 0;
  const other = user + 1;
  if (user === 0) chownSync(path, other, -1);
  else process.getuid = () => other;
  try {
    return privateFolder("operations", ["TMPDIR"], { TMPDIR: home });
  } catch (error) {
    return String(error);
  } finally {
    process.getuid = getuid;
    if (user === 0) chownSync(path, user, -1);
  }
}

test("a process without an engine has its own private log", () => {
  const log = openLog(undefined);
  expect([log.problem, log.append({ do: "set", of: "a" }), log.append()]).toEqual([undefined, [{ do: "set", of: "a" }], []]);
});
