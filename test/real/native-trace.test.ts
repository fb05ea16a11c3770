/**
 * Runs the whole lifecycle of each type through the native plugin, and records the engine's calls for replays without an
 * engine.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asked, callsInLog, recorded, traceEmulator } from "../support/protocol-trace";
import { type Program, Stack } from "./support/stack";

const program = JSON.parse(readFileSync(join(__dirname, "../fixtures/state/program.json"), "utf8")) as Program;
/** Properties that change in place or replace. Others stay. */
const changes: Record<string, object> = {
  office: { name: "Offices" },
  portal: { password: { $secret: "secondPassword" } },
  minimal: { interval: 900 },
  meetings: { testName: "Calls" },
  kiosk: { agentName: "Kiosk in the lobby" },
  gate: { triggers: ["2"] },
};
/** The program without waits for results, because those contain times and measurements. */
const first: Program = Object.fromEntries(
  Object.entries(program).map(([name, resource]) => [
    name,
    { ...resource, args: { ...resource.args, waitForResults: undefined } },
  ]),
);

it("the engine calls the plugin exactly as in the recorded fixture", async () => {
  const stack = await Stack.startWith("native", traceEmulator);
  try {
    const entries = Object.entries(first).map(([name, resource]) => [
      name,
      { ...resource, args: { ...resource.args, ...changes[name] } },
    ]);
    await stack.secret("password", "first-passw0rd");
    await stack.secret("secondPassword", "second-passw0rd");
    const log = join(stack.folder, "grpc.json");
    stack.environment["PULUMI_DEBUG_GRPC"] = log;
    const args = ["--yes", "--skip-preview", "--parallel", "1"];
    stack.declare(first);
    await stack.must("up", ...args);
    stack.declare(Object.fromEntries(entries) as Program);
    await stack.must("preview", "--parallel", "1");
    await stack.must("up", ...args);
    await stack.must("refresh", ...args);
    await stack.must("destroy", ...args);
    const operations = callsInLog("life", readFileSync(log, "utf8"), stack.emulator.url);
    expect(asked(operations)).toEqual(asked(recorded("life", stack.emulator.url)));
  } finally {
    await stack.end();
  }
});
