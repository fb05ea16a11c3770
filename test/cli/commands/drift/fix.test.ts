/** Runs `drift --fix` with a stand-in for the engine, which updates the targets on the emulator as Pulumi does. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DriftOutcome, DriftReport } from "../../../../cli/commands/drift/data";
import type { EngineResource } from "../../../../engine/state";
import type { Kind } from "../../../../provider/kind";
import { Lifecycle } from "../../../../provider/lifecycle";
import { type KindName, registry } from "../../../../provider/registry";
import { Session } from "../../../../provider/session";
import { readSettings } from "../../../../api";
import type { Properties } from "../../../../provider/values";
import { AnsweringEngine, answersOf, type EngineAnswer } from "../../../support/answering-engine";
import { runCommand } from "../../../support/command";
import { created } from "../../drift-support";
import { patience } from "../../../provider/bench";
import { temporary } from "../../../support/temporary";
import { useEmulator } from "../../../support/emulator";

const emulator = useEmulator({ agents: 3 });
let folder: string;
let session: Session;
beforeAll(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});
beforeEach(() => {
  emulator.reset();
  session = newSession();
});
afterEach(() => session.client.close());

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
const test = (testName: string): Properties => ({ testName, server: "www.example.com", interval: 60 });

/** A session as a provider process has one. */
function newSession(): Session {
  const settings: Record<string, string> = { baseUrl: emulator.url, token: "emulator-token", ...patience };
  return new Session(readSettings((name) => settings[name], {}));
}

/** The resources that a stack manages, which an update of the stand-in changes. */
class Stack {
  readonly resources: EngineResource[] = [];
  /** Operations of the program, in addition to the fix. */
  readonly pending: Record<string, string> = {};
  /** The failure of the engine's next updates. */
  failure: string | undefined;

  async add(
    kindName: KindName,
    name: string,
    properties: Properties,
    more: Partial<EngineResource> = {},
  ): Promise<EngineResource> {
    const resource = await created(session, kindName, name, properties, more);
    this.resources.push(resource);
    return resource;
  }

  async fix(
    ...args: string[]
  ): Promise<{ code: number; calls: string[]; stderr: string; report: DriftReport; fixed: DriftOutcome }> {
    const place = mkdtempSync(join(folder, "engine-"));
    const engine = new AnsweringEngine(place, (call) =>
      call.args[0] === "up" ? this.#up(call.args) : answersOf(this.#answers())(call),
    );
    const env = engine.env({ ...emulator.env, ENDPOINT_MONITORING_READ_LAG: "0" });
    const run = await runCommand(["drift", "--fix", "--json", ...args], { cwd: folder, env });
    engine.end();
    const { data } = JSON.parse(run.stdout) as { data?: DriftReport & { fixed?: DriftOutcome } };
    if (!data?.fixed) throw new Error(run.text);
    return { code: run.code, calls: engine.calls, stderr: run.stderr, report: data, fixed: data.fixed };
  }

  #answers(): Record<string, unknown> {
    const { resources, pending } = this;
    const steps = resources.map(({ urn }) => ({ op: pending[urn.split("::").at(-1) ?? ""] ?? "same", urn }));
    const state = { deployment: { resources } };
    return {
      "stack ls": [{ name: "dev", current: true }],
      "stack export --show-secrets": state,
      "stack export": state,
      "config --json": {},
      "preview --json --show-sames --show-replacement-steps --refresh": { steps: [] },
      "preview --json --show-sames": { steps },
    };
  }

  /** Updates the targets to their inputs, and creates those again that no longer exist. A failed update has refreshed the state. */
  async #up(args: readonly string[]): Promise<EngineAnswer> {
    const targets = new Set(args.filter((_, at) => args[at - 1] === "--target"));
    const updating = newSession();
    for (const resource of this.resources.filter(({ urn }) => targets.has(urn))) {
      const kind: Kind = registry[resource.urn.includes(":Label::") ? "label" : "agentToServerTest"];
      const life = new Lifecycle(kind, updating);
      const { id = "", inputs = {}, outputs = {} } = resource;
      const current = await life.read(id, outputs);
      if (this.failure !== undefined) Object.assign(resource, { inputs: current?.inputs, outputs: current?.state });
      else if (current) resource.outputs = await life.update(id, current.state, inputs);
      else Object.assign(resource, await life.create(inputs).then(({ id: newId, state }) => ({ id: newId, outputs: state })));
    }
    await updating.client.close();
    if (this.failure === undefined) return {};
    const event = { diagnosticEvent: { severity: "error", message: `error: ${this.failure}`, urn: "" } };
    return { code: 255, stdout: `${JSON.stringify(event)}\n` };
  }
}

