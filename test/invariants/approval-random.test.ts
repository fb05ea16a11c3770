/**
 * Makes random changes between review and merge, in the long form a hundred of each sort. The test computes itself which
 * changes `apply` refuses, and why.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Random } from "../../emulator/fleet/random";
import { amount, seed } from "../support/amount";
import { type AppliedRun, type DeclaredResource, label, portal, Scene, toServer } from "../cli/approval-support";

/** An expected report: the kind of difference or the rule, its resource, and a part of its text. */
interface Expected {
  differences: { what: string; about?: string; says: string[] }[];
  passed?: { rule: string; about?: string }[];
  args?: string[];
}

interface Story {
  random: Random;
  /** The program's resources when it is reviewed. */
  approved: Record<string, DeclaredResource>;
  /** Returns a word that no secret contains yet. */
  password: string;
}

type Meanwhile = (scene: Scene, story: Story) => Promise<Expected>;

const intervals = [60, 120, 300, 600, 900, 1800] as const;
const passwords = ["dr4gon", "hunter2", "l3tmein", "sunsh1ne", "qwerty99", "tr0ub4dor"] as const;
const pickOther = <T>(random: Random, all: readonly [T, ...T[]], ...not: unknown[]): T => {
  const others = all.filter((candidate) => !not.includes(candidate));
  return random.pick(others as [T, ...T[]]);
};

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start(60);
});
afterAll(() => scene.end());

/** A stack with a change that waits for approval: one step of each operation, and a change of a label that a test uses. */
async function tell(number: number): Promise<Story> {
  scene.reset();
  const random = new Random(number);
  const first = random.pick(intervals);
  const [had, has] = [random.pick(passwords), ""];
  const office = await scene.hold("office", label("Office", "Windows"));
  const by = { agentSelectorType: "agent-labels", endpointAgentLabels: [office] };
  await scene.hold("vpn", toServer("VPN", { interval: first, port: random.between(1_000, 9_999) }));
  await scene.hold("mail", toServer("Mail", by));
  await scene.hold("old", toServer("Old"));
  await scene.hold("portal", portal(had, { interval: first }));
  await scene.hold("quiet", label("Quiet", "Linux"));
  const desk = await scene.hold("desk", label("Desk", "Windows"));
  const byDesk = { agentSelectorType: "agent-labels", endpointAgentLabels: [desk], interval: first };
  await scene.hold("by-desk", toServer("By desk", byDesk));
  scene.program["by-desk"] = toServer("By desk", { ...byDesk, interval: pickOther(random, intervals, first) });
  await setStatus("disable", (await agentsThat("enabled")).slice(0, 5));
  await scene.make("agentToServerTest", { testName: "Elsewhere", server: "192.0.2.1" });
  const currentArgs = scene.inState("vpn").args;
  scene.program["vpn"] = { kind: "agentToServerTest", args: { ...currentArgs, interval: pickOther(random, intervals, first) } };
  scene.program["office"] = label("Office", "Windows", "Mac");
  scene.program["portal"] = portal(pickOther(random, passwords, had), { interval: first });
  scene.program["added"] = toServer("Added", { interval: random.pick(intervals) });
  delete scene.program["old"];
  return { random, approved: { ...scene.program }, password: has };
}

/** Agents that have the changed label before and after the change. */
async function agentsThat(status: string): Promise<string[]> {
  return (await scene.agents()).filter((agent) => agent.platform === "windows" && agent.status === status).map(({ id }) => id);
}
async function setStatus(verb: "enable" | "disable", ids: readonly string[]): Promise<void> {
  for (const id of ids) await scene.call("POST", `/v7/endpoint/agents/${id}/${verb}?aid=1001`);
}
/** Enables some disabled agents. */
async function enable(count: number): Promise<void> {
  await setStatus("enable", (await agentsThat("disabled")).slice(0, count));
}

const reference = (name: string): RegExp => new RegExp(`::${name}$`);

