/**
 * Prepared changes for a reviewer: programs before and after, changes in between, and the expected findings of the review.
 */
import type { Review } from "../../../plan/judge/review";
import { paths } from "../../emulator/support";
import type { Stack } from "./stack";

/** An agent of the emulator's fleet. */
export interface FleetAgent {
  id: string;
  aid: string;
  platform: string;
  status: string;
  licenseType: string;
}

export interface Change {
  before: string[];
  after: string[];
  /** Changes the service in between. @returns paths of created records, to delete them afterwards */
  meanwhile?: (stack: Stack, fleet: readonly FleetAgent[]) => Promise<string[]>;
  /** Rules of --fail-on that stop the review. */
  findings: string[];
  check?: (review: Review, fleet: Fleet) => void;
  /** Runs the update and checks the service's records. */
  afterwards?: (stack: Stack) => Promise<void>;
}

/** Agents of the first account group, counted without the code under test. */
export class Fleet {
  constructor(readonly agents: readonly FleetAgent[]) {}

  able(...platforms: string[]): number {
    return this.enabled.filter(({ platform }) => platforms.includes(platform)).length;
  }

  in(group: string): FleetAgent[] {
    return this.agents.filter(({ aid }) => aid === group);
  }

  get enabled(): FleetAgent[] {
    return this.in("1001").filter(({ status }) => status === "enabled");
  }

  licensed(...types: string[]): FleetAgent[] {
    return this.enabled.filter(({ licenseType }) => types.includes(licenseType));
  }
}

/** Secret texts that no output may contain. */
export const secrets = {
  first: "first-corr3ct-horse",
  second: "second-battery-st4ple",
  url: "https://hidden.example.com/s3cret-path",
  "url-2": "https://hidden-2.example.com/s3cret-path",
};

/** Names that are harmful if interpreted as Markdown, HTML or terminal commands. */
export const hostile = [
  `<img src=x onerror="document.title='taken'">`,
  `<script>document.title="taken"</script>`,
  "a|b `c` \\| **bold** [x](javascript:alert(1)) ~~s~~",
  "line one\nline two\r\n# heading\n- [ ] task",
  "@octocat #1 https://www.example.com/x :tada: 👩‍👩‍👧 \u202Eesrever",
  "</details></td></table><h1>out</h1>",
  "``` ```` fence\n```\u001b[31mred",
];

const platform = (...values: string[]): string => `filters: [{ key: "platform", values: ${JSON.stringify(values)} }]`;
const label = (name: string, rest: string, options = ""): string =>
  `const ${name} = new em.Label("${name}", { name: "${name} agents", matchType: "or", ${rest} }${options});`;
const toServer = (name: string, rest: string, options = ""): string =>
  `new em.AgentToServerTest("${name}", { testName: "${name}", server: "vpn.example.com", ${rest} }${options});`;
const portal = (rest: string): string =>
  `new em.HttpServerTest("portal", { testName: "Portal", url: "https://portal.example.com", ${rest} });`;
const by = (...labels: string[]): string =>
  `agentSelectorType: "agent-labels", endpointAgentLabels: [${labels.map((name) => `${name}.id`).join(", ")}]`;
/** Creates tests in order, because their ids decide which of them run on a full agent. */
const several = (numbers: number[], rest: string): string[] =>
  numbers.map((n) => {
    const options = n === 1 ? "" : `, { dependsOn: spare${n - 1} }`;
    return `const spare${n} = ${toServer(`spare-${n}`, rest, options)}`;
  });

/** Creates a test that uses an existing label, by hand. */
async function byHand(stack: Stack, labelName: string, path: string, body: object): Promise<string[]> {
  const answer = await stack.api("GET", `${paths.label}?aid=1001`);
  const { labels } = (await answer.json()) as { labels: { id: string; name: string }[] };
  const selection = {
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [labels.find(({ name }) => name === labelName)?.id],
  };
  const made = await stack.api("POST", `${path}?aid=1001`, { testName: "By hand", ...body, ...selection });
  return [`${path}/${((await made.json()) as { testId: string }).testId}?aid=1001`];
}

