/** Tests the promises of docs/security.md for commands that review: they change nothing, and read permission is sufficient. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { bodyOf, kindCases, recordKinds } from "../support/kinds";
import { runCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { repository } from "../support/process";
import { previewText, step } from "../cli/review-support";
import { temporary } from "../support/temporary";
import { call as callEmulator } from "../support/call";

const page = readFileSync(join(repository, "docs/security.md"), "utf8");
const [, writing = ""] = /### Operations that write\n([^]*?)\n##/.exec(page) ?? [];
/** The operations that the page lists as writing. */
const writes = new Set([...writing.matchAll(/^\| `([a-zA-Z.]+)` \|/gm)].map(([, id]) => id));
/** The engine commands that only read. */
const reads = /^(?:version|stack ls|stack export|stack history|config --json|preview)\b/;

let folder: string;
let emulator: Emulator;
let engine: AnsweringEngine;
beforeEach(async () => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: index.ts\n");
  writeFileSync(join(folder, "index.ts"), "");
  emulator = await start({ rateLimit: "off", agents: 3 });
  for (const kind of recordKinds) {
    const { path, minimal } = kindCases[kind];
    await callEmulator(emulator.url, "POST", path, bodyOf(kind, minimal));
  }
  engine = engineWith([]);
});
afterEach(() => {
  engine.end();
  return emulator.close();
});

/** An engine with these preview steps. */
function engineWith(steps: object[]): AnsweringEngine {
  return new AnsweringEngine(
    folder,
    answersOf({
      version: "v3.259.0",
      "stack ls": [{ name: "dev", current: true }],
      "stack export": { deployment: { resources: [] } },
      "stack history": [],
      "config --json": {},
      import: "",
      preview: { steps },
    }),
  );
}

/** Runs a command as a user with read permission, and returns its effects. */
async function run(args: readonly string[], stdin?: string) {
  const { length } = emulator.log();
  const before = readdirSync(folder);
  const token = { ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" };
  const env = engine.env({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ...token });
  const { code, text } = await runCommand(args, { cwd: folder, env, stdin });
  const log = emulator.log().slice(length);
  return {
    code,
    text,
    asked: log.length,
    changes: log.filter(({ operation }) => writes.has(operation)).map(({ operation }) => operation),
    engine: engine.calls.filter((call) => !reads.test(call)),
    files: readdirSync(folder).filter((file) => !before.includes(file)),
  };
}

test("docs/security.md lists exactly the operations that write", () => {
  expect(writes.size).toBeGreaterThan(20);
  expect([...writes]).toEqual(expect.arrayContaining(["labels.create", "tests.run"]));
  expect(writes).not.toContain("agents.filter");
});

const whole = ["import", "--all-account-groups", "--agents"];

test("import --dry-run changes neither the service nor the stack nor the project", async () => {
  const done = await run([...whole, "--dry-run"]);
  expect(done).toMatchObject({ code: 0, changes: [], engine: [], files: [] });
  expect(done.asked).toBeGreaterThan(4);
});

test("import without --run writes only files", async () => {
  const done = await run(whole);
  expect(done).toMatchObject({ code: 0, changes: [], engine: [] });
  expect(done.files).toContain("import.dev.json");

  // With --run only the engine changes the state, after a preview that creates the imported resources.
  const file = JSON.parse(readFileSync(join(folder, "import.dev.json"), "utf8")) as {
    resources: { type: string; name: string; inputs: object }[];
  };
  engine = engineWith(
    file.resources.map(({ type, name, inputs }) => {
      const urn = `urn:pulumi:dev::test::${type}::${name}`;
      return { op: "create", urn, newState: { urn, type, inputs } };
    }),
  );
  const ran = await run([...whole, "--run"]);
  expect(ran.changes).toEqual([]);
  expect(ran.engine.map((call) => call.split(" ")[0])).toEqual(["import"]);
});

test.each<[string[], number, string]>([
  [["drift"], 2, ""],
  [
    ["review", "--preview", "-"],
    0,
    previewText([step("create", "label", "new", { after: { ...kindCases.label.minimal, name: "New" } })]),
  ],
])("the command %j changes neither the service nor the stack nor the project", async (args, code, stdin) => {
  const done = await run(args, stdin);
  expect(done).toMatchObject({ code, changes: [], engine: [], files: [] });
  expect(done.asked).toBeGreaterThan(0);
});
