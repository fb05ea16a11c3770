/** A unit test: Pulumi's mocks stand in for the engine, and the test says what functions return. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { monitoringMocks } from "pulumi-endpoint-monitoring/testing";

const mocks = monitoringMocks({
  functions: { getLabel: ({ name }) => ({ id: "400000000000007", name }) },
});

/** The value that an output has in the end. */
function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => void output.apply(resolve));
}

before(async () => {
  await pulumi.runtime.setMocks(mocks, "unit-tests", "test");
  // Only now: a program registers its resources when it is loaded.
  const program = new URL("index.ts", import.meta.url).href;
  const { gateways } = (await import(program)) as typeof import("./index.js");
  await Promise.all(gateways.map((gateway) => valueOf(gateway.id)));
});

test("both gateways are tested from the office", () => {
  assert.equal(mocks.resources.length, 2);
  for (const { name, inputs } of mocks.resources) assert.deepEqual(inputs["endpointAgentLabels"], ["400000000000007"], name);
});

test("no test runs more often than every 5 minutes, or on more than 25 agents", () => {
  for (const { name, inputs } of mocks.resources) {
    assert.ok(Number(inputs["interval"]) >= 300, name);
    // What the program omits has the default of the service.
    assert.ok(Number(inputs["maxMachines"]) <= 25, name);
  }
});
