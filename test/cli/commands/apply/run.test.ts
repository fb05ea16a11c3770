/** Runs `review` with an approval, and `apply` with the approval. The emulator is the service. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretSignature, signatureKey, unknownValue } from "../../../../provider/values";
import { type Approval, approvalFormat } from "../../../../plan/approve/approval";
import { compareApprovals } from "../../../../plan/compare/compare";
import { harmlessRules } from "../../../../plan/compare/rules";
import { heldIds } from "../../../../cli/commands/apply/run";
import { fleetChecks } from "../../../../plan/judge/checks";
import { typeToken } from "../../../../sdk/token";
import { portal, Scene } from "../../approval-support";

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const vpn = { testName: "VPN", server: "vpn.example.com" };
const plainSecret = { [signatureKey]: secretSignature };

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start(30);
});
beforeEach(async () => {
  scene.reset();
  await scene.hold("office", { kind: "label", args: label });
  await scene.hold("vpn", { kind: "agentToServerTest", args: vpn });
  scene.program["vpn"] = { kind: "agentToServerTest", args: { ...vpn, interval: 600 } };
});
afterAll(() => scene.end());

test("`apply` performs a change that equals the approved change", async () => {
  const digest = await scene.approve();
  const text = readFileSync(scene.approval, "utf8");
  expect(digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
  expect(await scene.apply()).toMatchObject({ code: 0, outcome: "applied", differences: [], passed: [] });
  expect(scene.applied).toBe(true);
});

test("`apply` refuses the change if a user edited a record after the review", async () => {
  await scene.approve();
  await scene.edit("vpn", { port: 8443 });
  const run = await scene.apply();
  expect(run.differences).toEqual([
    {
      what: "record",
      urn: expect.stringMatching(/::vpn$/),
      text: expect.stringMatching(/ was changed in the service at .* UTC: port: approved 443, now 8443$/),
    },
  ]);
  expect([run.code, scene.applied]).toEqual([2, false]);
});

test("`apply` accepts the digest of the approved change and refuses any other digest", async () => {
  const digest = await scene.approve();
  expect(await scene.apply("--approved", digest)).toMatchObject({ code: 0, outcome: "applied" });
  scene.reset();
  expect(await scene.apply("--approved", `sha256:${"0".repeat(64)}`)).toMatchObject({
    code: 2,
    outcome: "refused",
    differences: [{ what: "digest" }],
  });
  expect(scene.applied).toBe(false);
});

describe("an approved test with a new label", () => {
  const byLabel = (id: string) => ({
    kind: "agentToServerTest" as const,
    args: { ...vpn, testName: "By label", agentSelectorType: "agent-labels", endpointAgentLabels: [id] },
    from: { endpointAgentLabels: ["new"] },
  });
  beforeEach(async () => {
    scene.program["new"] = { kind: "label", args: { ...label, name: "New" } };
    scene.program["by-label"] = byLabel(unknownValue);
    await scene.approve();
  });

  test("`apply` creates the test if an interrupted update already created the label", async () => {
    await scene.carryOut(["new"]);
    scene.program["by-label"] = byLabel(scene.inState("new").id);
    const run = await scene.apply();
    expect({ code: run.code, differences: run.differences, rules: run.passed.map(({ rule }) => rule) }).toEqual({
      code: 0,
      differences: [],
      rules: ["done", "known"],
    });
  });

  test("`apply` refuses the test if the test uses a label that was not approved", async () => {
    scene.program["by-label"] = byLabel(scene.inState("office").id);
    const run = await scene.apply();
    expect(run.differences).toContainEqual({
      what: "differs",
      urn: expect.stringMatching(/::by-label$/),
      text: expect.stringContaining("endpointAgentLabels: approved "),
    });
    expect(run.code).toBe(2);
  });
});

test("`apply` refuses a test with an unapproved label instead of its approved labels", async () => {
  for (const name of ["first", "second"]) scene.program[name] = { kind: "label", args: { ...label, name } };
  const byLabels = (ids: unknown) => ({
    kind: "agentToServerTest" as const,
    args: { ...vpn, testName: "By labels", agentSelectorType: "agent-labels", endpointAgentLabels: ids },
    from: { endpointAgentLabels: ["first", "second"] },
  });
  scene.program["by-labels"] = byLabels(unknownValue);
  await scene.approve("--allow-unknown", "by-labels.endpointAgentLabels");
  await scene.carryOut(["first"]);
  scene.program["by-labels"] = byLabels([scene.inState("office").id]);
  const run = await scene.apply();
  expect(run.differences).toContainEqual({
    what: "differs",
    urn: expect.stringMatching(/::by-labels$/),
    text: expect.stringContaining("endpointAgentLabels: approved "),
  });
  expect([run.code, scene.applied]).toEqual([2, false]);
});

test("`apply` refuses the change if a record was created after the approval", async () => {
  await scene.approve();
  earlier(({ changes }) => ({
    changes: changes.map((change) => ({ ...change, live: change.live?.map((record) => ({ ...record, exists: false })) })),
  }));
  const run = await scene.apply();
  expect(run.differences).toEqual([
    {
      what: "record",
      urn: expect.stringMatching(/::vpn$/),
      text: expect.stringContaining("exists in the service, but did not exist at the time of the approval"),
    },
  ]);
  expect([run.code, scene.applied]).toEqual([2, false]);
});

test("`apply` refuses to delete a record that another resource managed at the time of the approval", async () => {
  const id = await scene.hold("twin", { kind: "agentToServerTest", args: { ...vpn, testName: "Twin" } });
  scene.state["old-name"] = { ...scene.inState("twin"), id };
  await scene.approve();
  expect(await scene.apply()).toMatchObject({ code: 0, differences: [] });
  scene.state["twin"] = { ...scene.inState("twin"), id: await scene.make("agentToServerTest", { ...vpn, testName: "Twin 2" }) };
  const run = await scene.apply();
  expect(run.differences).toContainEqual({
    what: "differs",
    urn: expect.stringMatching(/::old-name$/),
    text: expect.stringContaining("the update would now delete the old record, contrary to the approval"),
  });
  expect(run.code).toBe(2);
});

test("`apply` refuses a label change that adds agents to a test created after the approval", async () => {
  scene.program["office"] = { kind: "label", args: { ...label, filters: [{ key: "platform", values: ["Windows", "Mac"] }] } };
  await scene.approve();
  const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [scene.inState("office").id] };
  await scene.hold("later", { kind: "agentToServerTest", args: { ...vpn, testName: "Later", ...byLabel } });
  const run = await scene.apply();
  expect(run.differences).toEqual([
    {
      what: "reach",
      urn: expect.stringMatching(/::later$/),
      text: expect.stringMatching(/gains \d+ agents more than approved: .* \(at most 0 agents may differ\)$/),
    },
  ]);
  expect([run.code, scene.applied]).toEqual([2, false]);
});

test("`apply` accepts an approved test with an adopted label and a new label", async () => {
  scene.state["before"] = { ...scene.inState("office") };
  delete scene.state["office"];
  scene.program["office"] = { kind: "label", args: { ...label, adopt: true } };
  scene.program["new"] = { kind: "label", args: { ...label, name: "New" } };
  scene.program["by-both"] = {
    kind: "agentToServerTest",
    args: {
      ...vpn,
      testName: "By both",
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [unknownValue, unknownValue],
    },
    from: { endpointAgentLabels: ["office", "new"] },
  };
  await scene.approve();
  expect(readFileSync(scene.approval, "utf8")).toContain(scene.urn("label", "new"));
  expect(await scene.apply()).toMatchObject({ code: 0, differences: [] });
});

test("`apply` refuses a change if the resource's options differ from the approved options", async () => {
  const changed = { kind: "agentToServerTest" as const, args: { ...vpn, interval: 600 } };
  scene.program["vpn"] = { ...changed, options: { protect: true } };
  await scene.approve();
  await scene.carryOut(["vpn"]);
  expect(await scene.apply()).toMatchObject({ code: 0, differences: [], passed: [{ rule: "done" }] });
  scene.program["vpn"] = changed;
  scene.state["vpn"] = { ...changed, id: scene.inState("vpn").id };
  const run = await scene.apply();
  expect([run.code, run.differences.map(({ what }) => what)]).toEqual([2, ["gone"]]);
});

/** Rewrites the approval as an earlier review wrote it. */
function earlier(change: (approval: Approval) => Partial<Approval>): void {
  const approval = JSON.parse(readFileSync(scene.approval, "utf8")) as Approval;
  writeFileSync(scene.approval, JSON.stringify({ ...approval, ...change(approval) }));
}

