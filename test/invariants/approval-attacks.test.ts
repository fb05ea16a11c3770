/**
 * Attempts to apply changes that differ from the approved change. `real/operation.test.ts` tests changes that the program
 * makes between the preview and the update of `apply`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unknownValue } from "../../provider/values";
import { typeToken } from "../../sdk/token";
import { amount } from "../support/amount";
import { type DeclaredResource, type SceneResource, label, portal, Scene, toServer } from "../cli/approval-support";

/** A test with a label that the update creates. */
const byNew = (ids: unknown, ...from: string[]): DeclaredResource => ({
  ...toServer("By new", { agentSelectorType: "agent-labels", endpointAgentLabels: ids }),
  from: { endpointAgentLabels: from },
});
const guarded = { protect: true };

const eastUrn = "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::east";
const provider = (inputs: object) => ({
  urn: eastUrn,
  type: "pulumi:providers:pulumi-nodejs",
  custom: true,
  id: "east-1",
  inputs: { "endpoint-monitoring:baseUrl": "https://api.example.com", ...inputs },
});
const bucket = (name: string, inputs: object = {}) => {
  const type = "aws:s3/bucket:Bucket";
  return { urn: `urn:pulumi:dev::test::${type}::${name}`, type, custom: true, id: name, inputs };
};

let scene: Scene;
const root = (): string => join(scene.folder, "node_modules/pulumi-endpoint-monitoring");
const code = (): string => join(root(), "dist/provider/index.js");

/** Installs a package that the program loads. */
function install(version: string, text: string): void {
  mkdirSync(join(root(), "dist/provider"), { recursive: true });
  writeFileSync(join(root(), "package.json"), JSON.stringify({ name: "pulumi-endpoint-monitoring", version }));
  writeFileSync(code(), text);
}

/** A stack with an approved change: one step of each operation, with new resources' ids, secrets and options. */
async function prepare(front: Scene["front"]): Promise<void> {
  scene.reset();
  scene.front = front;
  install("0.1.0", "exports.one = 1;");
  await scene.hold("office", label("Office", "Windows"));
  await scene.hold("desk", label("Desk", "Linux"));
  await scene.hold("vpn", { ...toServer("VPN", { interval: 60, port: 8443 }), options: guarded });
  await scene.hold("kept", { ...toServer("Kept"), options: guarded });
  await scene.hold("old", toServer("Old"));
  await scene.hold("portal", portal("dr4gon"));
  scene.program["office"] = label("Office", "Windows", "Mac");
  scene.program["vpn"] = { ...toServer("VPN", { interval: 300, port: 8443 }), options: guarded };
  scene.program["portal"] = portal("hunter2");
  scene.program["fresh"] = label("Fresh", "Mac");
  scene.program["other"] = label("Other", "Linux");
  scene.program["by-new"] = byNew([unknownValue], "fresh");
  scene.program["added"] = toServer("Added");
  delete scene.program["old"];
  scene.steps = [
    { op: "same", ...provider({}), oldState: provider({}), newState: provider({}) },
    { op: "same", ...bucket("files"), oldState: bucket("files"), newState: bucket("files") },
  ];
  await scene.approve();
}

const program = (name: string, resource: DeclaredResource) => () => void (scene.program[name] = resource);
const options = (name: string, newOptions: DeclaredResource["options"]) => () => {
  const { options: _, ...rest } = scene.program[name] ?? scene.inState(name);
  scene.program[name] = { ...rest, ...(newOptions && { options: newOptions }) };
};
const inState = (name: string, changes: Partial<SceneResource>) => () =>
  void (scene.state[name] = { ...scene.inState(name), ...changes });
const setting = (name: string, value: string) => () => void (scene.settings[`endpoint-monitoring:${name}`] = value);
const step = (at: number, newStep: object) => () => void (scene.steps[at] = newStep);

type Refusal = [what: string, about: string | undefined, says: string];
type Attack = [name: string, attack: () => unknown, refusal: Refusal];

