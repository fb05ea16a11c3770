import { paths } from "../ask";
import { type Row } from "../row";
import { missing } from "../session";

export const selectionRows: readonly Row[] = [
  {
    id: "companions-of-another-selector",
    topic: "Members that belong to another selector type (such as `agents` with `all-agents`)",
    emulator: "Accepted and ignored",
    known: "Not documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const { status, body } = await ask.test("agentToServer", { agents: [missing.uuid] });
      return { status, isKept: body.agentSelectorConfig?.agents !== undefined };
    },
    answers: { status: 201, isKept: false },
  },
  {
    id: "unknown-label-of-a-test",
    topic: "Labels of an `agent-labels` test",
    emulator: "A request to create a test with a label that does not exist in the account group returns status 400",
    known: "Not documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => ({ status: (await ask.test("agentToServer", { endpointAgentLabels: [missing.id] })).status }),
    answers: { status: 400 },
  },
  {
    id: "unknown-agents-and-tags",
    topic: "Agents and tags of a test",
    emulator: "The emulator does not check the ids of agents and tags. An id that does not exist selects no agent",
    known: "Not documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const agents = await ask.test("agentToServer", { agentSelectorType: "specific-agents", agents: [missing.uuid] });
      const tags = await ask.test("agentToServer", { agentSelectorType: "agent-tags", tagIds: [missing.uuid] });
      return { agents: agents.status, tags: tags.status };
    },
    answers: { agents: 201, tags: 201 },
  },
  {
    id: "agents-that-max-machines-leaves",
    topic: "Choice of agents within `maxMachines`",
    emulator: "The emulator chooses your machine's agent first, and then the oldest agents",
    known: "Not documented",
    file: "emulator/selection.ts",
    reason:
      "only results of several real agents over several rounds show which agents run a test, and the checks have no such results",
  },
  {
    id: "tests-at-once",
    topic: "Number of tests that an agent runs",
    emulator:
      "An agent runs 10 tests with an advantage license, 4 with an essentials license, and 1 with an embedded license. Instant tests do not count towards an agent's limit",
    known: 'The documented numbers are 10, 4, and "far fewer" for embedded agents',
    file: "emulator/selection.ts",
    reason: "it requires a real agent with more tests than it runs, and its results over several rounds",
  },
  {
    id: "whose-turn-it-is",
    topic: "Order of tests on an agent with too many tests",
    emulator:
      "Prioritized tests run first, followed by tests for specific agents, for labels and tags, and for all agents. Among tests of equal rank, older tests run first. If an assigned agent cannot run a test, no other agent replaces this agent",
    known: "The order is documented, except for tags and older tests",
    file: "emulator/selection.ts",
    reason:
      "only results of several real agents over several rounds show which agents run a test, and the checks have no such results",
  },
  {
    id: "label-without-filters",
    topic: "Label without filters, and filter without values",
    emulator:
      "A label without filters matches no agent. A filter without values matches no agent with `in`, and every agent with `not-in`",
    known: "Not documented",
    file: "api/label-match.ts",
    probe: async (ask) => {
      const none = await ask.label({ filters: [] });
      const empty = await ask.label({ filters: [{ key: "hostname", mode: "in", values: [] }] });
      return { noFilters: none.status, noValues: empty.status };
    },
    answers: { noFilters: 201, noValues: 201 },
  },
  {
    id: "not-in",
    topic: "`not-in`",
    emulator:
      "A filter with `not-in` matches the agents that the same filter with `in` does not match. An agent with several values does not match if the filter contains one of the values",
    known: "Not documented",
    file: "api/label-match.ts",
    reason: "no operation shows the agents of a label",
  },
  {
    id: "case-of-label-filters",
    topic: "Letter case in label filters",
    emulator: "Filters are case-sensitive, except for the keys `hostname`, `username`, `platform` and `bssid`",
    known: "In a recording, the service accepted `windows` in lower case",
    file: "api/label-match.ts",
    reason: "no operation shows the agents of a label",
  },
  {
    id: "networks-in-label-filters",
    topic: "Networks in label filters",
    emulator:
      "A value is a CIDR block or one IP address, in any IPv4 or IPv6 notation. An agent matches if one of its interfaces or VPN profiles matches. A value that is neither a CIDR block nor an IP address matches no agent",
    known: "The documentation allows a CIDR block or one IP address",
    file: "api/label-match.ts",
    probe: async (ask) => {
      const filters = [{ key: "local-network", mode: "in", values: ["10.0.0.0/8", "2001:DB8::1", "no network"] }];
      return { status: (await ask.label({ filters })).status };
    },
    answers: { status: 201 },
  },
  {
    id: "connection-and-address-family",
    topic: "Label filters by `connection` or `ip-address-family`",
    emulator:
      "An agent matches if one of its interfaces with an address matches. Loopback and link-local addresses do not count",
    known: "Not documented",
    file: "api/label-match.ts",
    reason: "no operation shows the agents of a label",
  },
  {
    id: "username-and-hostname",
    topic: "`username` and `hostname` in label filters",
    emulator: "The emulator compares `username` with the `userName` of each client, and `hostname` with `computerName`",
    known: "Not documented",
    file: "api/label-match.ts",
    reason: "no operation shows the agents of a label",
  },
  {
    id: "deleting-a-label-in-use",
    topic: "Deleting a label that tests use",
    emulator: "Allowed. The tests keep the id of the label",
    known: "Not documented",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const { body: label } = await ask.label();
      const { body: test } = await ask.test("agentToServer", { endpointAgentLabels: [label.id] });
      ask.need(test.agentSelectorConfig, "answers about tests have no selection");
      const { status } = await ask.delete(`${paths.label}/${label.id}`);
      const { body } = await ask.get(`${paths.agentToServer}/${test.testId}`);
      return { status, isKept: body.agentSelectorConfig?.endpointAgentLabels?.includes(label.id) ?? false };
    },
    answers: { status: 204, isKept: true },
  },
];
