/** Seeded programs and accounts for rehearsals: the account's records, the stack's resources, and the program's changes. */
import type { EmulatorOptions } from "../../../emulator";
import { Random } from "../../../emulator/fleet/random";
import type { Declared, Program, Stack } from "./stack";

export interface RehearsedCase {
  options: EmulatorOptions;
  /** Options of the command for facts about the account that reads do not show. */
  facts: string[];
  /** Creates unmanaged records. Returns the stack's initial program and its changed program. */
  prepare: (stack: Stack) => Promise<{ before: Program; after: Program }>;
}

/** Possible problems of a program by name. Each adds its resources, and creates conflicting records. */
type Trouble = (stack: Stack, random: Random, agents: readonly Agent[]) => Promise<Program>;

interface Agent {
  id: string;
  aid: string;
  licenseType: string;
}

const label = (name: string, value = "Mac"): Record<string, unknown> => ({
  name,
  matchType: "or",
  filters: [{ key: "platform", values: [value] }],
});
const test = (testName: string, more: object = {}): Declared => ({
  kind: "AgentToServerTest",
  args: { testName, server: "vpn.example.com", ...more },
});
const late = (value: unknown): object => ({ $after: "anchor", value });

const troubles: Record<string, Trouble> = {
  "identical label": async (stack) => {
    await stack.make("label", label("Taken"));
    return { taken: { kind: "Label", args: label("Taken") } };
  },
  "key and value of a tag in use": async (stack) => {
    const tag = { key: "team", value: "red", color: "#112233", matchType: "or" as const };
    await stack.make("endpointAgentTag", { ...tag, filters: [{ key: "platform", values: ["Mac"] }] });
    return { tag: { kind: "EndpointAgentTag", args: { ...tag, filters: [{ key: "platform", values: ["Windows"] }] } } };
  },
  "name of a test in use": async (stack) => {
    await stack.make("agentToServerTest", { testName: "Named", server: "other.example.com" });
    return { named: test("Named") };
  },
  "license full": async (_stack, _random, agents) => {
    const agent = agents.find(({ licenseType }) => licenseType !== "essentials");
    const args = { agentId: agent?.id, accountGroupId: agent?.aid, licenseType: "essentials" };
    return { licensed: { kind: "EndpointAgent", args } };
  },
  "foreign account group": async () => ({ foreign: { kind: "Label", args: { ...label("Foreign"), accountGroupId: "9999" } } }),
  "invalid server, late": async () => ({ server: test("Late server", { server: late("http://no host") }) }),
  "invalid interval, late": async () => ({ interval: test("Late interval", { interval: late(61) }) }),
  "label that does not exist, late": async () => ({
    missing: test("Late label", { agentSelectorType: "agent-labels", endpointAgentLabels: [late("17")] }),
  }),
  "limit of agents, late": async () => ({ limit: test("Too many", { maxMachines: late(200_000) }) }),
  "empty name, late": async () => ({ empty: { kind: "Label", args: { ...label("x"), name: late("") } } }),
  "transfer to a foreign account group": async (_stack, random, agents) => {
    const agent = agents[random.between(0, 5)];
    const transfer = { agentId: agent?.id, fromAid: agent?.aid, toAid: "9999" };
    return { transfer: { kind: "AgentTransfer", args: { transfers: [transfer] } } };
  },
  "agent that does not exist": async () => ({
    nobody: { kind: "EndpointAgent", args: { agentId: "00000000-0000-4000-8000-000000000000", agentName: "Nobody" } },
  }),
};

/** Returns the account and program of a seed. About a third have no failure. */
export function rehearsedCase(seed: number): RehearsedCase {
  const random = new Random(seed);
  const names = Object.keys(troubles);
  const chosen =
    seed % 3 === 0 ? [] : names.filter((_, i) => i % names.length === (seed * 7) % names.length || random.chance(0.12));
  const uniqueTestNames = chosen.includes("name of a test in use");
  const full = chosen.includes("license full");
  return {
    options: {
      agents: random.between(12, 40),
      transferDelayMs: 0,
      uniqueTestNames,
      ...(full && { licenses: { essentials: 1 } }),
    },
    facts: [...(uniqueTestNames ? ["--unique-test-names"] : []), ...(full ? ["--licenses", "essentials=1"] : [])],
    prepare: async (stack) => {
      const answer = await stack.api("GET", "/v7/endpoint/agents?max=1000&useAllPermittedAids=true");
      const { agents } = (await answer.json()) as { agents: Agent[] };
      // Records that a user created by hand.
      for (let i = 0; i < random.between(0, 4); i += 1)
        await stack.make("label", label(`By hand ${i}`, random.pick(["Mac", "Windows"])));
      // With few free slots, timing decides which of several new tests an agent runs.
      const licenseType = random.pick(["advantage", "essentials"]);
      for (const agent of agents) {
        if (agent.licenseType !== licenseType && !full)
          await stack.api("PATCH", `/v7/endpoint/agents/${agent.id}?aid=${agent.aid}`, { licenseType });
      }
      const before = random.chance(0.6) ? base(random, agents, false) : {};
      const after: Program = { anchor: { kind: "Label", args: label("Anchor") }, ...changed(random, before, agents) };
      for (const name of chosen) Object.assign(after, await troubles[name]?.(stack, random, agents));
      return { before, after };
    },
  };
}