/** Changes that `apply` refuses. */
const refused: Record<string, Meanwhile> = {
  "a user edited a record that changes": async (_scene, { random }) => {
    const port = Number(scene.inState("vpn").args["port"]);
    const other = port + random.between(1, 500);
    scene.later(100);
    await scene.edit("vpn", { port: other });
    return { differences: [{ what: "record", about: "vpn", says: [`port: approved ${port}, now ${other}`, " UTC"] }] };
  },
  "a user edited a label that changes": async () => {
    await scene.edit("office", { color: "#123456" });
    return { differences: [{ what: "record", about: "office", says: ["color: approved #d9d9d9, now #123456"] }] };
  },
  "a user edited a record that the change deletes": async () => {
    scene.later(100);
    await scene.edit("old", { interval: 1800 });
    return { differences: [{ what: "record", about: "old", says: ["interval: approved 60, now 1800"] }] };
  },
  "a user deleted a record that changes": async () => {
    await scene.drop("vpn");
    return { differences: [{ what: "record", about: "vpn", says: ["was deleted in the service"] }] };
  },
  "a user saved a record with a property that the service never returns": async () => {
    scene.later(100);
    await scene.edit("portal", {});
    return { differences: [{ what: "record", about: "portal", says: ["was saved in the service at", "password"] }] };
  },
  "a user created a record that the change creates": async () => {
    const id = await scene.make("agentToServerTest", { ...toServer("Added").args, ...scene.program["added"]?.args });
    return { differences: [{ what: "differs", about: "added", says: [`identical ${id}`] }] };
  },
  "the main branch has an additional resource": async (_scene, { random }) => {
    const name = `more${random.between(1, 99)}`;
    scene.program[name] = toServer(`Test of ${name}`);
    return { differences: [{ what: "new", about: name, says: ["would be created"] }] };
  },
  "the main branch deletes an additional resource": async () => {
    delete scene.program["quiet"];
    return { differences: [{ what: "new", about: "quiet", says: ["would be deleted"] }] };
  },
  "the main branch reverted a change": async () => {
    scene.program["vpn"] = scene.inState("vpn");
    return { differences: [{ what: "gone", about: "vpn", says: ["to be updated, but"] }] };
  },
  "the main branch no longer declares a new resource": async () => {
    delete scene.program["added"];
    return { differences: [{ what: "gone", about: "added", says: ["to be created, but"] }] };
  },
  "another update changed the state": async (_scene, { random, approved }) => {
    const had = Number(scene.inState("vpn").args["interval"]);
    const will = Number(approved["vpn"]?.args["interval"]);
    const other = pickOther(random, intervals, had, will);
    scene.later(100);
    await scene.edit("vpn", { interval: other });
    scene.state["vpn"] = { ...scene.inState("vpn"), args: { ...scene.inState("vpn").args, interval: other } };
    return {
      differences: [
        {
          what: "differs",
          about: "vpn",
          says: [`the state before the change differs from the approved state: interval: approved ${had}, now ${other}`],
        },
        { what: "record", about: "vpn", says: [`interval: approved ${had}, now ${other}`] },
      ],
    };
  },
  "the program declares another value": async (_scene, { random, approved }) => {
    const had = Number(scene.inState("vpn").args["interval"]);
    const will = Number(approved["vpn"]?.args["interval"]);
    const other = pickOther(random, intervals, had, will);
    scene.program["vpn"] = { kind: "agentToServerTest", args: { ...approved["vpn"]?.args, interval: other } };
    return { differences: [{ what: "differs", about: "vpn", says: [`interval: approved ${will}, now ${other}`] }] };
  },
  "the configuration has another value, which the program declares": async (_scene, { random, approved }) => {
    const was = Number(approved["added"]?.args["interval"]);
    const other = pickOther(random, intervals, was);
    scene.settings["test:interval"] = String(other);
    scene.program["added"] = toServer("Added", { interval: Number(scene.settings["test:interval"]) });
    return { differences: [{ what: "differs", about: "added", says: [`interval: approved ${was}, now ${other}`] }] };
  },
  "an update became a replacement": async (_scene, { approved }) => {
    const args = { ...approved["vpn"]?.args, isPrioritized: true };
    scene.program["vpn"] = { kind: "agentToServerTest", args };
    return {
      differences: [
        {
          what: "differs",
          about: "vpn",
          says: [
            "the approval expects the resource to be updated, but the resource would now be replaced",
            "isPrioritized: approved false, now true",
          ],
        },
        { what: "stop", about: "vpn", says: ["replacements"] },
      ],
    };
  },
  "an update became a deletion": async () => {
    delete scene.program["vpn"];
    return {
      differences: [
        {
          what: "differs",
          about: "vpn",
          says: ["the approval expects the resource to be updated, but the resource would now be deleted"],
        },
        { what: "reach", about: "vpn", says: ["differs from the approved rule"] },
        { what: "stop", about: "vpn", says: ["deletes"] },
      ],
    };
  },
  "the configuration has another secret": async (_scene, { random, approved }) => {
    const [had, will] = [scene.inState("portal").args["password"], approved["portal"]?.args["password"]];
    const other = pickOther(random, passwords, had, will);
    scene.program["portal"] = portal(other, { interval: approved["portal"]?.args["interval"] });
    return { differences: [{ what: "differs", about: "portal", says: ["secret password differs from the approved value"] }] };
  },
  "another update changed the secret in the state": async (_scene, { random, approved }) => {
    const [had, will] = [scene.inState("portal").args["password"], approved["portal"]?.args["password"]];
    const other = pickOther(random, passwords, had, will);
    scene.state["portal"] = { ...scene.inState("portal"), args: { ...scene.inState("portal").args, password: other } };
    return {
      differences: [
        {
          what: "differs",
          about: "portal",
          says: [
            "the state before the change differs from the approved state: secret password differs from the approved value",
          ],
        },
      ],
    };
  },
  "the configuration has another provider setting": async (_scene, { random }) => {
    const [name, value] = random.pick([
      ["adopt", "identical"],
      ["replaceOrder", "create-first"],
      ["tenantId", "another-tenant"],
      ["clientId", "another-client"],
    ]);
    scene.settings[`endpoint-monitoring:${name}`] = value;
    return { differences: [{ what: "setting", says: [`setting ${name}: approved none, now ${value}`] }] };
  },
  "the project has another version of this package": async () => {
    const approval = JSON.parse(readFileSync(scene.approval, "utf8")) as { version: string };
    const { version } = approval;
    writeFileSync(scene.approval, JSON.stringify({ ...approval, version: "0.0.9" }));
    return { differences: [{ what: "version", says: [`version ${version}, but the approval is from version 0.0.9`] }] };
  },
  "a user narrowed the label of a changed test": async () => {
    await scene.edit("desk", { filters: [{ key: "platform", values: ["Mac"] }] });
    return { differences: [{ what: "reach", about: "by-desk", says: ["differs from the approved rule"] }] };
  },
  "another build of this package is installed": async () => {
    const approval = JSON.parse(readFileSync(scene.approval, "utf8")) as object;
    const other = { version: "0.1.0", integrity: "sha256-other" };
    writeFileSync(scene.approval, JSON.stringify({ ...approval, package: other }));
    return {
      differences: [{ what: "version", says: ["the program loads", "the approval is for version 0.1.0 (sha256-other)"] }],
    };
  },
  "more agents match than the limit permits": async (_scene, { random }) => {
    await enable(3);
    return {
      args: ["--reach-tolerance", random.pick(["2", "1%"])],
      differences: [
        { what: "reach", about: "added", says: ["gains 3 agents more than approved"] },
        { what: "reach", about: "old", says: ["loses 3 agents more than approved"] },
      ],
    };
  },
  "a user created a test that selects the changed label": async () => {
    const by = { agentSelectorType: "agent-labels", endpointAgentLabels: [scene.inState("office").id] };
    const id = await scene.make("agentToServerTest", { testName: "Theirs", server: "192.0.2.9", ...by });
    return { differences: [{ what: "reach", says: [id, "more than approved"] }] };
  },
};