test("`apply --reach-tolerance 1%` accepts one more agent than approved", async () => {
  scene.program["office"] = { kind: "label", args: { ...label, filters: [{ key: "platform", values: ["Windows", "Mac"] }] } };
  await scene.approve();
  const withoutSome = (count: number) => () =>
    earlier(({ sets }) => ({ sets: Object.fromEntries(Object.entries(sets).map(([name, ids]) => [name, ids.slice(count)])) }));
  withoutSome(1)();
  expect(await scene.apply("--reach-tolerance", "1%")).toMatchObject({ code: 0, passed: [{ rule: "agents" }] });
  expect(await scene.apply("--reach-tolerance", "0%")).toMatchObject({ code: 2, differences: [{ what: "reach" }] });
  withoutSome(1)();
  const run = await scene.apply("--reach-tolerance", "1%");
  expect(run.differences).toMatchObject([{ what: "reach", text: expect.stringContaining("(at most 1 agent may differ)") }]);
});

test("`apply` refuses a change with a finding that was not approved", async () => {
  delete scene.program["vpn"];
  await scene.approve();
  earlier(() => ({ findings: [] }));
  const run = await scene.apply();
  expect(run.differences).toMatchObject([{ what: "finding", text: expect.stringContaining("the finding deletes about ") }]);
  expect(run.code).toBe(2);
});

