/**
 * Runs the `drift` command with a script as the engine and checks its engine calls, counts and output. The service is the
 * emulator.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allOperations } from "../../../../api";
import type { DriftReport } from "../../../../cli/commands/drift/data";
import type { EngineResource } from "../../../../engine/state";
import type { KindName } from "../../../../provider/registry";
import type { Session } from "../../../../provider/session";
import type { Properties } from "../../../../provider/values";
import { runCommand } from "../../../support/command";
import { AnsweringEngine, answersOf } from "../../../support/answering-engine";
import { created, urnOf } from "../../drift-support";
import { sessionWith } from "../../review-support";
import { temporary } from "../../../support/temporary";
import { useEmulator } from "../../../support/emulator";

const service = useEmulator({ agents: 3 });
let folder: string;
let session: Session;
beforeAll(async () => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  session = sessionWith(service.url);
});
afterAll(() => session.client.close());
beforeEach(() => service.reset());

const label = (name: string) => ({ name, matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] });
const portal = (testName: string, more: Properties = {}) => ({ testName, url: "https://www.example.com", ...more });
const basic = { authType: "basic", username: "probe" };

const made = (kindName: KindName, name: string, declared: Properties, from = {}): Promise<EngineResource> =>
  created(session, kindName, name, declared, { propertyDependencies: { __provider: [], ...from } });

/** Runs the command with these stacks by name; the first is selected. A string is an engine error. */
async function drift(
  stacks: Record<string, readonly EngineResource[] | undefined>,
  args: readonly string[],
  more: Record<string, unknown> = {},
) {
  const place = mkdtempSync(join(folder, "engine-"));
  const exports = Object.entries(stacks).flatMap(([name, resources]) => {
    const state = { deployment: { resources } };
    if (resources === undefined) return [];
    return [
      [`stack export --show-secrets --stack ${name} `, state],
      [`stack export --stack ${name} `, state],
      [`config --json --show-secrets --stack ${name} `, {}],
    ];
  });
  const listing = Object.keys(stacks).map((name, at) => ({ name, current: at === 0 }));
  const engine = new AnsweringEngine(place, answersOf({ ...more, "stack ls": listing, ...Object.fromEntries(exports) }));
  const run = await runCommand(["drift", ...args], { cwd: folder, env: engine.env(service.env) });
  engine.end();
  return { ...run, calls: engine.calls };
}

function reportOf({ stdout, stderr }: { stdout: string; stderr: string }): DriftReport {
  const { data } = JSON.parse(stdout) as { data?: DriftReport };
  if (!data) throw new Error(stderr);
  return data;
}
const unmanaged = (run: Parameters<typeof reportOf>[0]) => reportOf(run).unmanaged?.map(({ name }) => name);