const reached = (review: Review, name: string) => {
  const { reach } = review.resources.find((resource) => resource.name === name) ?? {};
  return [reach?.before?.count, reach?.after?.count];
};
// Without the position, which `a finding names file and line` tests.
const texts = (review: Review, rule: string) =>
  review.findings.filter((finding) => finding.rule === rule).map(({ text }) => text.replace(/ \(index\.js:\d+\)$/, ""));

// Changes of the same program are adjacent, so that it is applied once.
const byOffice = [label("office", platform("Windows")), toServer("vpn", `${by("office")}, maxMachines: 100`)];
const byMacs = [label("macs", platform("Mac")), toServer("vpn", `${by("macs")}, maxMachines: 10`)];
const afterAdoption = [
  'const component = new pulumi.ComponentResource("my:component:Site", "component");',
  `const renamed = new em.Label("renamed", { name: "office agents", matchType: "or", ${platform("Windows")}, adopt: true });`,
  label("site", `${platform("Mac")}, adopt: true`, ", { parent: component }"),
  `new em.AgentToServerTest("tunnel", { testName: "vpn", server: "vpn.example.com", interval: 300, ${by("renamed")}, maxMachines: 100, adopt: true });`,
  toServer("steady", `${by("renamed")}, maxMachines: 100`),
  'new em.HttpServerTest("manual", { testName: "By hand", url: "https://a.example.com", adopt: true });',
];

