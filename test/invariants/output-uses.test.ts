/** Compares outputs that the SDK creates when a program first reads them with outputs that it creates with the resource. */
import { runtime } from "@pulumi/pulumi";
import * as dynamicResources from "../../sdk";
import * as nativePlugin from "../../sdk/native";
import { membersOf, resultOf, uses } from "../support/api/output-uses";

const computed = { testId: "7", unknownFields: ["color"], unmanagedFields: { color: "red", owner: { name: "Ada" } } };

// The SDK reads a stack trace for each promise, and Jest maps each of its lines to the sources.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
  // The plugin's classes read it.
  process.env["PULUMI_DEBUG_PROVIDERS"] = "endpoint-monitoring:1";
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
  delete process.env["PULUMI_DEBUG_PROVIDERS"];
});
afterEach(() => delete process.env["ENDPOINT_MONITORING_LAZY_OUTPUTS"]);

function declare({ HttpServerTest }: Pick<typeof dynamicResources, "HttpServerTest">, setting: "on" | "off") {
  process.env["ENDPOINT_MONITORING_LAZY_OUTPUTS"] = setting;
  return new HttpServerTest("test", {
    testName: "Test",
    url: "https://example.com",
    agentSelectorType: "all-agents",
    authType: "basic",
    username: "monitor",
    password: "secret",
  });
}

describe.each([
  ["dynamic resources", "before the engine's response", dynamicResources],
  ["dynamic resources", "after the engine's response", dynamicResources],
  ["dynamic resources", "in a preview", dynamicResources],
  ["the native plugin", "before the engine's response", nativePlugin],
] as const)("outputs of %s, %s", (_, time, front) => {
  beforeAll(() =>
    runtime.setMocks(
      {
        newResource: ({ inputs }) => ({ id: "1", state: { ...(inputs as object), ...computed } }),
        call: () => ({}),
      },
      "project",
      "stack",
      time === "in a preview",
    ),
  );

  it.each(uses)("lazy outputs give the same result as outputs that the SDK creates immediately: %s", async (__, use) => {
    const [lazy, eager] = [declare(front, "on"), declare(front, "off")];
    if (time === "after the engine's response") for (const { id } of [lazy, eager]) await membersOf(id)["isKnown"];
    expect(await resultOf(use, lazy)).toEqual(await resultOf(use, eager));
  });
});