/** Valid labels, tags, tests and agents. */
function base(random: Random, agents: readonly Agent[], moves: boolean): Program {
  const program: Program = {};
  const count = random.between(1, 4);
  for (let i = 0; i < count; i += 1) {
    program[`label-${i}`] = { kind: "Label", args: label(`Label ${i}`, random.pick(["Mac", "Windows", "Linux"])) };
    const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: `label-${i}` }] };
    program[`test-${i}`] = test(`Test ${i}`, random.chance(0.7) ? { ...selection, interval: random.pick([60, 300]) } : {});
    if (random.chance(0.5)) {
      const args = { testName: `Page ${i}`, url: `https://page-${i}.example.com`, ...selection, isEnabled: random.chance(0.7) };
      program[`page-${i}`] = { kind: "HttpServerTest", args };
    }
  }
  if (random.chance(0.4)) program["app"] = { kind: "DynamicTest", args: { testName: "App", application: "webex" } };
  if (random.chance(0.4)) {
    const filters = [{ key: "platform", values: ["Windows"] }];
    program["team"] = { kind: "EndpointAgentTag", args: { key: "team", value: "blue", matchType: "or", filters } };
    const selection = { agentSelectorType: "agent-tags", tagIds: [{ $id: "team" }] };
    program["tagged"] = test("Tagged", selection);
  }
  const agent = agents[random.between(0, agents.length - 1)];
  if (agent && random.chance(0.4)) {
    const accountGroupId = moves ? random.pick(["1001", "1002", "1003"]) : agent.aid;
    program["agent"] = {
      kind: "EndpointAgent",
      args: { agentId: agent.id, agentName: "Renamed", enabled: random.chance(0.5), accountGroupId },
    };
  }
  return program;
}

/** Returns a program after edits: some resources are changed, replaced or deleted, and some are new. */
function changed(random: Random, before: Program, agents: readonly Agent[]): Program {
  const kept = Object.entries(before).flatMap(([name, declared]): [string, Declared][] => {
    const args = declared.args as Record<string, unknown>;
    // Referenced resources stay.
    if (random.chance(0.15) && !/^(label|team)/.test(name)) return [];
    if (!random.chance(0.5)) return [[name, declared]];
    if (declared.kind === "Label")
      return [[name, { ...declared, args: { ...args, filters: label("", random.pick(["Mac", "Linux"]))["filters"] } }]];
    if ("testName" in args)
      return [
        [
          name,
          { ...declared, args: { ...args, interval: random.pick([120, 600]), ...(random.chance(0.3) && { maxMachines: 3 }) } },
        ],
      ];
    return [[name, declared]];
  });
  const fresh = Object.entries(base(random, agents, true)).map(([name, declared]): [string, Declared] => [
    `new-${name}`,
    renamed(declared),
  ]);
  return Object.fromEntries([...kept, ...fresh.filter(([name]) => !(name === "new-agent" && "agent" in before))]);
}

/** Returns a resource under another name, in the program and in the service. */
function renamed({ kind, args }: Declared): Declared {
  const text = JSON.stringify(args, (key, value: unknown) => {
    if (key === "$id") return `new-${String(value)}`;
    return (key === "name" || key === "testName" || key === "value") && typeof value === "string" ? `New ${value}` : value;
  });
  return { kind, args: JSON.parse(text) as object };
}

/** Returns failures without the ids of records that were created on the way. */
export function sameOf(reasons: readonly string[]): string[] {
  return reasons.map((reason) => reason.replace(/\b\d{12,}\b/g, "ID").replace(/request [\w-]+/g, "request ID")).toSorted();
}
