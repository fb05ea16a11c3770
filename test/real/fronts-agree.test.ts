/** Compares the commands' results for one stack with both provider types. Only type tokens and the module name may differ. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/process";
import { type Front, fronts, type Run, Stack } from "./support/stack";

const source = (module: string, after: boolean): string => `const pulumi = require("@pulumi/pulumi");
const { AgentToServerTest, EndpointAgent, EndpointAgentTag, HttpServerTest, Label } = require("${module}");

const config = new pulumi.Config();
const office = new Label("office", {
  name: "Office",
  matchType: "or",
  filters: [{ key: "platform", values: [${after ? '"Windows"' : '"Mac"'}] }],
});
new EndpointAgentTag("emea", {
  key: "team", value: "emea", color: "#3366cc", matchType: "or", filters: [{ key: "hostname", values: ["emea-*"] }],
});
new AgentToServerTest("gateway", {
  testName: "Gateway",
  server: "127.0.0.1",
  port: 9,
  maxMachines: ${after ? 60 : 25},
  interval: 3600,
});
new AgentToServerTest("branch", {
  testName: "Branch", server: "127.0.0.1", port: 9, interval: 3600,
  agentSelectorType: "agent-labels", endpointAgentLabels: [office.id],
});
new HttpServerTest("portal", {
  testName: "Portal", url: "http://127.0.0.1:9/", interval: 3600,
  authType: "basic", username: "probe", password: config.requireSecret("password"),
});
new EndpointAgent("kiosk", { agentId: "ccf33e48-2be7-489d-b0c0-ed2313deab9f", agentName: "Kiosk", licenseType: "essentials" });
${after ? 'new Label("added", { name: "Added", matchType: "and", filters: [] });' : 'new Label("removed", { name: "Removed", matchType: "and", filters: [] });'}
`;
/** \`validate\` reports its mistakes. */
const wrong = (module: string): string => `const { AgentToServerTest, Label } = require("${module}");
new Label("office", { name: "", matchType: "some", filters: [] });
new AgentToServerTest("gateway", { testName: "Gateway", server: "127.0.0.1", interval: 61 });
`;

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";

/** Returns the output and files of the commands on one front by name. Each front has its own service at the same URL. */
async function outputsOn(front: Front, port: number): Promise<{ outputs: Record<string, unknown>; port: number }> {
  const stack = await Stack.start({ agents: 30, port, rateLimit: 240 });
  symlinkSync(join(repository, "node_modules/typescript"), join(stack.folder, "node_modules/typescript"), "dir");
  const outputs: Record<string, unknown> = {};
  // Values that differ in each run or name the front.
  const aliases = new Map<string, string>();
  const names = new Map<string, string>();
  const alike = (original: string): string =>
    [...names]
      .reduce((text, [id, name]) => text.replaceAll(id, `{id of ${name}}`), original)
      .replaceAll(stack.folder, "{folder}")
      .replaceAll("pulumi-endpoint-monitoring/native", "pulumi-endpoint-monitoring")
      .replaceAll("pulumi-nodejs:dynamic/endpoint-monitoring:", "endpoint-monitoring:index:")
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!aliases.has(id)) aliases.set(id, `{uuid ${aliases.size}}`);
        return aliases.get(id) ?? "";
      })
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d UTC|(?<="roundId":)\d+/g, "{time}")
      .replaceAll(/\d+(?= of \d+ requests left)/g, "{left}")
      .replaceAll(/(?<="ciphertext":")[^"]+/g, "{encrypted}");
  const take = (name: string, { code, stdout, stderr }: Run): void => {
    for (const { name: resource, id } of stack.resources()) names.set(id, resource);
    outputs[name] = { code, stdout: alike(stdout), stderr: alike(stderr) };
  };
  const read = (file: string): string => alike(readFileSync(join(stack.folder, file), "utf8"));
  try {
    stack.take(front);
    await stack.secret("password", "first-passw0rd");
    stack.write(source(stack.module, false));
    take("init", await stack.cli("init", "--dry-run", "--json"));
    // Sequential, so that ids appear in the same order.
    await stack.up("--parallel", "1");
    take("check", await stack.cli("check"));
    // Results of one round arrive in parts. Without a wait, a slow machine has only some of them.
    take("verify", await stack.cli("verify", "--test", "gateway", "--test", "portal", "--wait-for-more", "2", "--json"));

    stack.write(source(stack.module, true));
    take("validate", await stack.cli("validate"));
    // Its text is made from the same data.
    take("review, JSON", await stack.cli("review", "--json", "--fail-on", "any", "--markdown", "review.md"));
    outputs["review, Markdown"] = read("review.md");
    stack.write(wrong(stack.module));
    take("messages of validate", await stack.cli("validate", "--json"));
    stack.write(source(stack.module, false));

    const { office, branch, portal } = stack.state();
    await stack.change("label", office?.id ?? "", { name: "Headquarters", filters: [{ key: "ssid", values: ["corp-*"] }] });
    await stack.change("httpServerTest", portal?.id ?? "", { testName: "Portal of the region" });
    await stack.api("DELETE", `${aToS}/${branch?.id}?aid=1001`);
    await stack.make("label", { name: "By hand", matchType: "or", filters: [{ key: "platform", values: ["Linux"] }] });
    await stack.make("agentToServerTest", { testName: "By hand", server: "www.example.com" });
    take("drift, JSON", await stack.cli("drift", "--json", "--markdown", "drift.md"));
    outputs["drift, Markdown"] = read("drift.md");
    take("drift --accept", await stack.cli("drift", "--accept"));
    outputs["the program after drift --accept"] = read("index.js");
    outputs["the state at the end"] = stack
      .resources()
      .map(({ name, id, inputs: { __provider, __resource, ...inputs } }) => alike(JSON.stringify({ name, id, inputs })))
      .toSorted();
    return { outputs, port: Number(new URL(stack.emulator.url).port) };
  } finally {
    await stack.end();
  }
}

const bySide: Partial<Record<Front, Record<string, unknown>>> = {};
beforeAll(async () => {
  let port = 0;
  for (const front of fronts) ({ outputs: bySide[front], port } = await outputsOn(front, port));
});

it.each([
  "init",
  "check",
  "verify",
  "validate",
  "review, JSON",
  "review, Markdown",
  "messages of validate",
  "drift, JSON",
  "drift, Markdown",
  "drift --accept",
  "the program after drift --accept",
  "the state at the end",
])("dynamic resources and the native plugin give the same result for %s", (name) => {
  expect(bySide.native?.[name]).toBeDefined();
  expect(bySide.native?.[name]).toEqual(bySide.dynamic?.[name]);
});