/** Each attack, and the difference that refuses it. */
const attacks: Attack[] = [
  // Values.
  [
    "another value of an update",
    program("vpn", { ...toServer("VPN", { interval: 600, port: 8443 }), options: guarded }),
    ["differs", "vpn", "interval: approved 300, now 600"],
  ],
  [
    "an additional property of an update",
    program("vpn", { ...toServer("VPN", { interval: 300, port: 9443 }), options: guarded }),
    ["differs", "vpn", "port: approved 8443, now 9443"],
  ],
  [
    "a property of an update that returns to its default",
    program("vpn", { ...toServer("VPN", { interval: 300 }), options: guarded }),
    ["differs", "vpn", "port: approved 8443, now 443"],
  ],
  [
    "another value of a create",
    program("added", toServer("Added", { server: "evil.example.com" })),
    ["differs", "added", "server: approved vpn.example.com, now evil.example.com"],
  ],
  [
    "an additional value in a filter",
    program("office", label("Office", "Windows", "Mac", "Linux")),
    ["differs", "office", "filters: approved"],
  ],
  [
    "another secret",
    program("portal", portal("l3tmein")),
    ["differs", "portal", "secret password differs from the approved value"],
  ],
  [
    "another secret in the state",
    inState("portal", portal("qwerty99")),
    [
      "differs",
      "portal",
      "the state before the change differs from the approved state: secret password differs from the approved value",
    ],
  ],
  [
    "another state",
    inState("vpn", toServer("VPN", { interval: 900, port: 8443 })),
    ["differs", "vpn", "the state before the change differs from the approved state: interval: approved 60, now 900"],
  ],
  [
    "a replacement in place of an update",
    program("vpn", { ...toServer("VPN", { interval: 300, port: 8443, isPrioritized: true }), options: guarded }),
    ["differs", "vpn", "would now be replaced"],
  ],
  ["a deletion in place of an update", () => delete scene.program["office"], ["differs", "office", "would now be deleted"]],
  ["another record", inState("vpn", { id: "281474976719999" }), ["differs", "vpn", "a different record: the approved id"]],
  ["an additional create", program("more", toServer("More")), ["new", "more", "would be created"]],
  ["an additional deletion", () => delete scene.program["desk"], ["new", "desk", "would be deleted"]],
  [
    "a missing change",
    program("vpn", { ...toServer("VPN", { interval: 60, port: 8443 }), options: guarded }),
    ["gone", "vpn", 'expects agent-to-server test "vpn" to be updated'],
  ],
  // Values that are unknown until the update.
  [
    "the id of another label in place of a new label",
    () => program("by-new", byNew([scene.inState("desk").id], "desk"))(),
    ["differs", "by-new", "endpointAgentLabels: approved"],
  ],
  [
    "the id of another new label",
    program("by-new", byNew([unknownValue], "other")),
    ["differs", "by-new", "endpointAgentLabels: approved"],
  ],
  [
    "an id next to the new label's id",
    () => program("by-new", byNew([unknownValue, scene.inState("desk").id], "fresh", "desk"))(),
    ["differs", "by-new", "endpointAgentLabels: approved"],
  ],
  [
    "a value computed from the new label and another value",
    program("by-new", byNew([unknownValue], "fresh", "other")),
    ["differs", "by-new", "endpointAgentLabels: approved"],
  ],
  [
    "the id of the new label twice",
    program("by-new", byNew([unknownValue, unknownValue], "fresh")),
    ["differs", "by-new", "endpointAgentLabels: approved"],
  ],
  [
    "a completely unknown list",
    program("by-new", byNew(unknownValue, "fresh")),
    ["differs", "by-new", "endpointAgentLabels: approved"],
  ],
  [
    "an unknown value in place of a known value",
    program("added", toServer("Added", { server: unknownValue })),
    ["differs", "added", "server: approved vpn.example.com"],
  ],
  [
    "a secret that is unknown until the update",
    program("portal", { ...portal(unknownValue), secrets: [] }),
    ["differs", "portal", "password: approved"],
  ],
  // Options of the engine.
  [
    "no protection of a changed resource",
    options("vpn", undefined),
    ["differs", "vpn", "option protect: approved true, now none"],
  ],
  ["no protection of an unchanged resource", options("kept", undefined), ["new", "kept", "other options"]],
  [
    "retainOnDelete of a changed resource",
    options("office", { retainOnDelete: true }),
    ["differs", "office", "option retainOnDelete: approved none, now true"],
  ],
  ["retainOnDelete of an unchanged resource", options("desk", { retainOnDelete: true }), ["new", "desk", "other options"]],
  [
    "ignoreChanges of a changed resource",
    options("office", { ignoreChanges: ["color"] }),
    ["differs", "office", "option ignoreChanges: approved none"],
  ],
  [
    "ignoreChanges of an unchanged resource",
    options("kept", { ...guarded, ignoreChanges: ["server"] }),
    ["new", "kept", "other options"],
  ],
  [
    "deletedWith",
    () => options("added", { deletedWith: scene.urn("label", "desk") })(),
    ["differs", "added", "option deletedWith: approved none"],
  ],
  [
    "time limits",
    options("added", { customTimeouts: { create: 1 } }),
    ["differs", "added", "option customTimeouts: approved none"],
  ],
  [
    "a deletion that only removes the resource from state",
    inState("old", { options: { retainOnDelete: true } }),
    ["differs", "old", "would now be removed from state"],
  ],
  // Providers.
  [
    "an explicit provider of a changed resource",
    options("office", { provider: `${eastUrn}::east-1` }),
    ["differs", "office", "option provider: approved none"],
  ],
  [
    "an explicit provider of an unchanged resource",
    options("kept", { ...guarded, provider: `${eastUrn}::east-1` }),
    ["new", "kept", "other options"],
  ],
  [
    "other settings of an explicit provider",
    () =>
      step(0, {
        op: "update",
        ...provider({}),
        oldState: provider({}),
        newState: provider({ "endpoint-monitoring:baseUrl": "https://evil.example.com" }),
      })(),
    ["new", "east", "would be updated"],
  ],
  [
    "a create of another provider's resource",
    () => scene.steps.push({ op: "create", ...bucket("logs"), newState: bucket("logs") }),
    ["new", "logs", "would be created"],
  ],
  [
    "a deletion of another provider's resource",
    () => step(1, { op: "delete", ...bucket("files"), oldState: bucket("files") })(),
    ["new", "files", "would be deleted"],
  ],
  // Identity and configuration.
  [
    "another base URL",
    () => setting("baseUrl", `${scene.emulator.url}/v7`)(),
    ["setting", undefined, "setting baseUrl: approved"],
  ],
  [
    "another account group",
    setting("accountGroupId", "1002"),
    ["setting", undefined, "setting accountGroupId: approved none, now 1002"],
  ],
  ["another tenant", setting("tenantId", "another"), ["setting", undefined, "setting tenantId: approved none, now another"]],
  ["another client", setting("clientId", "another"), ["setting", undefined, "setting clientId: approved none, now another"]],
  ["another scope", setting("scope", "tests:read"), ["setting", undefined, "setting scope: approved none, now tests:read"]],
  ["adopt: identical", setting("adopt", "identical"), ["setting", undefined, "setting adopt: approved none, now identical"]],
  [
    "another order of replacements",
    setting("replaceOrder", "create-first"),
    ["setting", undefined, "setting replaceOrder: approved none, now create-first"],
  ],
  // Remains of earlier updates.
  [
    "a pending deletion of an earlier update",
    () =>
      scene.remaining.resources.push({
        urn: scene.urn("agentToServerTest", "added"),
        type: typeToken("AgentToServerTest"),
        custom: true,
        delete: true,
        id: "4711",
        inputs: {},
        outputs: {},
      }),
    ["new", "added", "(id 4711, left over from an earlier update)"],
  ],
  [
    "a pending deletion of another provider's resource",
    () => scene.remaining.resources.push({ ...bucket("gone"), delete: true }),
    ["new", "gone", "left over from an earlier update"],
  ],
  [
    "an operation with an unknown outcome",
    () =>
      scene.remaining.operations.push({
        resource: { urn: scene.urn("label", "lost"), type: typeToken("Label") },
        type: "creating",
      }),
    ["new", undefined, "an earlier update was interrupted"],
  ],
  // The package.
  [
    "another version of the package",
    () => install("0.2.0", "exports.one = 1;"),
    ["version", undefined, "the program loads version 0.2.0"],
  ],
  [
    "other code of the same version",
    () => install("0.1.0", "exports.one = 2;"),
    ["version", undefined, "the program loads version 0.1.0"],
  ],
];

