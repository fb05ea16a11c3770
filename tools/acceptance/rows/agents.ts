import { operations } from "../../../api/schemas";
import { paths } from "../ask";
import { CannotAsk, type Row } from "../row";
import { type Answer, type Body, missing } from "../session";
import { namedIn } from "./parts";

const bulkTransfer = operations.agents.transferBulk.path;

export const agentsRows: readonly Row[] = [
  {
    id: "agent-pages",
    topic: "List and search of agents",
    emulator:
      "A page contains 100 agents by default, and at most 1,000 agents with `max`. `totalAgents` counts the agents on all pages",
    known: "Not documented",
    file: "emulator/pages.ts",
    probe: async (ask) => {
      const firstPage = await ask.get(paths.agents, { max: "1" });
      const more = await ask.get(paths.agents, { max: "3" });
      return {
        rows: firstPage.body.agents.length,
        totalIsOfAllPages:
          firstPage.body.totalAgents === more.body.totalAgents && more.body.totalAgents >= more.body.agents.length,
        unknownCursor: (await ask.get(paths.agents, { cursor: "nonsense" })).status,
      };
    },
    answers: { rows: 1, totalIsOfAllPages: true, unknownCursor: 400 },
  },
  {
    id: "target-version",
    topic: "`targetVersion`, `externalMetadata` of an agent",
    emulator: "Always returned",
    known: 'The documentation requires "the matching expand value", but lists no such value',
    file: "emulator/model/agents.ts",
    probe: async (ask) => {
      const [agent] = await ask.agents();
      return { targetVersion: "targetVersion" in agent, externalMetadata: "externalMetadata" in agent };
    },
    answers: { targetVersion: true, externalMetadata: true },
  },
  {
    id: "several-search-filters",
    topic: "Several search filters",
    emulator: "An agent must match at least one value of every filter. An empty filter has no effect",
    known: "Not documented",
    file: "emulator/routes/agents-search.ts",
    probe: async (ask) => {
      const [{ id, name }] = await ask.agents();
      const isFound = async (searchFilters: object): Promise<boolean> =>
        (await ask.search({ searchFilters })).body.agents.some((agent: Body) => agent.id === id);
      return {
        anyValue: await isFound({ agentName: ["no such agent", name] }),
        allFilters: await isFound({ agentName: [name], computerName: ["no such computer"] }),
        emptyFilter: await isFound({ agentName: [], id: [id] }),
      };
    },
    answers: { anyValue: true, allFilters: false, emptyFilter: true },
  },
  {
    id: "case-of-exact-filters",
    topic: "Exact search filters",
    emulator: "Exact filters are case-sensitive",
    known: "Documented for some filters",
    file: "emulator/routes/agents-search.ts",
    probe: async (ask) => {
      const agents = await ask.agents();
      const swapped = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());
      const agent = ask.need(
        agents.find(({ computerName = "" }) => swapped(computerName) !== computerName),
        "no agent has letters in its name",
      );
      const { body } = await ask.search({ searchFilters: { computerName: [swapped(agent.computerName)] } });
      return { foundInAnotherCase: body.agents.some(({ id }: Body) => id === agent.id) };
    },
    answers: { foundInAnotherCase: false },
  },
  {
    id: "last-seen-ms",
    topic: "`last-seen-ms`",
    emulator: "`last-seen-ms` is the number of milliseconds since the agent's last check-in",
    known: "Only the name of `last-seen-ms` is documented",
    file: "emulator/routes/agents-search.ts",
    probe: async (ask) => {
      const [{ id }] = await ask.agents();
      const countFound = async (operator: string, value: number): Promise<number> => {
        const filters = [{ name: "last-seen-ms", operator, value }];
        return (await ask.search({ searchFilters: { id: [id] }, thresholdFilter: { filters } })).body.agents.length;
      };
      // 315360000000 ms are ten years. An age in ms is below this limit, and a date in ms since 1970 is above it.
      return { least0: await countFound("gte", 0), most10Years: await countFound("lte", 315_360_000_000) };
    },
    answers: { least0: 1, most10Years: 1 },
  },
  {
    id: "order-of-a-search",
    topic: "Order of a search",
    emulator:
      "The order ignores case, and is ascending unless the request has `desc`. Agents without the sort attribute come last. Agents with equal values are in the order of their creation",
    known: "Not documented",
    file: "emulator/routes/agents-search.ts",
    probe: async (ask) => {
      await ask.agents(2);
      const { body } = await ask.search({ searchSort: [{ sort: "name" }] }, { max: "20" });
      const names: string[] = body.agents.map(({ name }: Body) => name.toLowerCase());
      return { isAscending: names.every((name, at) => at === 0 || (names[at - 1] ?? "") <= name) };
    },
    answers: { isAscending: true },
  },
  {
    id: "user-name-as-sort-key",
    topic: "`userName` as sort key",
    emulator: "Uses the first client",
    known: "Not documented",
    file: "emulator/routes/agents-search.ts",
    reason: "it requires agents with several users whose order is known",
  },
  {
    id: "deleted-agent",
    topic: "A deleted agent",
    emulator:
      "The emulator keeps the record with `deleted: true`. Lists and reads return a deleted agent only with `includeDeleted=true`. The log of a deleted agent remains readable. Every other operation returns status 404",
    known: "Inferred",
    file: "emulator/routes/agents.ts",
    probe: async (ask) => {
      const listed = await ask.get(paths.agents, { includeDeleted: "true", max: "200" });
      const agent = ask.need(
        listed.body.agents.find(({ deleted }: Body) => deleted === true),
        "no deleted agent is on the first page",
      );
      const path = `${paths.agents}/${agent.id}`;
      return {
        get: (await ask.get(path)).status,
        getIncludingDeleted: (await ask.get(path, { includeDeleted: "true" })).status,
        log: (await ask.get(`${path}/logs`)).status,
      };
    },
    answers: { get: 404, getIncludingDeleted: 200, log: 200 },
  },
  {
    id: "patch-of-other-agent-members",
    topic: "PATCH request for an agent with members that a client cannot change",
    emulator:
      "The emulator returns status 400 and names the members that differ from the record. `lastSeen` and `_links` may differ. Unknown members have no effect",
    known: 'The documented rule is "any other differing field gives 400"',
    file: "emulator/routes/agents-changes.ts",
    probe: async (ask) => {
      const path = ask.ownAgent();
      const { body: agent } = await ask.get(path);
      const { status, body } = await ask.patch(path, { name: agent.name, computerName: "another" });
      return { status, named: namedIn(body, ["platform", "computerName"]) };
    },
    answers: { status: 400, named: ["computerName"] },
  },
  {
    id: "used-up-license-type",
    topic: "A license type without free licenses (option `licenses`)",
    emulator:
      "Status 400 with an error that names `licenseType`. All agents in the organization, except deleted agents, use a license",
    known: "Not documented",
    file: "emulator/routes/agents-changes.ts",
    reason: "it requires an organization without free licenses",
  },
  {
    id: "parts-of-an-enabled-agent",
    topic: "Enabling or disabling an agent",
    emulator: "The response does not contain the members that require `expand`",
    known: "The documentation's samples contain all members",
    file: "emulator/routes/agents-changes.ts",
    probe: async (ask) => {
      const path = ask.ownAgent();
      const { body: agent } = await ask.get(path);
      if (agent.status !== "enabled") throw new CannotAsk("the agent of --agent is disabled");
      const { status, body } = await ask.post(`${path}/enable`);
      const parts = ["clients", "vpnProfiles", "networkInterfaceProfiles"];
      return { status, parts: parts.filter((part) => part in body) };
    },
    answers: { status: 200, parts: [] },
  },
  {
    id: "transfer",
    topic: "Transfer of an agent",
    emulator:
      "The agent moves after 300 ms (`transferDelayMs`). A second transfer request before the move replaces the first request. The emulator cancels the transfer of a deleted agent",
    known: "Documented as asynchronous",
    file: "emulator/fleet/transfers.ts",
    reason: "it would move a real agent out of the account group",
  },
  {
    id: "transfer-to-own-and-foreign-group",
    topic: "Transfer to the agent's own account group, or to a group that the caller does not belong to",
    emulator: "400; 403",
    known: "Not documented",
    file: "emulator/routes/agents-transfer.ts",
    probe: async (ask) => {
      const path = `${ask.ownAgent()}/transfer`;
      const toSameGroup = await ask.post(path, { toAid: ask.access.accountGroupId });
      const foreign = await ask.post(path, { toAid: missing.id });
      return { own: toSameGroup.status, foreign: foreign.status };
    },
    answers: { own: 400, foreign: 403 },
  },
  {
    id: "outcomes-of-a-bulk-transfer",
    topic: "Outcomes of a bulk transfer",
    emulator:
      "The status is 400 for a missing member or an invalid number. The status is 403 for an account group that the caller does not belong to. The status is 404 for an agent outside `fromAid`. Otherwise, the status is 200",
    known: "The samples have 200, 400 and 403",
    file: "emulator/routes/agents-transfer.ts",
    probe: async (ask) => {
      const fromAid = ask.access.accountGroupId;
      const agentId = missing.uuid;
      // Each transfer in the request names an agent that does not exist.
      const transfers = [
        { fromAid, toAid: fromAid },
        { agentId, fromAid },
        { agentId, fromAid, toAid: "x" },
        { agentId, fromAid, toAid: missing.id },
        { agentId, fromAid, toAid: fromAid },
      ];
      const { status, body } = await ask.post(bulkTransfer, { transfers });
      return { status, items: body.items?.map((item: Body) => item.status) };
    },
    answers: { status: 207, items: [400, 400, 400, 403, 404] },
  },
  {
    id: "bulk-transfer-as-csv",
    topic: "CSV of a bulk transfer",
    emulator:
      "The emulator requires the documented header, and returns status 400 for any other header. Values may have quotes. A line with a missing column has the status 400",
    known: "The header is documented",
    file: "emulator/routes/agents-transfer.ts",
    probe: async (ask) => {
      const aid = ask.access.accountGroupId;
      const csv = async (raw: string): Promise<Answer> =>
        ask.post(bulkTransfer, undefined, { raw, headers: { "content-type": "text/csv" } });
      const right = await csv(`agent_id,from_aid,to_aid\n"${missing.uuid}",${aid},${aid}\n${missing.uuid},${aid}\n`);
      const wrong = await csv(`agent,from,to\n${missing.uuid},${aid},${aid}\n`);
      return { status: right.status, items: right.body.items?.map(({ status }: Body) => status), otherHeader: wrong.status };
    },
    answers: { status: 207, items: [404, 400], otherHeader: 400 },
  },
  {
    id: "connection-string",
    topic: "Connection string",
    emulator:
      "Each account group has its own connection string, with the length of the documentation's sample. Users with a read-only role may read the connection string",
    known: "Not documented",
    file: "emulator/routes/agents.ts",
    probe: async (ask) => {
      const { status, body } = await ask.get(operations.agents.connectionString.path);
      return { status, length: body.connectionString?.length };
    },
    answers: { status: 200, length: 24 },
  },
  {
    id: "agent-log",
    topic: "Log of an agent",
    emulator:
      "The oldest entry comes first. A request returns status 400 for a `window` without a unit, and status 404 for an unknown agent",
    known: "Not documented",
    file: "emulator/routes/agents-logs.ts",
    probe: async (ask) => {
      const [{ id }] = await ask.agents();
      const seconds = await ask.get(`${paths.agents}/${id}/logs`, { window: "60" });
      const unknown = await ask.get(`${paths.agents}/${missing.uuid}/logs`);
      return { windowWithoutUnit: seconds.status, unknownAgent: unknown.status };
    },
    answers: { windowWithoutUnit: 400, unknownAgent: 404 },
  },
];