export const changes: Record<string, Change> = {
  "label-widened": {
    before: byOffice,
    after: [label("office", platform("Windows", "Mac")), toServer("vpn", `${by("office")}, maxMachines: 100`)],
    meanwhile: (stack) => byHand(stack, "office agents", paths.dynamic, { application: "zoom", maxMachines: 100 }),
    findings: [],
    check(review, fleet) {
      const [windows, both] = [fleet.able("windows"), fleet.able("windows", "mac")];
      const agents = (count: number) => ({ count, names: expect.any(Array) });
      const reach = { before: agents(windows), after: agents(both), gained: agents(both - windows) };
      expect(reached(review, "office")).toEqual([windows, both]);
      expect(review.resources).toHaveLength(1);
      expect(review.resources[0]?.touches).toEqual([
        { kind: "dynamicTest", name: "By hand", id: expect.any(String), ...reach },
        {
          kind: "agentToServerTest",
          name: "vpn",
          id: expect.any(String),
          urn: expect.any(String),
          ...reach,
        },
      ]);
      expect(review.load?.after.rounds).toBe(2 * 60 * both);
    },
  },
  "label-moved": {
    before: byOffice,
    after: [
      label("office", `${platform("Windows")}, accountGroupId: "1002"`),
      toServer("vpn", `${by("office")}, maxMachines: 100`),
    ],
    meanwhile: (stack) => byHand(stack, "office agents", paths.agentToServer, { server: "192.0.2.1" }),
    findings: ["replacements", "label-in-use", "selects-none"],
    check(review, fleet) {
      const elsewhere = fleet.in("1002").filter((agent) => agent.platform === "windows" && agent.status === "enabled").length;
      expect(reached(review, "office")).toEqual([fleet.able("windows"), elsewhere]);
      expect(review.resources.find(({ name }) => name === "vpn")?.replaces).toEqual([
        { property: "endpointAgentLabels", because: [expect.stringMatching(/::office$/)] },
      ]);
      expect(texts(review, "selects-none")).toEqual([
        'agent-to-server test "vpn" selects no agent',
        'agent-to-server test "By hand", which is unchanged, selects no agent',
      ]);
      expect(review.load?.accountGroups).toEqual(["1001", "1002"]);
    },
  },
  nobody: {
    before: byOffice,
    after: [
      label("office", 'filters: [{ key: "hostname", values: ["NOWHERE-*"] }]'),
      label("fresh", 'filters: [{ key: "ssid", values: ["No such network"] }]'),
      toServer("vpn", `${by("office")}, maxMachines: 100`),
      toServer("lost", by("fresh")),
    ],
    findings: ["selects-none"],
    check(review) {
      expect(texts(review, "selects-none")).toEqual([
        'label "office" selects no agent',
        'label "fresh" selects no agent',
        'agent-to-server test "lost" selects no agent',
        'agent-to-server test "vpn", which is unchanged, selects no agent',
      ]);
    },
  },
  "test-replaced": {
    before: [portal("httpTimeLimit: 3000, interval: 300")],
    after: [portal("httpTimeLimit: 4000, interval: 600")],
    findings: ["replacements"],
    check(review) {
      const [test] = review.resources;
      expect(test?.replaces).toEqual([{ property: "httpTimeLimit" }]);
      expect(test?.cost).toContain("result history");
      expect(test?.changes).toEqual([
        { property: "interval", how: "changed", before: 300, after: 600 },
        { property: "httpTimeLimit", how: "changed", before: 3000, after: 4000, replaces: true },
      ]);
      expect(test?.position).toEqual({ file: "index.js", line: 4, column: 1 });
    },
  },
  everybody: {
    before: byMacs,
    after: [label("macs", platform("Mac")), toServer("vpn", 'agentSelectorType: "all-agents", maxMachines: 10')],
    findings: ["replacements", "selects-all"],
    check(review, fleet) {
      const { before, after } = review.resources[0]?.reach ?? {};
      expect([before?.count, after?.count, after?.of]).toEqual([fleet.able("mac"), 10, fleet.enabled.length]);
      expect(review.load?.approximate).toBe(true);
    },
  },
  "unknown-label": {
    before: byMacs,
    after: [
      label("macs", platform("Mac")),
      label("linux", platform("Linux")),
      toServer("vpn", `${by("macs", "linux")}, maxMachines: 10`),
      `new em.DynamicTest("calls", { testName: "Calls", application: "webex", agentSelectorType: "agent-labels", ` +
        "endpointAgentLabels: linux.id.apply((id) => [id]) });",
    ],
    // A function of an id is unknown until the update.
    findings: ["replacements", "unknown-value", "unknown-reach"],
    check(review, fleet) {
      expect(reached(review, "vpn")).toEqual([fleet.able("mac"), fleet.able("mac", "linux")]);
      expect(texts(review, "unknown-value")).toEqual([expect.stringContaining("calls")]);
      expect(review.resources.find(({ name }) => name === "vpn")?.changes).toContainEqual(
        expect.objectContaining({ property: "endpointAgentLabels", unknown: true, from: [expect.stringMatching(/::linux$/)] }),
      );
    },
  },
  "password-rotated": {
    before: [
      portal('authType: "basic", username: "probe", password: config.requireSecret("first")'),
      'const hidden = new em.HttpServerTest("hidden", { testName: "Hidden", url: config.requireSecret("url") });',
      'new em.HttpServerTest("both", { testName: "Both", url: config.requireSecret("url") });',
      'new em.HttpServerTest("kept", { testName: "Kept", url: config.requireSecret("url") }, { dependsOn: hidden });',
    ],
    after: [
      portal('authType: "basic", username: "probe", password: config.requireSecret("second")'),
      'const hidden = new em.HttpServerTest("hidden", { testName: "Hidden", url: config.requireSecret("url-2") });',
      'new em.HttpServerTest("both", { testName: "Both", url: config.requireSecret("url-2"), httpTimeLimit: 4000 });',
      'new em.HttpServerTest("kept", { testName: "Kept", url: config.requireSecret("url"), interval: 300 }, { dependsOn: hidden });',
    ],
    findings: ["replacements", "secrets"],
    check(review) {
      expect(texts(review, "secrets")).toEqual([
        'HTTP server test "both": secret url is changed',
        'HTTP server test "portal": secret password is changed',
        'HTTP server test "hidden": secret url is changed',
      ]);
      const changed = review.resources.map(({ name, changes: propertyChanges }) => [
        name,
        propertyChanges.map(({ property }) => property),
      ]);
      expect(Object.fromEntries(changed)).toEqual({
        portal: ["password"],
        hidden: ["url"],
        both: ["httpTimeLimit", "url"],
        kept: ["interval"],
      });
    },
  },
  "interval-lowered": {
    before: several([1, 2, 3], "interval: 600, maxMachines: 100"),
    after: [
      ...several([1, 2, 3], "interval: 60, maxMachines: 100"),
      ...several([4, 5], "interval: 60, maxMachines: 100, isPrioritized: true"),
    ],
    findings: ["selects-all", "over-license"],
    check({ load }, fleet) {
      const all = fleet.enabled.length;
      const [few, embedded] = [fleet.licensed("essentials").length, fleet.licensed("embedded").length];
      expect(load?.before).toEqual({
        agents: all,
        rounds: 3 * 6 * all,
        roundsRun: 6 * (3 * all - 2 * embedded),
        over: embedded,
      });
      expect(load?.after).toEqual({
        agents: all,
        rounds: 5 * 60 * all,
        roundsRun: 60 * (5 * all - few - 4 * embedded),
        over: few + embedded,
      });
      expect(load?.over.filter(({ limit }) => limit === 4).map(({ before, after }) => [before, after])).toEqual(
        Array.from({ length: few }, () => [3, 5]),
      );
      // Prioritized tests run first.
      const crowdedOut = (name: RegExp) =>
        load?.crowdedOut.filter((test) => name.test(test.name)).reduce((sum, { agents }) => sum + agents, 0);
      expect([crowdedOut(/spare-[123]/), crowdedOut(/spare-[45]/)]).toEqual([few + 3 * embedded, embedded]);
    },
  },
  protected: {
    before: [
      label("keep", platform("Windows"), ", { protect: true }"),
      toServer("gone", "", ", { protect: true }"),
      toServer("moved", "maxMachines: 10", ", { protect: true }"),
    ],
    after: [
      label("keep", platform("Windows"), ", { protect: true }"),
      toServer("moved", "maxMachines: 11", ", { protect: true }"),
    ],
    findings: ["protected", "deletes", "replacements"],
    check(review) {
      expect(texts(review, "protected")).toEqual([
        'agent-to-server test "gone" is protected: the engine will not delete it until you remove the protection',
        'agent-to-server test "moved" is protected: the engine will not replace it until you remove the protection',
      ]);
    },
  },
  agents: {
    before: several([1, 2, 3, 4, 5], "maxMachines: 100"),
    after: [
      ...several([1, 2, 3, 4, 5], "maxMachines: 100"),
      'new em.EndpointAgent("smaller", { agentId: "$advantage[0]", licenseType: "essentials" });',
      'new em.EndpointAgent("off", { agentId: "$advantage[1]", enabled: false });',
      'new em.AgentTransfer("move", { transfers: [{ agentId: "$advantage[2]", fromAid: "1001", toAid: "1002" }] });',
    ],
    findings: ["over-license", "agents-off"],
    check(review, fleet) {
      const full = fleet.licensed("essentials", "embedded").length;
      expect([review.load?.before.over, review.load?.after.over]).toEqual([full, full + 1]);
      expect(review.load?.over.filter(({ worse }) => worse)).toEqual([
        expect.objectContaining({ id: fleet.licensed("advantage")[0]?.id, limit: 4, before: 5, after: 5 }),
      ]);
      const elsewhere = fleet.in("1002").filter(({ status }) => status === "enabled").length;
      // One is disabled, one leaves the first account group, and both are counted.
      expect([review.load?.before.agents, review.load?.after.agents]).toEqual([
        fleet.enabled.length + elsewhere,
        fleet.enabled.length + elsewhere - 1,
      ]);
    },
  },
  forgotten: {
    before: [
      label("office", platform("Windows")),
      // Created in order, because their ids decide which of them run on a full agent.
      `const stays = ${toServer("stays", "", ", { retainOnDelete: true }")}`,
      `const along = ${toServer("along", "", ", { deletedWith: office, dependsOn: stays }")}`,
      'new em.HttpServerTest("beside", { testName: "Beside", url: "https://a.example.com", httpTimeLimit: 3000 }, { retainOnDelete: true, dependsOn: along });',
      'new em.HttpServerTest("hushed", { testName: pulumi.secret("psst-name"), isEnabled: false, url: "https://b.example.com", httpTimeLimit: 3000 });',
    ],
    after: [
      'new em.HttpServerTest("beside", { testName: "Beside", url: "https://a.example.com", httpTimeLimit: 4000 }, { retainOnDelete: true });',
      'new em.HttpServerTest("hushed", { testName: pulumi.secret("psst-name"), isEnabled: false, url: "https://b.example.com", httpTimeLimit: 4000 });',
      'new pulumi.ComponentResource("my:component:Thing", "thing");',
    ],
    // Deletes retained records before the next changes.
    meanwhile: (stack) => {
      const path = { stays: paths.agentToServer, along: paths.agentToServer, beside: paths.httpServer };
      return Promise.resolve(Object.entries(path).map(([name, root]) => `${root}/${stack.state()[name]?.id}?aid=1001`));
    },
    // The old test continues next to the new one.
    findings: ["deletes", "replacements", "over-license"],
    check(review, fleet) {
      const none = { created: 0, updated: 0, replaced: 0, deleted: 0, forgotten: 0 };
      expect(review.summary).toMatchObject({ ...none, deleted: 1, forgotten: 2, replaced: 2, others: none });
      const reach = Object.fromEntries(review.resources.map(({ name }) => [name, reached(review, name)]));
      const all = Math.min(25, fleet.enabled.length);
      // Two stay in the service, a replacement runs as before, and disabled tests do not run.
      expect(reach).toMatchObject({ stays: [all, all], along: [all, all], beside: [all, all], hushed: [0, 0] });
      expect(texts(review, "deletes")).toEqual(['label "office" is deleted']);
    },
  },
  adopted: {
    before: [
      label("office", platform("Windows")),
      label("site", platform("Mac")),
      toServer("vpn", `${by("office")}, maxMachines: 100`),
      toServer("steady", `${by("office")}, maxMachines: 100`),
    ],
    after: afterAdoption,
    async meanwhile(stack) {
      await stack.api("POST", `${paths.httpServer}?aid=1001`, { testName: "By hand", url: "https://a.example.com" });
      return [];
    },
    findings: [],
    check(review, fleet) {
      const numbers = { created: 0, updated: 0, replaced: 0, deleted: 0, forgotten: 0, adopted: 4 };
      expect(review.summary).toMatchObject(numbers);
      const from = Object.fromEntries(review.resources.map((resource) => [resource.name, resource.from?.name]));
      expect(from).toEqual({ renamed: "office", site: "site", tunnel: "vpn", manual: undefined });
      expect(reached(review, "tunnel")).toEqual([fleet.able("windows"), fleet.able("windows")]);
      expect(review.resources.find(({ name }) => name === "tunnel")?.changes).toEqual([
        { property: "interval", how: "changed", before: 60, after: 300 },
      ]);
    },
    async afterwards(stack) {
      const kinds = ["labels", "agent-to-server-tests", "http-server-tests"] as const;
      const ids = () => Promise.all(kinds.map((kind) => stack.ids(kind)));
      const [before, state] = [await ids(), stack.state()];
      expect(before.map((idList) => idList.length)).toEqual([2, 2, 1]);
      await stack.up();
      expect(await ids()).toEqual(before);
      const now = stack.state();
      const idsNow = ["renamed", "site", "tunnel", "steady", "manual"].map((name) => now[name]?.id);
      expect(idsNow).toEqual([...["office", "site", "vpn", "steady"].map((name) => state[name]?.id), before[2]?.[0]]);
    },
  },
  nothing: { before: afterAdoption, after: afterAdoption, findings: [] },
  // The last case, because it leaves agents with other names.
  hostile: {
    before: hostile.map(
      (name, n) => `new em.Label("h${n}", { name: ${JSON.stringify(name)}, matchType: "or", ${platform("Mac")} });`,
    ),
    after: hostile.flatMap((name, n) => [
      `const l${n} = new em.Label("h${n}", { name: ${JSON.stringify(`${name}!`)}, matchType: "or", ${platform("Linux")} });`,
      `new em.AgentToServerTest(${JSON.stringify(`t ${name}`)}, { testName: ${JSON.stringify(name)}, server: "vpn.example.com", ${by(`l${n}`)} });`,
    ]),
    async meanwhile(stack, fleet) {
      const here = fleet.filter(({ aid, platform: family }) => aid === "1001" && family === "mac");
      for (const [n, name] of hostile.entries()) {
        if (here[n]) await stack.api("PATCH", `/v7/endpoint/agents/${here[n].id}?aid=1001`, { name });
      }
      return byHand(stack, hostile[0] ?? "", paths.dynamic, { application: "zoom", testName: hostile[0] });
    },
    findings: ["over-license"],
    check(review) {
      expect(review.resources.filter(({ op }) => op === "update").map(({ title }) => title)).toEqual(
        hostile.map((name) => `${name}!`),
      );
    },
  },
};