/** Changes or deletes a record as a user of the product does. */
async function byHand(method: "PATCH" | "DELETE", { urn, id }: EngineResource, body?: object): Promise<void> {
  const path = urn.includes(":Label::") ? "labels" : "tests/scheduled-tests/agent-to-server";
  await emulator.call(method, `/v7/endpoint/${path}/${id}`, body);
}

const updates = (calls: readonly string[]): string[] => calls.filter((call) => call.startsWith("up "));
const targetsOf = (call = ""): string[] => [...call.matchAll(/--target (\S+)/g)].map(([, urn]) => urn ?? "");
const recordOf = async ({ id = "" }: EngineResource): Promise<unknown> =>
  session.client.agentToServerTests.get({ path: { testId: id } });

describe("`drift --fix` in a project", () => {
  it("`drift --fix` updates only the drifted resources", async () => {
    const stack = new Stack();
    const drifted = await stack.add("agentToServerTest", "drifted", test("Drifted"));
    await stack.add("agentToServerTest", "other", test("Other"));
    await byHand("PATCH", drifted, { interval: 300 });
    const { code, calls, report, fixed } = await stack.fix();
    expect([code, report.drift]).toEqual([0, false]);
    expect(fixed).toMatchObject({
      resources: [{ name: "drifted", how: "changed", properties: ["interval"] }],
      replaced: [],
      left: [],
      pending: [],
      failures: [],
    });
    expect(await recordOf(drifted)).toMatchObject({ interval: 60 });
    const [update] = updates(calls);
    expect(updates(calls)).toHaveLength(1);
    expect(update).toMatch(/^up --yes --skip-preview --refresh --run-program --continue-on-error --target /);
    expect(targetsOf(update)).toEqual([drifted.urn]);
    // The review of the fix precedes the update, and the comparison follows it.
    const order = calls.map((call) => call.split(" ")[0]).filter((word) => word !== "config");
    expect(order.slice(order.indexOf("preview"))).toEqual(["preview", "preview", "up", "stack"]);
  });

  it("`drift --fix` does not count a recreated record as replaced", async () => {
    const stack = new Stack();
    const missing = await stack.add("label", "office", label);
    const { id } = missing;
    await byHand("DELETE", missing);
    const { code, fixed } = await stack.fix();
    expect(code).toBe(0);
    expect(missing.id).not.toBe(id);
    expect(fixed).toMatchObject({ resources: [{ name: "office", id: missing.id, how: "created again" }], replaced: [] });
  });

  it("`drift --fix` skips a resource that the program also changes", async () => {
    const stack = new Stack();
    const both = await stack.add("agentToServerTest", "both", test("Both"));
    await stack.add("label", "office", label);
    await byHand("PATCH", both, { interval: 300 });
    Object.assign(stack.pending, { both: "update", office: "delete" });
    const { code, calls, report, fixed } = await stack.fix();
    expect([code, report.drift]).toEqual([2, true]);
    expect(fixed).toMatchObject({
      resources: [],
      left: [{ name: "both", reason: expect.stringContaining("the program also changes it (update)") }],
      pending: [
        { stack: "dev", op: "update", name: "both" },
        { stack: "dev", op: "delete", name: "office" },
      ],
    });
    expect(updates(calls)).toEqual([]);
    expect(await recordOf(both)).toMatchObject({ interval: 300 });
  });

  it("`drift --fix` reports the remaining drift after a failed update", async () => {
    const stack = new Stack();
    const drifted = await stack.add("agentToServerTest", "drifted", test("Drifted"));
    await byHand("PATCH", drifted, { interval: 300 });
    stack.failure = "the seats are used up";
    const { code, report, fixed, stderr } = await stack.fix();
    expect([code, report.drift, fixed.resources]).toEqual([1, true, []]);
    expect(fixed.failures).toEqual([expect.stringContaining("the seats are used up")]);
    expect(stderr).toContain("error: ");
  });

  it("`drift --fix` does not start the engine for a stack without drift", async () => {
    const stack = new Stack();
    await stack.add("label", "office", label);
    const { code, calls, fixed } = await stack.fix();
    expect([code, fixed.resources]).toEqual([0, []]);
    expect(calls.filter((call) => /^(?:preview|up) /.test(call))).toEqual([]);
  });
});
