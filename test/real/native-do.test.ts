/** Runs the commands of docs/recipes.md with `pulumi do` through the native plugin. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../support/process";
import { Stack } from "./support/stack";

const plugin = "./node_modules/pulumi-endpoint-monitoring/plugin/pulumi-resource-endpoint-monitoring";
const [label, gateway] = ["endpoint-monitoring:index:Label", "endpoint-monitoring:index:AgentToServerTest"];
const now = ["--stateless", "--yes"];

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.startWith("native");
  Object.assign(stack.environment, {
    ENDPOINT_MONITORING_BASE_URL: stack.emulator.url,
    ENDPOINT_MONITORING_TOKEN: "emulator-token",
  });
});
afterAll(() => stack.end());

const command = (...args: string[]): Promise<Pick<Run, "stdout" | "text">> => stack.must("do", "--package", plugin, ...args);
/** Returns a command's JSON output. */
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await command(...args, "--output", "json")).stdout);
const stored = (collection: string, id: string): Promise<Record<string, unknown>> => stack.stored(collection, id);

it("pulumi do creates, lists, reads, patches and deletes a label", async () => {
  // Enumeration properties have no flags.
  const inFile = 'matchType = "or"\nfilters = [{ key = "platform", values = ["Mac"] }]\n';
  writeFileSync(join(stack.folder, "label.pcl"), inFile);
  const input = ["--input", "pcl", "--input-file", "label.pcl"];
  const named = ["--name", "Office", "--input:color", "#112233"];
  const created = (await json(label, "create", ...named, ...input, ...now)) as { id: string };
  expect(created).toMatchObject({ name: "Office", color: "#112233", filters: [{ key: "platform", values: ["Mac"] }] });
  const { id } = created;
  expect(await json(label, "list")).toEqual([{ id, name: "Office" }]);
  expect(await json(label, "list", "--account-group-id", "1002")).toEqual([]);
  expect(await json(label, "read", id)).toMatchObject({ id, name: "Office", color: "#112233" });
  await command(label, "patch", id, "--name", "Offices", ...now);
  expect(await stored("labels", id)).toMatchObject({ name: "Offices", color: "#112233" });
  expect(await json("endpoint-monitoring:index:getLabel", "--id", id)).toMatchObject({ result: { name: "Offices" } });
  await command(label, "delete", id, ...now);
  expect(await stack.ids("labels")).toEqual([]);
});

it("pulumi do creates a test from flags", async () => {
  const flags = ["--test-name", "Gateway", "--server", "vpn.example.com", "--port", "8443", "--is-enabled=false"];
  const { id } = (await json(gateway, "create", ...flags, ...now)) as { id: string };
  expect(await stored("agent-to-server-tests", id)).toMatchObject({ isEnabled: false, port: 8443, interval: 60 });
  await command(gateway, "patch", id, "--interval", "300", ...now);
  expect(await stored("agent-to-server-tests", id)).toMatchObject({ isEnabled: false, port: 8443, interval: 300 });
  expect(await json(gateway, "list")).toEqual([{ id, name: "Gateway" }]);
  await command(gateway, "delete", id, ...now);
});

it("pulumi do lists agents", async () => {
  const agents = (await json("endpoint-monitoring:index:EndpointAgent", "list", "--count", "2")) as { id: string }[];
  expect(agents).toHaveLength(2);
  const missing = await stack.run("do", "--package", plugin, label, "read", "400000000000999");
  expect(missing.text).toContain("There is no label 400000000000999 in the selected account group.");
  expect(missing.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
  // The CLI uses `--color` for its own colors.
  const color = await stack.run("do", "--package", plugin, label, "create", "--color", "#112233", ...now);
  expect(color.text).toContain("unsupported color option: '#112233'");
});