describe("differences between two approvals", () => {
  const none: Approval = {
    format: approvalFormat,
    project: "test",
    stack: "dev",
    version: "1",
    settings: {},
    accountGroups: [],
    limits: {},
    interrupted: [],
    changes: [],
    reach: [],
    sets: {},
    findings: [],
  };
  const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/endpoint-monitoring:Label::office";
  const compared = (approved: Partial<Approval>, now: Partial<Approval>) =>
    compareApprovals(
      { ...none, ...approved },
      { ...none, ...now },
      {
        tolerance: undefined,
        unchanged: new Map(),
        nameOf: () => undefined,
        ids: new Map(),
      },
    );

  test("`apply` permits a new finding about agents only if the selection rule is unchanged", () => {
    for (const rule of fleetChecks) {
      expect(compared({}, { findings: [{ rule, urn }] }).differences).toMatchObject([{ what: "finding", urn }]);
    }
    const reach = [{ of: urn, rule: "a" }];
    const findings = [{ rule: "selects-all" as const, urn }];
    expect(compared({ reach }, { reach, findings })).toMatchObject({ differences: [], passed: [{ rule: "agents" }] });
    expect(compared({ reach }, { reach: [], findings }).differences).toMatchObject([{ what: "finding" }]);
  });

  test("an approved pending deletion does not permit an update of the same resource", () => {
    const pendingDelete = { urn, op: "delete", id: "1", pending: true as const };
    const { differences, passed } = compared({ changes: [pendingDelete] }, { changes: [{ urn, op: "update", id: "2" }] });
    expect(differences).toMatchObject([{ what: "new", urn }]);
    expect(passed).toMatchObject([{ rule: "done", urn }]);
  });

  test("`apply` reads a resource's id from the current state, not from a pending deletion", () => {
    const resources = [
      { urn, type: "t", id: "2" },
      { urn, type: "t", id: "1", delete: true },
    ];
    const operation = { heldState: { resources } } as unknown as Parameters<typeof heldIds>[0];
    expect([...heldIds(operation)]).toEqual([[urn, "2"]]);
  });
});

test("the digest of an approval changes if a secret in a pending deletion changes", async () => {
  const resource = portal("now");
  scene.settings["approval:key"] = "0123456789abcdef0123456789abcdef";
  await scene.hold("portal", resource);
  const digestWith = async (password: string): Promise<string> => {
    const inputs = { ...resource.args, password: { ...plainSecret, plaintext: JSON.stringify(password) } };
    const pendingDelete = {
      urn: scene.urn("httpServerTest", "portal"),
      type: typeToken("HttpServerTest"),
      custom: true,
      id: "9",
      delete: true,
    };
    scene.remaining.resources = [{ ...pendingDelete, inputs, outputs: inputs }];
    return scene.approve();
  };
  const first = await digestWith("then");
  expect([await digestWith("then"), await digestWith("before")]).toEqual([first, expect.not.stringContaining(first)]);
});