describe("`drift` in a project with several stacks", () => {
  it.each(["dev", "prod"])(
    "`drift --stack %s` counts the records of the project's other stack as managed",
    async (selected) => {
      const stacks = {
        dev: [await made("label", "a", label("Of dev"))],
        prod: [await made("label", "a", label("Of prod"))],
      };
      await made("label", "by-hand", label("By hand"));
      const run = await drift(stacks, ["--stack", selected, "--json"]);
      expect({ code: run.code, unmanaged: unmanaged(run) }).toEqual({ code: 2, unmanaged: ["By hand"] });
      expect(reportOf(run).stacks.map(({ stack }) => stack)).toEqual([selected]);
    },
  );

  it("`drift` sends only read requests", async () => {
    const stacks = { dev: [await made("label", "a", label("Of dev")), await made("httpServerTest", "b", portal("Portal"))] };
    const before = service.emulator.requests();
    await drift(stacks, ["--stack", "dev", "--json"]);
    const sent = Object.entries(service.emulator.requests()).flatMap(([id, count]) => (count > (before[id] ?? 0) ? [id] : []));
    expect(sent).toEqual(expect.arrayContaining(["labels.list", "tests.httpServer.list"]));
    expect(allOperations().filter((operation) => operation.writes && sent.includes(operation.id))).toEqual([]);
  });

  it("`drift --no-unmanaged` reads only the selected stack", async () => {
    const twice = await made("label", "a", label("In both"));
    const stacks = { dev: [twice], prod: [{ ...twice, urn: urnOf("label", "b", "prod") }] };
    const alone = await drift(stacks, ["--stack", "dev", "--no-unmanaged", "--json"]);
    expect(alone.calls.filter((call) => call.includes("prod"))).toEqual([]);
    const run = await drift(stacks, ["--stack", "dev", "--managed-by", "prod", "--json"]);
    const resources = [
      { stack: "dev", name: "a", id: twice.id },
      { stack: "prod", name: "b", id: twice.id },
    ];
    const shared = [{ check: "adopts-foreign", ids: [twice.id], resources }];
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([2, { data: { drift: true, unmanaged: [], shared } }]);
  });

  it("`drift` reports a duplicate record, whether managed by another stack or unmanaged", async () => {
    const [first, second] = [await made("label", "a", label("Twice")), await made("label", "b", label("Twice"))];
    const stacks = { dev: [first], prod: [{ ...second, urn: urnOf("label", "b", "prod") }] };
    const run = await drift(stacks, ["--stack", "dev"]);
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("Drift: 1 doubled");
    expect(run.stdout.replace(/\s+/g, " ")).toContain(
      `doubled: the label ${first.id} (a of stack dev) exists more than once with the same content: ${second.id} (b of stack prod).`,
    );
    const alone = await drift({ dev: [first] }, ["--json"]);
    expect([alone.code, JSON.parse(alone.stdout)]).toMatchObject([
      2,
      {
        data: {
          unmanaged: [{ id: second.id }],
          shared: [{ check: "doubled", text: expect.stringContaining(`${second.id} (not in the states that were read)`) }],
        },
      },
    ]);
  });

  it("`drift` names each unreadable stack and each record that several stacks manage", async () => {
    const twice = await made("label", "a", label("In both"));
    const stacks = { dev: [twice], prod: [{ ...twice, urn: urnOf("label", "b", "prod") }], closed: undefined };
    const run = await drift(stacks, ["--stack", "dev"]);
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("Drift: 1 managed by several stacks");
    expect(run.stdout).toContain("The report does not include the following stacks, because they could not be read: closed");
  });

  it("`drift` does not report unmanaged records if a stack is unreadable", async () => {
    await made("label", "by-hand", label("By hand"));
    const run = await drift({ dev: [], prod: undefined }, ["--stack", "dev", "--json"]);
    expect(run.code).toBe(0);
    expect(unmanaged(run)).toBeUndefined();
    expect((JSON.parse(run.stdout) as { warnings: string[] }).warnings).toEqual([
      expect.stringContaining("Stack prod cannot be read: not asked for"),
      "unmanaged records are not known: prod may manage them, but could not be read",
    ]);
    // The same if the user names the stack.
    const named = await drift({ dev: [], prod: undefined }, ["--stack", "dev", "--stack", "prod", "--json"]);
    expect([named.code, unmanaged(named), reportOf(named).unread]).toEqual([1, undefined, ["prod"]]);
  });
});

it.each([[["*"]], [["color", "matchType"]], [["color"]]])(
  "`drift` does not count the properties in ignoreChanges %j as changed",
  async (ignoreChanges) => {
    const { id = "", ...one } = await made("label", "office", label("Office"));
    const changed = { ...label("Office"), color: "#00ff00", matchType: "and" };
    await service.call("PATCH", `/v7/endpoint/labels/${id}`, changed);
    const { stacks } = reportOf(await drift({ dev: [{ ...one, id, ignoreChanges }] }, ["--json"]));
    const namesOf = (resources: DriftReport["stacks"][number]["changed"] = []) =>
      resources.flatMap(({ properties }) => properties.map(({ property, owner }) => `${property} ${owner}`)).toSorted();
    const isAlone = ignoreChanges.length === 1 && ignoreChanges[0] === "color";
    expect(namesOf(stacks[0]?.changed)).toEqual(isAlone ? ["matchType program"] : []);
    expect(namesOf(stacks[0]?.notes)).toEqual(isAlone ? ["color service"] : ["color service", "matchType service"]);
  },
);

