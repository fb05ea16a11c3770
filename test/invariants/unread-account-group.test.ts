/** Simulates an account group that refuses all requests because it was removed or the credentials lost their access. */
import { readSettings } from "../../api";
import type { IgnoreList } from "../../cli/commands/drift/ignore-list";
import { readStackDrift } from "../../cli/commands/drift/stack-drift";
import { planOf } from "../../cli/commands/drift/plan";
import { unmanagedRecords } from "../../cli/commands/drift/unmanaged";
import type { ManagedResource } from "../../engine/state";
import { listAll } from "../../cli/commands/import/target";
import { importedKinds } from "../../provider/imported-kinds";
import { Lifecycle } from "../../provider/lifecycle";
import { registry } from "../../provider/registry";
import { lookUpAgent } from "../../provider/resources/agent-lookup";
import { Session } from "../../provider/session";
import type { Output } from "../../cli/report/output";
import { Bench } from "../provider/bench";
import { runCommand } from "../support/command";
import { plainEnv } from "../support/process";
import { RefusingFront } from "../support/refusing-front";
import { temporary } from "../support/temporary";
import { inState, urnOf } from "../cli/drift-support";
import type { ComparedStack } from "../../cli/commands/drift/model";

const removed = "1002";
let bench: Bench;
let front: RefusingFront;
let session: Session;

/** Opens a session, which knows of no list. */
function open(): void {
  const settings = {
    baseUrl: front.url,
    token: "emulator-token",
    readLag: "0",
  };
  session = new Session(readSettings((name) => (settings as Record<string, string>)[name], {}));
}

beforeEach(async () => {
  bench = await Bench.start();
  front = await RefusingFront.start(bench.emulator.url);
  open();
});
afterEach(async () => {
  await session.client.close();
  front.close();
  await bench.end();
});

async function managed(name: string, accountGroupId: string): Promise<ManagedResource> {
  const args = { name, matchType: "or", filters: [{ key: "platform", values: ["Mac"], mode: "in" }], accountGroupId };
  front.refused.clear();
  const kind = registry.label;
  const lifecycle = new Lifecycle(kind, session);
  const { inputs } = lifecycle.check(args);
  const { id, state } = await lifecycle.create(inputs);
  front.refused.add(removed);
  await session.client.close();
  open();
  const shared = {
    stack: "dev",
    kindName: "label" as const,
    kind,
    secrets: new Set<string>(),
    protect: false,
    ignoreChanges: [],
  };
  return { ...shared, name, id, urn: urnOf("label", name), inputs, outputs: state };
}

const ignores = { entriesFor: () => [] } as unknown as IgnoreList;

test("drift does not fix the resources that it cannot read", async () => {
  const [near, far] = [await managed("near", "1001"), await managed("far", removed)];
  const changed = { ...near, inputs: { ...near.inputs, matchType: "and" } };
  const drift = await readStackDrift("dev", [changed, far], session, ignores);
  expect(drift.changed.map(({ name }) => name)).toEqual(["near"]);
  expect(drift.missing).toEqual([]);
  expect(drift.unread).toEqual([
    { accountGroupId: removed, resources: [expect.objectContaining({ name: "far" })], message: expect.stringContaining("403") },
  ]);
  const resources = [inState("label", "near"), inState("label", "far")];
  const ops = new Map(resources.map(({ urn }) => [urn, "same"]));
  expect(planOf(drift, resources, ops).groups).toEqual([[near.urn]]);
  const alsoChanged = { ...drift, changed: [...drift.changed, { ...drift.changed[0], urn: far.urn, name: "far" } as never] };
  expect(planOf(alsoChanged, resources, ops).left).toEqual(new Map([[far.urn, "it could not be read"]]));
});

test("drift fails if it cannot read any resource", async () => {
  await expect(readStackDrift("dev", [await managed("far", removed)], session, ignores)).rejects.toThrow("403");
});

test("drift names an unreadable account group and lists the unmanaged records of all readable groups", async () => {
  const [near, far] = [await managed("near", "1001"), await managed("far", removed)];
  const drift = { stack: "dev", resources: 2, changed: [], missing: [], notes: [] };
  const comparedStack = {
    stack: { name: "dev" },
    resources: [],
    managed: [near, far],
    session,
    drift,
  } as unknown as ComparedStack;
  const unread: (string | undefined)[] = [];
  const records = await unmanagedRecords([comparedStack], [], { kinds: new Set(["label"]) }, (id) => unread.push(id));
  expect(records.map(({ record: { name } }) => name)).toContain("near");
  expect(unread).toEqual([removed]);
});

test("import names an unreadable account group and lists the records of all readable groups", async () => {
  await managed("near", "1001");
  const out = { progress: () => undefined } as unknown as Output;
  const labels = importedKinds.filter(({ name }) => name === "label");
  const unread: string[] = [];
  const listed = await listAll(session, labels, ["1001", removed], out, (reason) => unread.push(reason));
  expect(listed.map(({ title }) => title)).toEqual(["near"]);
  expect(unread).toEqual([expect.stringMatching(/^the labels of account group 1002 could not be read: .*403/)]);
  await expect(listAll(session, labels, [removed], out, () => undefined)).rejects.toThrow("403");

  const env = { ENDPOINT_MONITORING_BASE_URL: front.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
  const args = ["import", "--dry-run", "--account-group", `1001,${removed}`, "--only", "labels"];
  const run = await runCommand(args, { cwd: temporary(), env: plainEnv(env) });
  expect([run.code, run.text]).toEqual([1, expect.stringMatching(/labels of account group 1002 could not be read: .*403/)]);
  expect(run.stdout).toContain("near");
});

test("a look-up finds an agent although the service refuses requests for one account group", async () => {
  front.refused.add(removed);
  const { agents } = await bench.session.client.agents.list({ query: { aid: "1001" } });
  const { name: agentName = "", id } = agents[0] ?? {};
  expect(await lookUpAgent(session, { agentName })).toMatchObject({ id });
  await expect(lookUpAgent(session, { agentName: "No such agent" })).rejects.toThrow("403");
});