/** Deletes Windows agents that run tests. @returns the id of a deleted agent, which no longer has a name */
async function leave(random: Random, count: number): Promise<string> {
  const all = (await scene.agents()).filter(({ platform, status }) => platform === "windows" && status === "enabled");
  const first = random.between(0, all.length - count);
  for (const { id } of all.slice(first, first + count)) await scene.call("DELETE", `/v7/endpoint/agents/${id}?aid=1001`);
  return all[first]?.id ?? "";
}

/** Changes that a rule accepts as harmless, or that are not differences. */
const harmless: Record<string, Meanwhile> = {
  nothing: async () => ({ differences: [] }),
  "a user edited a record that does not change": async () => {
    await scene.edit("quiet", { color: "#654321" });
    return { differences: [] };
  },
  "a user created an unmanaged record": async (_scene, { random }) => {
    await scene.make("label", { name: `Unrelated ${random.between(1, 999)}`, matchType: "or", filters: [] });
    return { differences: [] };
  },
  "a user rotated the token": async () => {
    scene.settings["endpoint-monitoring:token"] = "emulator-editor-token";
    scene.settings["endpoint-monitoring:timeout"] = "60";
    return { differences: [] };
  },
  "another setting of the project changed": async (_scene, { random }) => {
    scene.settings[`test:owner${random.between(1, 9)}`] = "somebody";
    return { differences: [] };
  },
  "the program declares resources in another order": async () => {
    scene.program = Object.fromEntries(Object.entries(scene.program).toReversed());
    return { differences: [] };
  },
  "the main branch already has another resource": async () => {
    await scene.hold("there", toServer("There"));
    return { differences: [] };
  },
  "a user saved a record without a change": async () => {
    scene.later(100);
    await scene.edit("vpn", {});
    return { differences: [], passed: [{ rule: "times", about: "vpn" }] };
  },
  "an interrupted update created an approved record": async () => {
    await scene.carryOut(["added"]);
    return { differences: [], passed: [{ rule: "done", about: "added" }] };
  },
  "an interrupted update made a part of the change": async () => {
    await scene.carryOut(["vpn", "office", "old"]);
    return { differences: [], passed: ["office", "old", "vpn"].map((about) => ({ rule: "done", about })) };
  },
  "agents left, which the change does not move": async (_scene, { random }) => {
    await leave(random, random.between(1, 3));
    return { args: random.pick([[], ["--reach-tolerance", "0"]]), differences: [] };
  },
  "agents came, as many as are let": async (_scene, { random }) => {
    await enable(2);
    const args = random.pick([[], ["--reach-tolerance", "2"], ["--reach-tolerance", "20%"]]);
    return { args, differences: [], passed: ["added", "old"].map((about) => ({ rule: "agents", about })) };
  },
};

