import { join } from "node:path";
import { installLimitMs } from "../emulator/clients/python";
import { kindCases } from "../support/kinds";
import { ObjectStore } from "./support/object-store";
import { type Run, Stack } from "./support/stack";

let store: ObjectStore;
let stack: Stack;
beforeAll(async () => {
  store = await ObjectStore.start();
  stack = await Stack.startWith("native", { agents: 20 });
  Object.assign(stack.environment, store.environment);
  await stack.must("stack", "init", "shared", "--secrets-provider", "passphrase");
  stack.configure({ baseUrl: stack.emulator.url, readLag: "0" }, "shared");
  await stack.must("config", "set", "--secret", "endpoint-monitoring:token", "emulator-token");
}, installLimitMs + 300_000);
afterAll(async () => {
  await stack.end();
  await store.end();
});

const label = (name: string): { kind: string; args: object } => ({ kind: "Label", args: { ...kindCases.label.minimal, name } });
const approval = (): string => join(stack.folder, "approval.json");
/** Runs a command on the stack. Fails unless it exits with the given code. */
async function command(code: number, ...args: string[]): Promise<Run> {
  const run = await stack.cli(...args);
  expect([args[0], run.code, run.code === code ? "" : run.text]).toEqual([args[0], code, ""]);
  return run;
}

it("all commands work with a state in an object store", async () => {
  stack.declare({ office: label("Office") });
  await stack.must("up", "--yes", "--skip-preview");
  expect(await store.names()).toContain(".pulumi/stacks/test/shared.json");
  await command(0, "check");

  stack.declare({ office: label("Main office"), branch: label("Branch") });
  expect((await command(0, "review", "--approval", approval())).text).toContain("Main office");
  await command(0, "rehearse");
  await command(0, "apply", "--approved", approval());
  const ids = await stack.ids("labels");
  expect(ids).toHaveLength(2);

  const [id = ""] = ids;
  await stack.change("label", id, { name: "Changed by hand" });
  expect((await command(2, "drift")).text).toContain("Changed by hand");
  await command(0, "drift", "--fix");
  await command(0, "drift");
  expect((await stack.stored("labels", id))["name"]).toBe("Main office");

  await stack.must("destroy", "--yes", "--skip-preview");
  expect(await stack.ids("labels")).toEqual([]);
});
