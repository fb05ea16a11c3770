/** A unit test. Pulumi's mocks replace the engine, and the test sets the results of functions. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { monitoringMocks } from "pulumi-endpoint-monitoring/testing";

const mocks = monitoringMocks({
  functions: { getLabel: ({ name }) => ({ id: "400000000000007", name }) },
});

/** Waits for the value of an output. */
function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => void output.apply(resolve));
}

before(async () => {
  await pulumi.runtime.setMocks(mocks, "unit-tests", "test");
  // A program registers its resources while it loads, so load it after the mocks.
  const program = new URL("index.ts", import.meta.url).href;
  const { gateways } = (await import(program)) as typeof import("./index.js");
  await Promise.all(gateways.map((gateway) => valueOf(gateway.id)));
});

test("both gateway tests select agents by the office's label", () => {
  assert.equal(mocks.resources.length, 2);
  for (const { name, inputs } of mocks.resources) assert.deepEqual(inputs["endpointAgentLabels"], ["400000000000007"], name);
});

test("no test runs more than once in 5 minutes or on more than 25 agents", () => {
  for (const { name, inputs } of mocks.resources) {
    assert.ok(Number(inputs["interval"]) >= 300, name);
    // Omitted properties have the service's defaults.
    assert.ok(Number(inputs["maxMachines"]) <= 25, name);
  }
});