beforeAll(async () => {
  scene = await Scene.start(30);
});
afterAll(() => scene.end());

const fronts = ["dynamic", "native"] as const;

describe.each(fronts)("apply with %s resources", (front) => {
  let kept: Pick<Scene, "program" | "state" | "settings" | "steps" | "remaining">;
  beforeAll(async () => {
    await prepare(front);
    kept = structuredClone({
      program: scene.program,
      state: scene.state,
      settings: scene.settings,
      steps: scene.steps,
      remaining: scene.remaining,
    });
  });
  beforeEach(() => {
    Object.assign(scene, structuredClone(kept));
    install("0.1.0", "exports.one = 1;");
  });

  // The comparison does not depend on the front, so the short form runs half of the attacks on each.
  const chosenAttacks = attacks.filter((_, at) => amount(at % fronts.length, fronts.indexOf(front)) === fronts.indexOf(front));
  test.each(chosenAttacks)("apply refuses a change that was not approved: %s", async (_name, attack, [what, about, says]) => {
    attack();
    const run = await scene.apply();
    const matching = run.differences.filter((difference) => difference.what === what && difference.text.includes(says));
    expect({
      reported: run.differences,
      text: run.text,
      about: matching.map(({ urn }) => urn?.split("::").at(-1)),
    }).toMatchObject({
      about: [about],
    });
    expect([run.code, run.outcome, scene.applied]).toEqual([2, "refused", false]);
  });

  test("apply refuses edited approvals but accepts the original approval", async () => {
    const text = readFileSync(scene.approval, "utf8");
    // Edited approvals: for another stack, with other content than the digest, and with an unknown property.
    const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    const edits: [string, string[], string, number?][] = [
      [text.replace('"stack": "dev"', '"stack": "prod"'), [], "approves a change to stack prod"],
      [text.replace('"interval": 300', '"interval": 30'), ["--approved", digest], "but --approved requires sha256:", 2],
      [text.replace('"accountGroups"', '"allow": "all", "accountGroups"'), [], "is not an approval"],
    ];
    for (const [edited, more, says, exitCode = 1] of edits) {
      expect(edited).not.toBe(text);
      writeFileSync(scene.approval, edited);
      const run = await scene.apply("--approved", "approval.json", ...more);
      expect([run.code, run.text.includes(says), scene.applied]).toEqual([exitCode, true, false]);
    }
    writeFileSync(scene.approval, text);
    expect(await scene.apply()).toMatchObject({ code: 0, outcome: "applied", differences: [] });
    expect(scene.applied).toBe(true);
  });
});

test("the suite contains at least 40 attacks on approvals", () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40);
});
