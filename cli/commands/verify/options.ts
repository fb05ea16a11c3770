import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";

/** Default values of the options. Times are in seconds, and the availability is in percent. */
export const verifyDefaults = { timeout: 120, waitForMore: 5, minAvailability: 100 };

/** Name of the stack tag that contains the ids of tests that did not pass their last verification. */
export const memoryTag = "endpoint-monitoring:unverified";

const options = {
  stack: stackOption("verify"),
  test: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Run only the test with this id, resource name or name in the service; repeatable",
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
    help:
      "Wait for the next N scheduled measurement rounds of each test instead of starting tests. " +
      "A dynamic test has measurement rounds only during user sessions",
  },
  "min-agents": {
    type: "string",
    value: "N",
    help: "Minimum number of agents with a result (default: all agents that the test lists, or 1 if the test lists no agents)",
  },
  "wait-for-more": {
    type: "string",
    value: "SECONDS",
    help: `Stop waiting for more results if no new result arrives within SECONDS (default ${verifyDefaults.waitForMore})`,
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help: `Maximum time to wait for the results of a test (default ${verifyDefaults.timeout}). With --rounds N, the default is (N + 1) times the longest test interval, plus 120 seconds`,
  },
  "require-tests": {
    type: "boolean",
    help: "Exit with code 3 if no test was measured. The command succeeds if the update changed no tests",
  },
  ...reportOptions,
} as const satisfies OptionSpecs;

export type VerifyValues = Values<typeof options>;

export const verify = defineCommand({
  name: "verify",
  summary: "Run the tests that an update changed, and check the results",
  about:
    "Runs each test that the last `pulumi up` changed, and compares the agents' measurements with limits. With --agent, " +
    "`verify` runs the declared tests before an update.",
  examples: [
    "pulumi up --yes && {} verify --max-loss 5 --max-response-time 800",
    "{} verify --agent lon-0001 --agent nyc-0002 --max-response-time 800",
  ],
  details: `A test also counts as changed if one of its labels, tags or agents changed, or if it failed the last verification. The stack tag ${memoryTag} stores the ids of the tests that failed. \`verify\` skips disabled tests. Without --rounds, \`verify\` also skips dynamic tests, because the service cannot start dynamic tests.

Each selected agent must meet the limits in a measurement round that begins after \`verify\` starts. An agent fails if it returns no result in time, or if name resolution, the connection or TLS fails. An agent also fails if the HTTP status is 400 or higher. With --min-availability, some agents may fail, as long as at least one agent measures each value.

With --agent, \`verify\` runs the program with the stack's secrets. For each declared agent-to-server or HTTP server test, \`verify\` creates an instant test. The stack's state and the declared records do not change. Instant tests cannot be deleted. \`verify --agent\` skips tests with properties that are unknown before the update.`,
  options,
  exitCodes: {
    0: "every test passed or was skipped",
    2: "some tests failed",
    3: "inconclusive: no test failed, but some tests have too few measurements",
  },
});
