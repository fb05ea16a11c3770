import { paths } from "../ask";
import { type Row } from "../row";
import { missing } from "../session";

/** Which agents a test or a label reaches. */
export const selectionRows: readonly Row[] = [
  {
    id: "companions-of-another-selector",
    topic: "companion members of another selector kind (`agents` beside `all-agents`)",
    emulator: "taken and dropped",
    known: "not stated",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const { status, body } = await ask.test("agentToServer", { agents: [missing.uuid] });
      return { status, isKept: body.agentSelectorConfig?.agents !== undefined };
    },
    answers: { status: 201, isKept: false },
  },
  {
    id: "unknown-label-of-a-test",
    topic: "labels of an `agent-labels` test",
    emulator: "must exist in the account group at create (400)",
    known: "not stated",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => ({ status: (await ask.test("agentToServer", { endpointAgentLabels: [missing.id] })).status }),
    answers: { status: 400 },
  },
  {
    id: "unknown-agents-and-tags",
    topic: "agents and tags of a test",
    emulator: "accepted unchecked: ids that do not exist mean nobody",
    known: "not stated",
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
    topic: "which agents `maxMachines` leaves",
    emulator: "those that were created first, this machine's agent first of all",
    known: "not stated",
    file: "emulator/selection.ts",
    reason:
      "which agents run a test shows only in results of several real agents over several rounds, which a run neither has nor may make",
  },
  {
    id: "tests-at-once",
    topic: "tests an agent runs at once",
    emulator: "10 (advantage), 4 (essentials), 1 (all embedded kinds); scheduled and dynamic tests count, instant ones do not",
    known: '10 and 4 stated, embedded "far fewer"',
    file: "emulator/selection.ts",
    reason: "it takes more tests than an agent runs, on a real agent, and its results over several rounds",
  },
  {
    id: "whose-turn-it-is",
    topic: "which test an agent that has too many runs first",
    emulator:
      "prioritized, then specific agents, then labels and tags, then all agents, then the older test; a place that a full agent does not use stays unused",
    known: "the order is stated up to labels",
    file: "emulator/selection.ts",
    reason:
      "which agents run a test shows only in results of several real agents over several rounds, which a run neither has nor may make",
  },
  {
    id: "label-without-filters",
    topic: "label without filters, filter without values",
    emulator: "on nobody; `in` nothing is nobody, `not-in` nothing is everybody",
    known: "not stated",
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
      "the complement of `in`: it holds for an agent that lacks the attribute, too; of several values of an agent, none may be among those named",
    known: "not stated",
    file: "api/label-match.ts",
    reason: "which agents a label is on is shown by no operation",
  },
  {
    id: "case-of-label-filters",
    topic: "case in label filters",
    emulator: "folds for `hostname`, `username`, `platform` and `bssid`; all else is exact (`Ethernet`, `Wireless`, SSIDs)",
    known: "lower-case `windows` is taken (recorded)",
    file: "api/label-match.ts",
    reason: "which agents a label is on is shown by no operation",
  },
  {
    id: "networks-in-label-filters",
    topic: "networks in label filters",
    emulator:
      "CIDR or one address, IPv4 or IPv6 in any spelling; an agent matches by any of its interfaces or VPN profiles; text that is neither means nobody",
    known: "CIDR or one IP is stated",
    file: "api/label-match.ts",
    probe: async (ask) => {
      const filters = [{ key: "local-network", mode: "in", values: ["10.0.0.0/8", "2001:DB8::1", "no network"] }];
      return { status: (await ask.label({ filters })).status };
    },
    answers: { status: 201 },
  },
  {
    id: "connection-and-address-family",
    topic: "`connection`, `ip-address-family`",
    emulator: "by interfaces that have an address; loopback and link-local addresses are of no family",
    known: "not stated",
    file: "api/label-match.ts",
    reason: "which agents a label is on is shown by no operation",
  },
  {
    id: "username-and-hostname",
    topic: "`username`, `hostname` of a label",
    emulator: "`userName` of any client; `computerName`",
    known: "not stated",
    file: "api/label-match.ts",
    reason: "which agents a label is on is shown by no operation",
  },
  {
    id: "deleting-a-label-in-use",
    topic: "deleting a label that tests use",
    emulator: "allowed; the tests keep the id",
    known: "not stated",
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