/** Checks that the report contains exactly the changes that were made. */
function compare(run: AppliedRun, { differences, passed = [] }: Expected): void {
  const missing = differences.filter(
    ({ what, about, says }) =>
      !run.differences.some(
        (difference) =>
          difference.what === what &&
          (about === undefined || reference(about).test(difference.urn ?? "")) &&
          says.every((part) => difference.text.includes(part)),
      ),
  );
  expect({ missing, count: run.differences.length, reported: run.differences.map(({ text }) => text) }).toEqual({
    missing: [],
    count: differences.length,
    reported: run.differences.map(({ text }) => text),
  });
  const known = (rule: string, about: string | undefined) => `${rule} ${about ?? ""}`;
  const reported = run.passed
    .filter(({ rule }) => rule !== "findings")
    .map(({ rule, urn }) => known(rule, urn?.split("::").at(-1)));
  expect(reported.toSorted()).toEqual(passed.map(({ rule, about }) => known(rule, about)).toSorted());
}

const firstSeed = seed(1);
/** Cases of every sort in turn, so that few cases already have different sorts. */
const stride = 5;
const cases = (stories: Record<string, Meanwhile>, count: number, from: number): [string, number, Meanwhile][] =>
  Array.from({ length: count }, (_, at) => {
    const all = Object.entries(stories);
    const [name, story] = all[(at * stride + from) % all.length] ?? [];
    if (name === undefined || !story) throw new Error("There is no story");
    return [name, from + at, story];
  });

describe("changes without an approval", () => {
  test.each(cases(refused, amount(3, 100), firstSeed))(
    "apply refuses the change: %s (seed %i)",
    async (_name, number, meanwhile) => {
      const story = await tell(number);
      await scene.approve();
      const expected = await meanwhile(scene, story);
      const run = await scene.apply(...(expected.args ?? []));
      compare(run, expected);
      expect([run.code, run.outcome, scene.applied]).toEqual([2, "refused", false]);
      for (const password of passwords) expect(run.text).not.toContain(password);
    },
  );
});

describe("harmless changes after the review", () => {
  test.each(cases(harmless, amount(2, 100), firstSeed))(
    "apply accepts the change: %s (seed %i)",
    async (_name, number, meanwhile) => {
      const story = await tell(number);
      await scene.approve();
      const approval = readFileSync(scene.approval, "utf8");
      for (const password of passwords) expect(approval).not.toContain(password);
      const expected = await meanwhile(scene, story);
      const run = await scene.apply(...(expected.args ?? []));
      compare(run, expected);
      expect([run.code, run.outcome, scene.applied]).toEqual([0, "applied", true]);
    },
  );
});