test("`apply` refuses a changed secret and does not print the secret", async () => {
  await scene.hold("portal", portal("hunter2"));
  scene.program["portal"] = portal("dr4gon");
  await scene.approve();
  scene.program["portal"] = portal("l3tmein");
  const run = await scene.apply();
  expect(run).toMatchObject({
    code: 2,
    differences: [{ what: "differs", text: 'HTTP server test "portal": secret password differs from the approved value' }],
  });
  scene.program["portal"] = portal("dr4gon");
  expect(await scene.apply()).toMatchObject({ code: 0, differences: [] });
  const approval = readFileSync(scene.approval, "utf8");
  for (const secret of ["hunter2", "dr4gon", "l3tmein"]) expect(run.text + approval).not.toContain(secret);
});

test("the digest of an approval is reproducible if the stack has an approval key", async () => {
  scene.program["portal"] = portal("dr4gon");
  expect(await scene.approve()).not.toBe(await scene.approve());
  scene.settings["approval:key"] = "k".repeat(64);
  const digest = await scene.approve();
  expect(await scene.approve()).toBe(digest);
  expect(await scene.apply("--approved", digest)).toMatchObject({ code: 0, outcome: "applied" });
  scene.settings["approval:key"] = "short";
  const run = await scene.run("review", "--approval", "approval.json");
  expect([run.code, run.stderr.includes("is too short to be a key")]).toEqual([1, true]);
});

test("`apply` accepts the approval of an update without changes", async () => {
  scene.program["vpn"] = scene.inState("vpn");
  await scene.approve();
  expect(await scene.apply()).toMatchObject({ code: 0, outcome: "applied", changes: 0, differences: [] });
});

test("`apply` performs an unapproved change only if --override gives a reason", async () => {
  await scene.approve();
  scene.program["more"] = { kind: "agentToServerTest", args: { ...vpn, testName: "More" } };
  const refused = await scene.apply();
  expect(refused).toMatchObject({
    code: 2,
    outcome: "refused",
    differences: [{ what: "new", text: expect.stringContaining('"more"') }],
  });
  expect(scene.applied).toBe(false);
  const overridden = await scene.apply("--override", "INC-1");
  expect(overridden).toMatchObject({ code: 0, outcome: "applied", override: "INC-1", differences: [{ what: "new" }] });
  expect(overridden.text).toContain("because of --override: INC-1");
  expect(scene.applied).toBe(true);
});

test("`apply` reports which resource violates the update plan but shows no values", async () => {
  await scene.approve();
  const urn = "urn:pulumi:dev::test::x:Y::vpn";
  const failure = (message: string) => ({ diagnosticEvent: { urn, severity: "error", message } });
  scene.failUpdate([failure("resource urn:a violates plan: properties changed: =~password[{&{{hunter2}}}]\n")]);
  const run = await scene.apply();
  expect(run).toMatchObject({
    code: 2,
    outcome: "left the plan",
    failures: ["vpn: the engine refused the operation, because it differs from the preview"],
  });
  expect(run.text).not.toContain("hunter2");
  // The engine's exit if an output of the stack changes.
  scene.failUpdate([{ summaryEvent: { isPreview: false, result: "failed" } }]);
  expect(await scene.apply()).toMatchObject({
    code: 2,
    outcome: "left the plan",
    failures: [expect.stringContaining("outputs")],
  });
  scene.failUpdate([{ resOpFailedEvent: { metadata: { op: "update", urn, type: "x:Y" } } }, failure("403 Forbidden\n")]);
  expect(await scene.apply()).toMatchObject({ code: 1, outcome: "failed", failures: ["vpn: 403 Forbidden"] });
});

