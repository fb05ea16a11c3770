/** Measures no real time: a simulated clock drives the progress output. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Clock } from "../../engine/io";
import { Output } from "../../cli/report/output";
import { type CommandRun, runCommand, startCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { useEmulator } from "../support/emulator";
import { plainEnv } from "../support/process";
import { temporary } from "../support/temporary";

/** A clock that the test advances. */
class TestClock implements Clock {
  #now = 0;
  readonly #listeners = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  every(ms: number, listener: () => void): () => void {
    this.#listeners.set(listener, ms);
    return () => void this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  pass(seconds: number): void {
    for (const end = this.#now + seconds * 1_000; this.#now < end;) {
      this.#now += 100;
      for (const [listener, ms] of this.#listeners) if (this.#now % ms === 0) listener();
    }
  }
}

function shownBy(isTTY: boolean, json = false) {
  const clock = new TestClock();
  let text = "";
  const stream = { isTTY, columns: 60, write: (part: string) => (text += part) };
  const out = new Output(json, { stdout: stream, stderr: stream, env: {}, clock });
  /** Output since the last call. */
  const shown = (): string => {
    const now = text;
    text = "";
    return now;
  };
  return { clock, out, shown };
}

describe("progress without a terminal", () => {
  test("progress output adds a line at the start, after two seconds, then every ten seconds", () => {
    const { clock, out, shown } = shownBy(false);
    out.progress("Reading labels");
    expect(shown()).toBe("Reading labels\n");
    clock.pass(1.9);
    expect(shown()).toBe("");
    clock.pass(0.1);
    expect(shown()).toBe("Reading labels, 2 s\n");
    out.count(300, 1_200);
    clock.pass(9.9);
    expect(shown()).toBe("");
    clock.pass(20.1);
    expect(shown()).toBe(
      "Reading labels: 300 of 1,200, 12 s\nReading labels: 300 of 1,200, 22 s\nReading labels: 300 of 1,200, 32 s\n",
    );
  });

  test("progress output shows a long step but not a short step", () => {
    const { clock, out, shown } = shownBy(false);
    out.progress("Checking the clock", "terminal");
    clock.pass(1.5);
    out.progress("Checking the token", "terminal");
    clock.pass(1.5);
    expect(shown()).toBe("");
    clock.pass(0.5);
    expect(shown()).toBe("Checking the token, 2 s\n");
  });

  test("progress output shows counts during long synchronous work", () => {
    const { clock, out, shown } = shownBy(false);
    out.progress("Reading", "terminal");
    let now = 0;
    jest.spyOn(clock, "now").mockImplementation(() => now);
    for (let i = 1; i <= 140; i += 1) {
      now = i * 100;
      out.count(i, 200, "files");
    }
    expect(shown()).toBe("Reading: 20 of 200 files, 2 s\nReading: 120 of 200 files, 12 s\n");
  });

  test("progress output with --json consists of one line at the start", () => {
    const { clock, out, shown } = shownBy(false, true);
    out.progress("Reading labels");
    out.count(1, 3);
    clock.pass(60);
    expect(shown()).toBe("Reading labels\n");
  });
});

describe("progress on a terminal", () => {
  const line = (text: string): string => `\r\u001b[K${text}`;

  test("progress output rewrites one line at most ten times a second", () => {
    const { clock, out, shown } = shownBy(true);
    out.progress("Reading labels…");
    expect(shown()).toBe(line("Reading labels…"));
    out.count(1, 3);
    expect(shown()).toBe("");
    clock.pass(0.1);
    out.count(2, 3);
    expect(shown()).toBe(line("Reading labels: 2 of 3"));
    out.count(3, 3);
    expect(shown()).toBe(line("Reading labels: 3 of 3"));
    clock.pass(2.4);
    expect(shown()).toBe(line("Reading labels: 3 of 3, 2 s") + line("Reading labels: 3 of 3, 2 s"));
    out.result({}, "done");
    expect(shown()).toBe("\r\u001b[Kdone\n");
    clock.pass(10);
    expect([shown(), clock.listeners]).toEqual(["", 0]);
  });

  test("a note replaces the progress line, which then continues on the next line", () => {
    const { clock, out, shown } = shownBy(true);
    out.progress("Reading");
    out.note("one thing");
    expect(shown()).toBe(`${line("Reading")}\r\u001b[Kone thing\n`);
    clock.pass(2);
    expect(shown()).toBe(line("Reading, 2 s"));
  });

  test("progress output shows the reason for a wait until the wait ends", () => {
    const { clock, out, shown } = shownBy(true);
    out.progress("Reading");
    out.wait({ operation: "labels.list", reason: "the budget is used up", ms: 3_000 });
    shown();
    clock.pass(2.5);
    expect(shown()).toBe(line("labels.list waits 3 s: the budget is used up").repeat(2));
    clock.pass(0.5);
    expect(shown()).toBe(line("Reading, 3 s"));
  });

  test("progress output cuts its line at the width of the terminal", () => {
    const { out, shown } = shownBy(true);
    out.progress("東京".repeat(40));
    expect(shown()).toBe(line("東京".repeat(15).slice(0, 29)));
  });
});

/** A clock that advances more than two seconds with each reading. `tick` calls its listeners. */
class QuickClock implements Clock {
  #now = 0;
  readonly #listeners = new Set<() => void>();

