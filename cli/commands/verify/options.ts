import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";

/** Defaults of options: seconds and percent. */
export const verifyDefaults = { timeout: 120, waitForMore: 5, minAvailability: 100 };

/** Name of the stack's tag that holds the ids of tests which have not passed since they were red. */
export const memoryTag = "endpoint-monitoring:unverified";

const options = {
  stack: stackOption("verify"),
  test: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "This test instead, by its name in the program or in the service, or by its id; repeatable",
  },
  agent: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Before an update: run the tests that the program declares on this agent, by its name, its computer's name or its id; repeatable",
  },
  all: { type: "boolean", help: "Every test of the stack instead" },
  "min-availability": {
    type: "string",
    value: "PERCENT",
    help: `Least share of agents that reach the target (default ${verifyDefaults.minAvailability}: every one)`,
  },
  "max-loss": { type: "string", value: "PERCENT", help: "Most loss on the path, of tests that probe the network" },
  "max-latency": { type: "string", value: "MS", help: "Most average latency, of tests that probe the network" },
  "max-response-time": { type: "string", value: "MS", help: "Most response time, of tests of HTTP servers" },
  rounds: {
    type: "string",
    value: "N",
    help:
      "Run nothing, and wait for N scheduled rounds that begin from now on: each of them is held to the bounds. A dynamic test has " +
      "rounds while users are in sessions",
  },
  "min-agents": {
    type: "string",
    value: "N",
    help: "Agents whose results are needed (default: every agent that the test names, else 1); the others do not count",
  },
  "wait-for-more": {
    type: "string",
    value: "SECONDS",
    help: `Go on waiting for others, until none has answered for so long (default ${verifyDefaults.waitForMore})`,
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help:
      `Longest wait for the results of a test (default ${verifyDefaults.timeout}; with --rounds N, N + 1 times the longest interval ` +
      "and 120 more)",
  },
  "require-tests": {
    type: "boolean",
    help: "Exit with code 3 if no test was measured, unless the update left all tests unchanged",
  },
  ...reportOptions,
} as const satisfies OptionSpecs;

export type VerifyValues = Values<typeof options>;

export const verify = defineCommand({
  name: "verify",
  summary: "Measure the tests of an update, after or before it",
  about:
    "Runs the tests that the last `pulumi up` changed, once and at once, and compares what agents measure with bounds. With --agent it " +
    "runs the tests that the program declares, before any update.",
  examples: [
    "pulumi up --yes && {} verify --max-loss 5 --max-response-time 800",
    "pulumi up --yes && {} verify --rounds 2",
    "{} verify --agent lon-0001 --agent nyc-0002 --max-response-time 800",
  ],
  details: `A test counts as changed, too, when a label or an agent that it names was changed, and until it passes if an earlier verification left it without a pass: the stack remembers that in its tag ${memoryTag}. Disabled tests are skipped, and without --rounds dynamic ones: they are not run at will. One that has not passed since it was red has no verdict then.

The bounds are for each agent that counts; the table shows the worst that any of them measured. An agent counts that the test selects, with a round that began after this command by the clock of the service. An agent that the test names and that returns nothing in time does not reach the target. Nor does one for which the name is not resolved, the connection or TLS is refused, no answer comes, or the answer has a status of 400 or more. A bound whose figure an agent did not measure is not met. A lower --min-availability allows agents that do not reach the target; at least one agent then has to measure each figure.

With --agent, it runs the program as validate does, with the secrets of the stack's configuration. It creates an instant test for each agent-to-server and HTTP-server test that the program declares, with the same target and settings, on the agents that you name. It changes neither the state nor a declared record. The service keeps instant tests, which cannot be deleted. Tests with a property that is unknown until the update are skipped.`,
  options,
  exitCodes: {
    0: "every test passed or was skipped",
    2: "some tests failed",
    3: "no verdict: no test failed, but some have too few measurements",
  },
});