test.each<[string[], string]>([
  [[], "--approved is missing"],
  [["--approved", "nowhere.json"], "nowhere.json cannot be read (ENOENT: no such file or directory)"],
  [["--approved", "Pulumi.yaml"], "Pulumi.yaml is not an approval that `endpoint-monitoring review --approval` wrote"],
  [["--approved", "a", "--approved", "b"], "--approved takes at most one file and one digest"],
  [["--approved", "x", "--reach-tolerance", "many"], "--reach-tolerance takes a number of agents such as 10"],
  [["--approved", "x", "--reach-tolerance", "101%"], "--reach-tolerance takes a number of agents such as 10"],
  [["--approved", "x", "--override", " "], "--override requires a reason"],
])("the command line `apply %j` reports the mistake: %s", async (args, message) => {
  const run = await scene.run("apply", ...args);
  expect([run.code, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toMatch(/^endpoint-monitoring apply: [^\n]+\n$/);
  expect(run.stderr).toContain(message);
});

test("`apply` reports a damaged approval, an unknown format and an approval of another stack", async () => {
  const digest = await scene.approve();
  const approval = JSON.parse(readFileSync(scene.approval, "utf8")) as object;
  const cases: [object, string][] = [
    [{ ...approval, format: 2 }, "approval in format 2"],
    [{ ...approval, changes: [{ urn: 1 }] }, "(changes[0].urn is damaged)"],
    [{ ...approval, more: 1 }, "is not an approval"],
    [{ ...approval, stack: "prod" }, "approves a change to stack prod in project test"],
  ];
  for (const [content, message] of cases) {
    writeFileSync(scene.approval, JSON.stringify(content));
    const run = await scene.run("apply", "--approved", "approval.json");
    expect([run.code, run.stderr.includes(message), run.stderr]).toEqual([1, true, run.stderr]);
  }
  writeFileSync(scene.approval, JSON.stringify({ ...approval, version: "0.0.1" }));
  const other = await scene.run("apply", "--approved", "approval.json", "--approved", digest);
  expect([other.code, other.stderr.includes("approval.json has the digest sha256:")]).toEqual([2, true]);
});

test("`apply` reports a damaged approval file in one line", async () => {
  await scene.approve();
  const text = readFileSync(scene.approval, "utf8");
  const nested = text.replace('"interval": 600', `"interval": ${"[".repeat(50_000)}${"]".repeat(50_000)}`);
  expect(nested).not.toBe(text);
  const half = Math.floor(text.length / 2);
  const damages: (string | Buffer)[] = [nested, "", "null", "[]", "{}", "\uFEFF" + text, text.slice(0, half), text.slice(half)];
  damages.push(
    Buffer.from(text, "utf16le"),
    Buffer.from([0, 255, 254, 0]),
    text.replaceAll("{", "["),
    text.replaceAll(":", ","),
  );
  for (const [at, damaged] of damages.entries()) {
    writeFileSync(scene.approval, damaged);
    const run = await scene.run("apply", "--approved", "approval.json");
    expect([at, run.code, run.stdout, run.stderr]).toEqual([
      at,
      1,
      "",
      expect.stringMatching(/^endpoint-monitoring apply: approval\.json is [^\n]+\n$/),
    ]);
  }
});

test.each([[["--offline"]], [["--preview", "preview.json"]]])(
  "`review` refuses the option --approval together with %j",
  async (args) => {
    const run = await scene.run("review", "--approval", "approval.json", ...args);
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(
      /^endpoint-monitoring review: --approval (requires|and --preview cannot be used together,) [^\n]+\n$/,
    );
  },
);

test("`review` writes no approval if it cannot read the service's records", async () => {
  scene.settings["endpoint-monitoring:token"] = "other";
  const run = await scene.run("review", "--approval", "new.json");
  expect(run.code).toBe(1);
  expect(run.stdout).toContain("1 updated");
  expect(run.stderr).toContain("error: No approval: Some data could not be read from the service");
});

test("docs/approval.md lists every rule that permits a harmless difference", () => {
  const read = (page: string) => readFileSync(join(__dirname, "../../../../docs", page), "utf8").replaceAll(/\s+/g, " ");
  const [, named = ""] = /the report calls ((?:`\w+`(?:, | and )?)+)/.exec(read("approval.md")) ?? [];
  expect(Array.from(named.matchAll(/`(\w+)`/g), ([, rule]) => rule)).toEqual(Object.keys(harmlessRules));
  const commands = read("commands.md");
  expect(Object.values(harmlessRules).filter((text) => !commands.includes(`- ${text} `))).toEqual([]);
});