  now(): number {
    return (this.#now += 2_500);
  }

  every(_ms: number, listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tick(): void {
    for (const listener of this.#listeners) listener();
  }
}

let folder: string;
beforeEach(() => (folder = temporary()));
let engine: AnsweringEngine | undefined;
afterEach(() => {
  engine?.end();
  engine = undefined;
});

const service = useEmulator({ agents: 3 });

/** An engine during whose calls the clock ticks. */
function engineEnv(clock: QuickClock): NodeJS.ProcessEnv {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: office\nruntime: nodejs\nmain: index.js\n");
  const answer = answersOf({
    "stack ls": [{ name: "dev", current: true }],
    "stack tag": {},
    "stack export": { version: 3, deployment: {} },
    "stack history": [],
    "config --json": {},
    preview: { steps: [], changeSummary: {} },
    version: "v3.259.0",
  });
  engine = new AnsweringEngine(folder, (call) => {
    clock.tick();
    return answer(call);
  });
  return engine.env(service.env);
}

/** A program with a resource and the packages to run it. The registration of the resource counts as progress. */
function programEnv(): NodeJS.ProcessEnv {
  const modules = resolve(__dirname, "../../node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["@pulumi", "typescript"]) symlinkSync(join(modules, name), join(folder, "node_modules", name));
  symlinkSync(resolve(__dirname, "../.."), join(folder, "node_modules/pulumi-endpoint-monitoring"));
  const runtime = "{ name: nodejs, options: { typescript: false } }";
  writeFileSync(join(folder, "Pulumi.yaml"), `name: office\nruntime: ${runtime}\nmain: index.js\n`);
  writeFileSync(join(folder, "Pulumi.dev.yaml"), "config: {}\n");
  const program = 'new (require("@pulumi/pulumi").ComponentResource)("office:index:Site", "site");\n';
  writeFileSync(join(folder, "index.js"), program);
  return plainEnv({ PATH: join(folder, "empty") });
}

const commandsThatLast: [string[], (clock: QuickClock) => NodeJS.ProcessEnv, RegExp][] = [
  [["import"], () => plainEnv(service.env), /^Listing \S.*s: \d+ responses?, \d+ s$/m],
  [["review"], engineEnv, /^Previewing stack dev, \d+ s$/m],
  [["drift"], engineEnv, /^Comparing stack dev(: \d+ responses?)?, \d+ s$/m],
  [["verify"], engineEnv, /^Selecting the tests to verify in stack dev, \d+ s$/m],
  [["check"], () => plainEnv(service.env), /^Checking \S.*: \d+ done, \d+ s$/m],
  [["validate"], programEnv, /^Running the program of office(: \d+ resources?)?, \d+ s$/m],
];

test.each(commandsThatLast)("the command %j shows progress unless --json is set", async (args, env, line) => {
  const clock = new QuickClock();
  const settings = env(clock);
  const run = (...more: string[]): Promise<CommandRun> => runCommand([...args, ...more], { cwd: folder, env: settings, clock });
  expect((await run()).stderr).toMatch(line);
  expect((await run("--json")).stderr).not.toMatch(/, \d+ s$/m);
});

test("the emulator shows progress only while it starts", async () => {
  const started = startCommand(["emulator", "--agents", "20"], { isTTY: true, clock: new QuickClock() });
  await started.line((line) => line.includes("emulator) at"));
  expect(started.printed()).toContain("\r\u001b[KStarting the emulator");
  const printed = started.printed();
  await new Promise((done) => setTimeout(done, 20));
  expect(started.printed()).toBe(printed);
  started.interrupt();
  await started.ended;
});
