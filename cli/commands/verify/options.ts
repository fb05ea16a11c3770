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
    help: "Run this test only: its name in the program or the service, or its id; repeatable",
  },
  agent: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Run the declared tests before an update, on this agent (name, host name or id); repeatable",
  },
  all: { type: "boolean", help: "Run every test of the stack" },
  "min-availability": {
    type: "string",
    value: "PERCENT",
    help: `Minimum percentage of agents that reach the target (default ${verifyDefaults.minAvailability})`,
  },
  "max-loss": { type: "string", value: "PERCENT", help: "Maximum packet loss on the path" },
  "max-latency": { type: "string", value: "MS", help: "Maximum average latency" },
  "max-response-time": { type: "string", value: "MS", help: "Maximum response time, for HTTP server tests" },
  rounds: {
    type: "string",
    value: "N",
    help: "Start no test. Wait for the next N scheduled rounds. A dynamic test has rounds only during user sessions",
  },
  "min-agents": {
    type: "string",
    value: "N",
    help: "Number of required results (default: every agent that the test names, otherwise 1)",
  },
  "wait-for-more": {
    type: "string",
    value: "SECONDS",
    help: `Wait for further agents until none has answered for SECONDS (default ${verifyDefaults.waitForMore})`,
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help: `Maximum wait for the results of a test (default ${verifyDefaults.timeout}, with --rounds N at least N + 1 intervals)`,
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
  summary: "Run the tests of an update, and check their results",
  about:
    "Runs the tests that the last `pulumi up` changed, once, and compares the agents' measurements with limits. With --agent, it runs " +
    "the tests that the program declares, before an update.",
  examples: [
    "pulumi up --yes && {} verify --max-loss 5 --max-response-time 800",
    "{} verify --agent lon-0001 --agent nyc-0002 --max-response-time 800",
  ],
  details: `A test also counts as changed if a label, tag or agent that it names changed, or if it failed the last verification: the stack's tag ${memoryTag} remembers that. Disabled tests are skipped, and without --rounds dynamic tests, which the service cannot start.

Each selected agent must meet the limits in a round that begins after this command. It fails if it returns no result in time, if name resolution, connection or TLS fails, or if the status is 400 or higher. --min-availability tolerates failed agents, as long as one agent measures each value.

With --agent, it runs the program with the stack's secrets, and creates an instant test for each declared agent-to-server and HTTP server test. State and declared records do not change. Instant tests cannot be deleted. Tests with unknown properties are skipped.`,
  options,
  exitCodes: {
    0: "every test passed or was skipped",
    2: "some tests failed",
    3: "inconclusive: no test failed, but some tests have too few measurements",
  },
});
