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
    help: "Run this test only: its name in the program or in the service, or its id; repeatable",
  },
  agent: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Before an update: run the declared tests on this agent: its name, its computer's name or its id; repeatable",
  },
  all: { type: "boolean", help: "Run every test of the stack" },
  "min-availability": {
    type: "string",
    value: "PERCENT",
    help: `Smallest share of agents that must reach the target (default ${verifyDefaults.minAvailability}: every one)`,
  },
  "max-loss": { type: "string", value: "PERCENT", help: "Largest packet loss on the path, for tests that probe the network" },
  "max-latency": { type: "string", value: "MS", help: "Largest average latency, for tests that probe the network" },
  "max-response-time": { type: "string", value: "MS", help: "Largest response time, for HTTP server tests" },
  rounds: {
    type: "string",
    value: "N",
    help:
      "Start no test. Wait for the next N scheduled rounds, and compare each with the limits. A dynamic test has rounds only while users " +
      "are in sessions",
  },
  "min-agents": {
    type: "string",
    value: "N",
    help: "Number of agents whose results are required (default: every agent that the test names, otherwise 1)",
  },
  "wait-for-more": {
    type: "string",
    value: "SECONDS",
    help: `Keep waiting for more agents until none has answered for SECONDS (default ${verifyDefaults.waitForMore})`,
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help:
      `Longest wait for the results of a test (default ${verifyDefaults.timeout}; with --rounds N, N + 1 times the longest interval ` +
      "plus 120)",
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
    "Runs the tests that the last `pulumi up` changed, once, and compares the agents' measurements with limits. With --agent, it runs " +
    "the tests that the program declares, before an update.",
  examples: [
    "pulumi up --yes && {} verify --max-loss 5 --max-response-time 800",
    "pulumi up --yes && {} verify --rounds 2",
    "{} verify --agent lon-0001 --agent nyc-0002 --max-response-time 800",
  ],
  details: `A test also counts as changed if a label, tag or agent that it names changed, and as long as it has not passed since an earlier verification failed: the stack remembers that in its tag ${memoryTag}. Disabled tests are skipped. Without --rounds, dynamic tests are also skipped, because the service cannot start them.

Each selected agent must meet the limits in a round that begins after this command. The table shows the worst measurement. An agent does not reach the target if it returns no result in time, name resolution, connection or TLS fails, or the status is 400 or higher. A limit is not met if an agent did not measure the value. A lower --min-availability allows agents that do not reach the target; at least one agent must then measure each value.

With --agent, it runs the program as validate does, with the secrets of the stack's configuration. It creates an instant test for each agent-to-server and HTTP-server test that the program declares, with the same target and settings, on the agents that you name. It changes neither the state nor a declared record. The service keeps instant tests, which cannot be deleted. Tests with a property that is unknown until the update are skipped.`,
  options,
  exitCodes: {
    0: "every test passed or was skipped",
    2: "some tests failed",
    3: "inconclusive: no test failed, but some have too few measurements",
  },
});
