import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { exitCodes, options as bounds, verifyDefaults } from "../verify/options";

const options = {
  stack: stackOption("take the configuration of"),
  agent: {
    type: "string",
    multiple: true,
    value: "NAME|ID",
    help: "Agent that runs the tests, by its name, its computer's name or its id; repeatable",
  },
  test: { type: "string", multiple: true, value: "NAME", help: "This test alone, by its name in the program; repeatable" },
  "min-availability": bounds["min-availability"],
  "max-loss": bounds["max-loss"],
  "max-latency": bounds["max-latency"],
  "max-response-time": bounds["max-response-time"],
  "min-agents": bounds["min-agents"],
  settle: bounds.settle,
  timeout: {
    type: "string",
    value: "SECONDS",
    help: `Longest wait for the results of a test (default ${verifyDefaults.timeout})`,
  },
  ...reportOptions,
} as const satisfies OptionSpecs;

export type TestValues = Values<typeof options>;

export const test = defineCommand({
  name: "test",
  summary: "Run the program's tests on chosen agents, before an update",
  about:
    "Runs what the program declares as instant tests on the agents that you choose, before any `pulumi up`, and compares what they " +
    "measure with bounds, as `verify` does after an update.",
  examples: ["{} test --agent your-computer", "{} test --agent lon-0001 --agent nyc-0002 --max-response-time 800"],
  details: `It runs the program as validate does, with the secrets of the stack's configuration, and creates an instant test for each agent-to-server and HTTP-server test that it declares: with the same target and settings, and with the agents that you name in place of those that it selects. It changes neither the state nor any record that the program declares. The service keeps instant tests, which cannot be deleted.

Disabled and dynamic tests are skipped, and tests of which a property is known only after an update. Bounds and outcomes are those of verify.`,
  options,
  exitCodes,
});