it("`drift` reports a changed property only once, even if the property has a default", async () => {
  const test = await made("agentToServerTest", "vpn", { testName: "VPN", server: "vpn.example.com", ipVersion: "V4_ONLY" });
  await service.call("PATCH", `/_emulator/records/agent-to-server-tests/${test.id}`, { ipVersion: "V6_ONLY" });
  const [stack] = reportOf(await drift({ dev: [test] }, ["--json"])).stacks;
  const changed = stack?.changed.flatMap(({ properties }) => properties.map(({ property }) => property));
  expect([changed, stack?.notes]).toEqual([["ipVersion"], []]);
});

it("the drift report counts only resources that may have an unreadable property", async () => {
  const declared: Properties[] = Array.from({ length: 20 }, (_, i) =>
    portal(`Portal ${i}`, i % 3 === 0 ? { ...basic, password: "s3cret" } : i % 3 === 1 ? basic : {}),
  );
  const resources: EngineResource[] = [];
  for (const [i, args] of declared.entries()) resources.push(await made("httpServerTest", `p${i}`, args));
  // An import does not know properties that the service never returns. Without authentication there is no password.
  const imported = [portal("Imported", basic), portal("Imported, open")];
  for (const [i, importedArgs] of imported.entries()) {
    const resource = await made("httpServerTest", `i${i}`, importedArgs);
    const { targetResponseTime: _time, ...inputs } = resource.inputs ?? {};
    const { targetResponseTime: _output, ...outputs } = resource.outputs ?? {};
    const unknownFields = ["password", "targetResponseTime"];
    resources.push({ ...resource, inputs, outputs: { ...outputs, unknownFields } });
  }
  const run = await drift({ dev: resources }, ["--json"]);
  const withPassword = declared.filter((args) => "password" in args).length + 1;
  expect(reportOf(run).unseen).toEqual([
    { kind: "httpServerTest", property: "password", resources: withPassword },
    { kind: "httpServerTest", property: "targetResponseTime", resources: declared.length + imported.length },
  ]);
  const { stdout } = await drift({ dev: resources }, []);
  expect(stdout).toContain(`  password of ${withPassword} HTTP server tests\n  targetResponseTime of 22 HTTP server tests`);
});

