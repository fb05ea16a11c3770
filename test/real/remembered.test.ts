/** Compares remembered responses of the engine (support/remembered.ts) with the engine's current answers. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Stack } from "./support/stack";

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack.end());

/** Returns the number of stored responses, not counting the script. */
const kept = (): number => readdirSync(stack.remembered).length - 1;
const baseUrl = async (): Promise<string | undefined> => {
  const { stdout } = await stack.must("config", "--json", "--show-secrets");
  return (JSON.parse(stdout) as Record<string, { value?: string }>)["endpoint-monitoring:baseUrl"]?.value;
};
const stacks = async (): Promise<string[]> =>
  (JSON.parse((await stack.must("stack", "ls", "--json")).stdout) as { name: string }[]).map(({ name }) => name);

test("the test cache repeats an engine's response until the stack, its files or the environment change", async () => {
  const { url } = stack.emulator;
  expect([await baseUrl(), await baseUrl(), await stacks(), await stacks(), kept()]).toEqual([url, url, ["dev"], ["dev"], 2]);
  stack.configure({ baseUrl: "http://127.0.0.1:1" });
  await stack.add("prod");
  expect([await baseUrl(), await stacks(), kept()]).toEqual(["http://127.0.0.1:1", ["dev", "prod"], 4]);
  stack.configure({ baseUrl: url });
  expect([await baseUrl(), kept()]).toEqual([url, 5]);
  stack.environment["PULUMI_BACKEND_URL"] = `file://${join(stack.folder, "home")}`;
  expect([await stacks(), kept()]).toEqual([[], 5]);
  delete stack.environment["PULUMI_BACKEND_URL"];
});

test("the test cache does not store the result of a failed Pulumi command", async () => {
  const before = kept();
  for (let times = 0; times < 2; times += 1) {
    expect((await stack.run("stack", "export", "--stack", "none")).code).not.toBe(0);
    await stack.must("config", "set", "test:times", `${times}`);
    expect((await stack.must("config", "get", "test:times")).stdout).toBe(`${times}\n`);
  }
  expect(kept()).toBe(before);
});
