/**
 * Follows the debugging guide: its file, loaded into each Node process of the engine, stops only the provider for a debugger.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/port";
import { plainEnv, repository, runNode, startProcess } from "../support/process";
import { Stack } from "./support/stack";
import { temporary } from "../support/temporary";

/** Plays a debugger: attaches, sets a breakpoint, reads a value there, and continues. */
const debuggerClient = String.raw`
const [port, file, line] = process.argv.slice(1);
const listed = async () => {
  for (;;) {
    const found = await fetch("http://127.0.0.1:" + port + "/json").then((answer) => answer.json()).catch(() => []);
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
listed().then(async ([target]) => {
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  let sent = 0;
  const waiting = new Map();
  const call = (method, params = {}) => new Promise((resolve) => {
    waiting.set(++sent, resolve);
    socket.send(JSON.stringify({ id: sent, method, params }));
  });
  const paused = new Promise((resolve) => socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.method === "Debugger.paused" && message.params.hitBreakpoints?.length > 0) resolve(message.params.callFrames[0]);
    waiting.get(message.id)?.(message.result);
  }));
  await call("Debugger.enable");
  const { breakpointId } = await call("Debugger.setBreakpointByUrl", { urlRegex: file + "$", lineNumber: Number(line) });
  await call("Runtime.runIfWaitingForDebugger");
  const frame = await paused;
  const evaluate = async (expression) => (await call("Debugger.evaluateOnCallFrame", { callFrameId: frame.callFrameId, expression })).result.value;
  console.log(JSON.stringify({ script: await evaluate("process.argv[1]"), kind: await evaluate("this.kind.name"), name: await evaluate("declared.name") }));
  await call("Debugger.removeBreakpoint", { breakpointId });
  await call("Debugger.resume");
  socket.close();
});`;

const guide = readFileSync(join(repository, "docs/debugging.md"), "utf8");

/** Returns the guide's file with another port. */
function snippetAt(port: number): string {
  const [, snippet = ""] = /```js\n(.*?)```/s.exec(guide) ?? [];
  expect(snippet).toContain("9229");
  return snippet.replace("9229", String(port));
}

it("a debugger stops in the provider process", async () => {
  const stack = await Stack.start();
  try {
    const port = await freePort();
    writeFileSync(join(stack.folder, "debug-provider.cjs"), snippetAt(port));
    const required = `--require=${join(stack.folder, "debug-provider.cjs")}`;
    Object.assign(stack.environment, { NODE_OPTIONS: `${stack.env["NODE_OPTIONS"] ?? ""} ${required}` });
    stack.declare({ office: { kind: "Label", args: { name: "Office", matchType: "or", filters: [] } } });

    const file = "dist/provider/lifecycle.js";
    const lines = readFileSync(join(repository, file), "utf8").split("\n");
    const line = lines.findIndex((text) => text.includes("check(declared, properties")) + 1;
    expect(line).toBeGreaterThan(0);
    const preview = stack.start("preview");
    const client = await runNode(["-e", debuggerClient, "--", String(port), file, String(line)], { cwd: stack.folder });
    expect(JSON.parse(client.stdout)).toEqual({
      script: expect.stringMatching(/dynamic-provider|pulumi-resource-pulumi-nodejs/),
      kind: "Label",
      name: "Office",
    });
    const { code, text } = await preview.ended;
    expect(text).toMatch(/office\s+create/);
    expect(code).toBe(0);
  } finally {
    await stack.end();
  }
});

it("only the provider process opens the debugger port", async () => {
  const folder = temporary();
  const port = await freePort();
  const file = join(folder, "debug-provider.cjs");
  writeFileSync(file, snippetAt(port));
  const script = `found=$(node -e "console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))"); exec node "$found" 127.0.0.1:1`;
  const env = plainEnv({ NODE_OPTIONS: `--require=${file}` });
  const provider = startProcess("sh", ["-c", script], { cwd: repository, env });
  while (!provider.said().text.includes("Debugger listening")) await new Promise((resolve) => setTimeout(resolve, 50));
  provider.kill();
  const { text } = await provider.ended;
  expect(text.match(/Debugger listening on ws:\/\/127\.0\.0\.1:\d+/g)).toEqual([
    `Debugger listening on ws://127.0.0.1:${port}`,
  ]);
});
