import { memoryTag, verifyDefaults } from "./options";

export const help = `Runs the tests that the last \`pulumi up\` changed, once and at once, and compares what agents measure with bounds.

Usage: endpoint-monitoring verify [OPTIONS]

With --rounds it runs nothing: it waits for the rounds that the service schedules, of dynamic tests, too.

Which tests:
  --stack NAME            Stack whose last update is looked at (default: the selected one, or the only one)
  --test NAME|ID          This test instead, by its name in the program or in the service, or by its id; repeatable
  --all                   Every test of the stack instead
  A test counts as changed, too, when a label or an agent that it names was changed, and until it passes if an earlier verification
  left it without a pass: the stack remembers that in its tag ${memoryTag}. Disabled tests are skipped, and without
  --rounds dynamic ones: they are not run at will. One that has not passed since it was red has no verdict then.

Bounds, for each agent that counts; the table shows the worst that any of them measured:
  --min-availability PERCENT  Least share of agents that reach the target (default ${verifyDefaults.minAvailability}: every one)
  --max-loss PERCENT          Most loss on the path, of tests that probe the network
  --max-latency MS            Most average latency, of tests that probe the network
  --max-response-time MS      Most response time, of tests of HTTP servers
  An agent counts that the test selects, with a round that began after this command by the clock of the service. An agent that the test
  names and that returns nothing in time does not reach the target. Nor does one for which the name is not resolved, the connection or
  TLS is refused, no answer comes, or the answer has a status of 400 or more. A bound whose figure an agent did not measure is not met. A
  lower --min-availability allows agents that do not reach the target; at least one agent then has to measure each figure.

Rounds:
  --rounds N              Wait for N scheduled rounds that begin from now on, and hold each of them to the bounds. A dynamic test has
                          rounds while users are in sessions

How long:
  --min-agents N          Agents whose results are needed (default: every agent that the test names, else 1); the others do not count
  --settle SECONDS        Go on waiting for others, until none has answered for so long (default ${verifyDefaults.settle})
  --timeout SECONDS       Longest wait for the results of a test (default ${verifyDefaults.timeout}; with --rounds N, N + 1 times the
                          longest interval and 120 more)

Gates:
  --require-tests         End with 3 if no test was measured, unless the update left all tests as they were

Output:
  --markdown FILE         Write the report as Markdown; "-" is standard output
  --json                  Print it as JSON
  --help                  This text

Example:
  pulumi up --yes && endpoint-monitoring verify --max-loss 5 --max-response-time 800
  pulumi up --yes && endpoint-monitoring verify --rounds 2

Exit codes: 0 every test passed or was skipped, or there was none to run; 2 some failed; 3 no verdict: none failed, and of some too
little was measured; 1 some could not be run, or another error; 130 interrupted.
`;