describe("records that a fix replaces", () => {
  const cost = "the test gets a new id and its result history is lost";
  const change = (id: string, values: object): Promise<unknown> =>
    service.call("PATCH", `/_emulator/records/http-server-tests/${id}`, values);

  const withParentheses = (markdown: string): string => markdown.replaceAll("&#40;", "(").replaceAll("&#41;", ")");

  /** Two tests with a change that replaces them, one with a change in place, and a missing label that two others use. */
  async function drifted(): Promise<EngineResource[]> {
    const gone = await made("label", "gone", label("Gone"));
    const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [gone.id] };
    const from = { endpointAgentLabels: [gone.urn] };
    const tests = [
      await made("httpServerTest", "machines", portal("Machines")),
      await made("httpServerTest", "kept", { ...portal("Kept") }),
      await made("httpServerTest", "in-place", portal("In place")),
      await made("httpServerTest", "follows", portal("Follows", byLabel), from),
      await made("httpServerTest", "follows-too", portal("Follows, too", byLabel), from),
      await made("httpServerTest", "apart", portal("Apart")),
    ];
    for (const name of ["machines", "kept"]) await change(idOf(tests, name), { maxMachines: 7 });
    await change(idOf(tests, "in-place"), { interval: 900 });
    await service.call("DELETE", `/v7/endpoint/labels/${gone.id}`);
    return [gone, ...tests];
  }
  const idOf = (resources: readonly EngineResource[], name: string): string =>
    resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id ?? "";

  it("`drift` lists the records that a fix would replace", async () => {
    const resources = (await drifted()).map((resource) =>
      resource.urn.endsWith("::kept") ? { ...resource, protect: true } : resource,
    );
    const run = await drift({ dev: resources }, ["--json"]);
    // The label no longer exists, so it is not a replaced record. The protected test is not fixed.
    expect(reportOf(run).stacks[0]?.fixReplaces).toEqual(
      ["follows", "follows-too", "machines"].map((name) =>
        expect.objectContaining({ name, kind: "httpServerTest", id: idOf(resources, name), replacementCost: cost }),
      ),
    );
    const { stdout } = await drift({ dev: resources }, ["--markdown", "-"]);
    const line = `3 HTTP server tests (follows, follows-too, machines): each time, ${cost}`;
    expect(withParentheses(stdout).replaceAll("`", "")).toContain(`### --fix replaces, in stack dev\n\n- ${line}`);
    expect((await drift({ dev: resources }, [])).stdout).toContain(`--fix replaces, in stack dev\n  ${line}\n`);
  });

  it("the review of `drift --fix` omits replacements that the program causes", async () => {
    const resources = await drifted();
    const steps = resources.map(({ urn }) => ({ op: urn.endsWith("::machines") ? "update" : "same", urn }));
    const replaced = resources.filter(({ urn }) => /::(follows|follows-too|kept)$/.test(urn));
    const fixSteps = replaced.map((resource) => ({
      op: "replace",
      urn: resource.urn,
      oldState: resource,
      newState: { ...resource, id: undefined, inputs: { ...resource.inputs, maxMachines: 25 } },
      replaceReasons: ["maxMachines"],
    }));
    const run = await drift({ dev: resources }, ["--fix", "--json"], {
      "preview --json --show-sames --show-replacement-steps --refresh --run-program": { steps: fixSteps },
      "preview --json": { steps },
    });
    const [announced = "", after = ""] = run.stderr.split("Updating 5 of 5 resources of stack dev\n");
    expect(announced).toContain("Stack dev: 3 replaced\nReplaces 3 HTTP server tests");
    expect(announced).toContain("3 tests lose their result history.");
    expect(after).not.toContain("Replaces");
    const preview = run.calls.find((call) => call.includes("--refresh"));
    expect(preview?.match(/--target \S+/g)).toHaveLength(5);
    expect(run.calls.find((call) => call.startsWith("up "))).toContain("--skip-preview");
    // The engine refuses all updates, so nothing is replaced.
    expect(run.code).toBe(1);
    expect(reportOf(run).fixed?.replaced).toEqual([]);
    expect(reportOf(run).stacks[0]?.fixReplaces).toBeUndefined();
  });

  it("`drift --fix` changes nothing without a valid preview", async () => {
    const resources = await drifted();
    for (const [printed, message] of [
      ['{"steps": null}', "steps: Invalid input: expected array, received null"],
      ['{"steps": [{"op": "same", "urn": "', "it is not JSON"],
      ["", "it is not JSON"],
    ]) {
      const run = await drift({ dev: resources }, ["--fix", "--json"], { "preview --json": printed });
      expect(run.code).toBe(1);
      expect(reportOf(run).fixed?.failures).toEqual([expect.stringContaining(`(${message})`)]);
      expect(run.calls.filter((call) => call.startsWith("up "))).toEqual([]);
    }
  });
});

it("the drift report contains no parts of secret values", async () => {
  const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
  });
  const test = await made("httpServerTest", "portal", portal("s3cret-name", { maxMachines: 3 }));
  const office = await made("label", "office", { ...label("Office"), filters: [{ key: "ssid", values: ["s3cret-ssid"] }] });
  const resources = [
    { ...test, inputs: { ...test.inputs, testName: secret("s3cret-name"), maxMachines: 25 } },
    { ...office, inputs: { ...office.inputs, filters: secret([{ key: "platform", values: ["s3cret-platform"] }]) } },
  ];
  for (const args of [[], ["--json"], ["--markdown", "-"], ["--fix"]]) {
    const { text } = await drift({ dev: resources }, args, {
      "preview --json": { steps: resources.map(({ urn }) => ({ op: "same", urn })) },
    });
    expect(text).toContain("portal");
    expect(text).toContain("office");
    expect(text).not.toContain("s3cret");
  }
});
