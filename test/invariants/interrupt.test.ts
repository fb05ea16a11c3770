/**
 * Presses Ctrl+C while a command waits for the service. The command must exit at once with code 130 and one line about its
 * completed changes.
 */
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { typeToken } from "../../sdk/token";
import { type StartedCommand, startCommand } from "../support/command";
import { answers, EngineStub } from "../support/engine-stub";
import { plainEnv } from "../support/process";
import { closeServer, portOf } from "../emulator/loopback";
import { previewText, step } from "../cli/review-support";
import { temporary } from "../support/temporary";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const office = step("create", "label", "office", { after: label });
const gateway = {
  urn: `urn:pulumi:dev::test::${typeToken("AgentToServerTest")}::gateway`,
  type: typeToken("AgentToServerTest"),
  id: "281474976710656",
  inputs: { testName: "Gateway", server: "127.0.0.1" },
  outputs: { testName: "Gateway", server: "127.0.0.1", accountGroupId: "1001" },
};

let folder: string;
let emulator: Emulator;
let engine: EngineStub;
beforeEach(async () => {
  folder = temporary();
  // The service answers the first request of each minute. The next request waits for the minute to end.
  emulator = await start({ rateLimit: 1, agents: 3 });
  engine = new EngineStub(
    folder,
    answers({
      "stack ls": [{ name: "dev", current: true }],
      "stack tag": {},
      "stack export": { deployment: { resources: [gateway] } },
      "stack history": [{ kind: "update", result: "succeeded", startTime: "2026-11-22T06:00:00Z" }],
      "config --json": {},
      version: "v3.259.0",
    }),
  );
});
afterEach(() => emulator.close());

/** Starts a command in a project, and waits until it waits for the service. */
async function waiting(args: readonly string[], stdin?: string): Promise<StartedCommand> {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: index.ts\n");
  writeFileSync(join(folder, "index.ts"), "");
  const env = engine.env({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const command = startCommand(args, { cwd: folder, env, stdin });
  // An engine that the command runs stops on its own. The command listens to an interrupt for each engine that it has started.
  const runsEngine = (): boolean => engine.runs || command.listeners() !== 1;
  const isWaiting = (): boolean => /waits 6[01] s: the request budget/.test(command.printed()) && !runsEngine();
  for (let [tries, still] = [0, 0]; tries < 500 && still < 10; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    still = isWaiting() ? still + 1 : 0;
  }
  expect([isWaiting(), command.printed()]).toEqual([true, expect.anything()]);
  return command;
}

test.each<[string[], string]>([
  [["import", "--run", "--all-account-groups", "--agents"], ""],
  [["drift"], ""],
  [["drift", "--fix"], ""],
  [["drift", "--accept", "--markdown", "report.md"], ""],
  [["review", "--preview", "-", "--markdown", "report.md"], previewText([office])],
  [["check"], ""],
])("an interrupt makes the command %j exit with code 130", async (args, stdin) => {
  const command = await waiting(args, stdin);
  const [before, files] = [command.printed(), readdirSync(folder)];
  expect(command.listeners()).toBe(1);
  command.interrupt();
  const { code, text } = await command.ended;
  expect(code).toBe(130);
  expect(text.slice(before.length)).toBe(`endpoint-monitoring ${args[0]}: Interrupted. Nothing was changed.\n`);
  expect(command.listeners()).toBe(0);
  // The interrupted work ends without further requests, files or output. Requests that were already sent may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const requests = emulator.log().length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([command.printed(), emulator.log().length, readdirSync(folder)]).toEqual([text, requests, files]);
});

test("a command with --json prints one object after an interrupt", async () => {
  const command = await waiting(["drift", "--json"]);
  command.interrupt("SIGTERM");
  const { code, stdout } = await command.ended;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toEqual({
    error: { code: "interrupted", message: "endpoint-monitoring drift: Interrupted. Nothing was changed." },
  });
});

test("verify reports the results so far after an interrupt", async () => {
  const command = await waiting(["verify", "--all"]);
  expect(command.listeners()).toBe(1);
  command.interrupt();
  const { code, stdout } = await command.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/gateway/);
  expect(stdout).toMatch(/not waited for/);
});

test("an interrupt aborts a request that the service leaves unanswered", async () => {
  const server = createServer();
  const request = once(server, "request");
  const env = { ENDPOINT_MONITORING_BASE_URL: `http://127.0.0.1:${await portOf(server)}`, ENDPOINT_MONITORING_TOKEN: "t0ken" };
  const command = startCommand(["import", "--only", "labels"], { cwd: folder, env: plainEnv(env) });
  // The arguments of the event.
  const [, response] = (await request) as [unknown, ServerResponse];
  const closed = once(response, "close");
  command.interrupt();
  expect((await command.ended).code).toBe(130);
  await closed;
  expect(response.writableFinished).toBe(false);
  await closeServer(server);
});
