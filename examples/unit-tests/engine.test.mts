/** Runs the program on the engine against an emulator, which creates, updates and deletes the tests. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { automation } from "@pulumi/pulumi";
import { createClient } from "pulumi-endpoint-monitoring/api";
import { start, type Emulator } from "pulumi-endpoint-monitoring/emulator";

let emulator: Emulator;
let client: ReturnType<typeof createClient>;
let stack: automation.Stack;
const gatewayTests = ["Gateway vpn-eu.example.com", "Gateway vpn-us.example.com"];
const backend = mkdtempSync(join(tmpdir(), "unit-tests-"));

before(async () => {
  emulator = await start({ rateLimit: "off" });
  client = createClient({ baseUrl: emulator.url, token: "emulator-token" });
  await client.labels.create({ body: { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] } });
  stack = await automation.LocalWorkspace.createOrSelectStack(
    { stackName: "test", workDir: process.cwd() },
    { envVars: { PULUMI_BACKEND_URL: `file://${backend}`, PULUMI_CONFIG_PASSPHRASE: "test" } },
  );
  await stack.setAllConfig({
    "endpoint-monitoring:baseUrl": { value: emulator.url },
    "endpoint-monitoring:token": { value: "emulator-token", secret: true },
  });
});

after(async () => {
  await stack?.workspace.removeStack("test");
  await client?.close();
  await emulator?.close();
  rmSync(backend, { recursive: true, force: true });
});

test("an update creates both gateway tests, and destroy deletes both tests", async () => {
  await stack.up();
  const { tests } = await client.agentToServerTests.list();
  const { labels } = await client.labels.list();
  assert.deepEqual(new Set(tests.map(({ testName }) => testName)), new Set(gatewayTests));
  for (const { agentSelectorConfig } of tests) {
    assert.deepEqual(agentSelectorConfig?.endpointAgentLabels, [labels[0]?.id]);
  }

  await stack.preview({ expectNoChanges: true });

  await stack.destroy();
  assert.deepEqual((await client.agentToServerTests.list()).tests, []);
});
