import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";

/** Defaults of the options, in seconds and percent. */
export const verifyDefaults = { timeout: 120, waitForMore: 5, minAvailability: 100 };

/** Stack tag with the ids of tests that have not passed since they failed. */
export const memoryTag = "endpoint-monitoring:unverified";

const options = {
  stack: stackOption("verify"),
  test: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Run only this test, which has this name in the program or the service, or this id; repeatable",
  },
  agent: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Before an update, run the declared tests on this agent (name, host name or id); repeatable",
  },
  all: { type: "boolean", help: "Run every test of the stack" },
  "min-availability": {
    type: "string",
    value: "PERCENT",
    help: `Minimum percentage of agents that reach the target (default ${verifyDefaults.minAvailability})`,
  },
  "max-loss": { type: "string", value: "PERCENT", help: "Maximum packet loss on the path" },
  "max-latency": { type: "string", value: "MS", help: "Maximum average latency" },
  "max-response-time": { type: "string", value: "MS", help: "Maximum response time of HTTP server tests" },
  rounds: {
    type: "string",
    value: "N",
    help: "Do not start tests, but wait for their next N scheduled rounds. A dynamic test has rounds only during user sessions",
  },
  "min-agents": {
    type: "string",
    value: "N",
    help: "Minimum number of agents with a result (default: every agent that the test names, otherwise 1)",
  },
  "wait-for-more": {
    type: "string",
    value: "SECONDS",
    help: `Wait for further agents until none has answered for SECONDS (default ${verifyDefaults.waitForMore})`,
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help: `Maximum time to wait for the results of a test (default ${verifyDefaults.timeout}; with --rounds N, at least N + 1 intervals)`,
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
  summary: "Run the tests that an update changed, and check the results",
  about:
    "Runs each test that the last `pulumi up` changed, and compares the agents' measurements with limits. With --agent, it runs the " +
    "tests that the program declares, before you update.",
  examples: [
    "pulumi up --yes && {} verify --max-loss 5 --max-response-time 800",
    "{} verify --agent lon-0001 --agent nyc-0002 --max-response-time 800",
  ],
  details: `A test also counts as changed if a label, tag or agent that it names changed, or if the test failed the last verification. The stack's tag ${memoryTag} stores these failures. Disabled tests are skipped. Dynamic tests are skipped without --rounds, because the service cannot start them.

Each selected agent must meet the limits in a round that begins after this command starts. An agent fails if it returns no result in time, if name resolution, connection or TLS fails, or if the HTTP status is 400 or higher. --min-availability tolerates failed agents if at least one agent measures each value.

With --agent, it runs the program with the stack's secrets, and creates an instant test for each declared agent-to-server and HTTP server test. State and declared records do not change. Instant tests cannot be deleted. Tests with unknown properties are skipped.`,
  options,
  exitCodes: {
    0: "every test passed or was skipped",
    2: "some tests failed",
    3: "inconclusive: no test failed, but some tests have too few measurements",
  },
});
