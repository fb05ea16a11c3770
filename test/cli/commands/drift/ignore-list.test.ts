/**
 * Tests the setting `drift.ignore`: ignored drift, expiry, and mistakes in entries. The service is the emulator. The clock is
 * simulated.
 */
import { planOf } from "../../../../cli/commands/drift/plan";
import { DeployedProgram } from "../../drift-accept-support";
import { drifted, inState, reference, urnOf } from "../../drift-support";
import { useEmulator } from "../../../support/emulator";

const source = `import { Label } from "pulumi-endpoint-monitoring";
new Label("office", { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["corp-*"] }, { key: "hostname", values: ["x"] }] });
new Label("lab", { name: "Lab", matchType: "or", filters: [] });
`;

const service = useEmulator({ agents: 3 });
let deployed: DeployedProgram;
beforeEach(async () => {
  service.reset();
  deployed = await new DeployedProgram(service).deploy({ "index.ts": source });
});
afterEach(() => deployed.end());

/** Writes the list from line 7 of Pulumi.yaml on, one entry per line. */
function ignore(...entries: string[]): void {
  const lines = entries.map((entry) => `    - ${entry}\n`).join("");
  deployed.write("Pulumi.yaml", `name: test\nruntime: nodejs\n\n# What others change.\ndrift:\n  ignore:\n${lines}`);
}

const reported = async (args: readonly string[] = [], options = {}) => {
  const { code, data } = await deployed.report(args, options);
  const [stack] = data.stacks;
  return {
    code,
    changed:
      stack?.changed.map(({ name, properties }) => `${name} ${properties.map(({ property }) => property).join(",")}`) ?? [],
    missing: stack?.missing.map(({ name }) => name) ?? [],
    ignored: (stack?.ignored ?? []).map(
      ({ name, isMissing, properties, reason, until }) =>
        `${name} ${isMissing ? "missing" : properties.map(({ property }) => property).join(",")}: ${reason} ${until ?? ""}`,
    ),
    unmanaged: data.unmanaged?.map(({ name }) => name) ?? [],
    ignoredUnmanaged: data.ignoredUnmanaged?.map(({ name, reason }) => `${name}: ${reason}`) ?? [],
    expired: data.ignoreList?.expired.map(({ place }) => place) ?? [],
    unused: data.ignoreList?.unused.map(({ place }) => place) ?? [],
  };
};
const nothing = {
  code: 0,
  changed: [],
  missing: [],
  ignored: [],
  unmanaged: [],
  ignoredUnmanaged: [],
  expired: [],
  unused: [],
};
const unmanagedLabel = (name: string) => service.create("/v7/endpoint/labels", { name, matchType: "or", filters: [] });
const removed = (name: string) => service.call("DELETE", `/v7/endpoint/labels/${deployed.get(name).id}`);

it("`drift` counts ignored properties but lists them only with --details", async () => {
  ignore('{ resource: office, property: color, reason: "The network team | colors it." }');
  await deployed.change("label", "office", { color: "#00ff00" });
  expect(await reported()).toEqual({ ...nothing, ignored: ["office color: The network team | colors it. "] });
  const run = await deployed.drift([]);
  expect(run.stdout).toContain("No drift: 2 resources of 1 stack are as declared; 1 ignored");
  expect(run.stdout).toContain("Ignored by drift.ignore: 1 (--details lists them)");
  expect(run.stdout).not.toContain("network team");
  expect((await deployed.drift(["--details"])).stdout).toMatch(
    /label office of stack dev \(color\): The network team \| colors it\./,
  );
  await deployed.drift(["--markdown", "drift.md"]);
  expect(deployed.text("drift.md")).toMatch(/<details>.*Ignored by drift\.ignore: 1.*network team/s);
  // Another changed property of the same resource is drift, and only that property is reported.
  await deployed.change("label", "office", { color: "#00ff00", matchType: "and" });
  expect(await reported()).toMatchObject({
    code: 2,
    changed: ["office matchType"],
    ignored: [expect.stringContaining("color")],
  });
});

it("an ignore entry expires after its last day in UTC", async () => {
  ignore("{ resource: office, property: color, reason: Painted, until: 2026-06-15 }");
  await deployed.change("label", "office", { color: "#00ff00" });
  const on = (date: string) => reported([], { date });
  const ignored = { ...nothing, ignored: ["office color: Painted 2026-06-15"] };
  expect(await on("2026-06-14T23:59:59Z")).toEqual(ignored);
  expect(await on("2026-06-15T23:59:59Z")).toEqual(ignored);
  expect(await on("2026-06-16T00:00:00Z")).toEqual({
    ...nothing,
    code: 2,
    changed: ["office color"],
    expired: ["Pulumi.yaml:7"],
  });
  const { stdout } = await deployed.drift([], { date: "2027-01-01T00:00:00Z" });
  expect(stdout).toContain("Pulumi.yaml:7 (office, color) expired on 2026-06-15 and no longer applies");
});

it.each([
  ["matches a glob", "{ resource: of*, property: 'col*', reason: r }", ["color"], true],
  ["matches a URN", `{ resource: "${urnOf("label", "office")}", property: color, reason: r }`, ["color"], true],
  ["matches a URN with a glob", '{ resource: "urn:pulumi:dev::*::office", reason: r }', ["color", "matchType"], true],
  ["does not match a URN of another stack", '{ resource: "urn:pulumi:prod::*::office", reason: r }', ["color"], false],
  [
    "matches the path to the changed value",
    '{ resource: office, property: "filters[0].values", reason: r }',
    ["filters"],
    true,
  ],
  [
    "does not match the path to another value",
    '{ resource: office, property: "filters[1].values", reason: r }',
    ["filters"],
    false,
  ],
])("an ignore entry matches resources and properties by patterns: %s", async (_, entry, properties, isIgnored) => {
  ignore(entry);
  const values = {
    color: "#00ff00",
    matchType: "and",
    filters: [
      { key: "ssid", values: ["other-*"], mode: "in" },
      { key: "hostname", values: ["x"], mode: "in" },
    ],
  };
  await deployed.change(
    "label",
    "office",
    Object.fromEntries(Object.entries(values).filter(([name]) => properties.includes(name))),
  );
  const { code, ignored, unused } = await reported();
  expect({ code, ignored: ignored.length, unused: unused.length }).toEqual(
    isIgnored ? { code: 0, ignored: 1, unused: 0 } : { code: 2, ignored: 0, unused: 1 },
  );
});

it("an ignore entry without a property also ignores deleted and unmanaged records", async () => {
  await removed("lab");
  await unmanagedLabel("Kiosk 1");
  await unmanagedLabel("By hand");
  ignore("{ resource: lab, property: color, reason: r }", '{ resource: "Kiosk *", property: color, reason: r }');
  expect(await reported()).toMatchObject({ code: 2, missing: ["lab"], unmanaged: ["By hand", "Kiosk 1"] });
  ignore("{ resource: lab, reason: Closed }", '{ resource: "Kiosk *", reason: Of facilities }');
  expect(await reported()).toEqual({
    ...nothing,
    code: 2,
    ignored: ["lab missing: Closed "],
    unmanaged: ["By hand"],
    ignoredUnmanaged: ["Kiosk 1: Of facilities"],
  });
});

it("`drift` reports unused ignore entries only after a check of all stacks and resource types", async () => {
  ignore("{ resource: office, property: color, reason: r }", "{ resource: nobody, reason: r }");
  expect(await reported()).toMatchObject({ code: 0, unused: ["Pulumi.yaml:7", "Pulumi.yaml:8"] });
  expect((await deployed.drift([])).stdout).toContain("Pulumi.yaml:8 (nobody) matches no drift");
  // A partial check does not show whether an entry is unused.
  expect(await reported(["--stack", "dev"])).toMatchObject({ unused: [] });
  expect(await reported(["--only", "label"])).toMatchObject({ unused: [] });
  expect(await reported(["--no-unmanaged"])).toMatchObject({ unused: ["Pulumi.yaml:7"] });
});

it("`drift` reads ignore entries from endpoint-monitoring.yaml", async () => {
  ignore("{ resource: office, property: color, reason: r }");
  deployed.write(
    "endpoint-monitoring.yaml",
    "drift:\n  ignore:\n    - resource: lab\n      reason: r\n      until: 2020-01-01\n",
  );
  await deployed.change("label", "office", { color: "#00ff00" });
  expect(await reported()).toMatchObject({
    ignored: [expect.stringContaining("office")],
    expired: ["endpoint-monitoring.yaml:3"],
  });
});

it("`drift` reports each mistake in the ignore list with its line", async () => {
  ignore(
    "{ reason: r }",
    "{ resource: office }",
    "{ resource: office, reason: '' }",
    "{ resource: office, reason: r, until: 2026-02-30 }",
    "{ resource: office, reason: r, untill: 2026-01-01 }",
    "office",
    "{ resource: 5, reason: r }",
  );
  const before = service.emulator.requests();
  const { code, stderr } = await deployed.drift([]);
  expect(code).toBe(1);
  expect(stderr.replace("endpoint-monitoring drift: ", "").trim().split("; ")).toEqual([
    "Pulumi.yaml:7: resource is required",
    "Pulumi.yaml:8: reason is required",
    "Pulumi.yaml:9: reason must not be empty",
    "Pulumi.yaml:10: until must be a day such as 2026-12-31",
    "Pulumi.yaml:11: untill is not a property (did you mean until?)",
    "the properties are resource, property, reason, until",
    "Pulumi.yaml:12: an entry of drift.ignore must be an object, not a string",
    "Pulumi.yaml:13: resource must be a string, not a number.",
  ]);
  expect(service.emulator.requests()).toEqual(before);
  deployed.write("endpoint-monitoring.yaml", "drift:\n  ignore:\n    office: color\n");
  ignore();
  expect((await deployed.drift([])).stderr).toContain("endpoint-monitoring.yaml:3: drift.ignore must be a list of entries");
  deployed.write("endpoint-monitoring.yaml", "drift:\n  ignore: [");
  expect((await deployed.drift([])).stderr).toMatch(/endpoint-monitoring\.yaml cannot be read \(/);
});

it("`drift` neither fixes nor accepts a resource with an ignored property", async () => {
  const names = ["label", "office"] as const;
  const ignored = [{ ...reference(...names), isMissing: false, reason: "r", properties: drifted(...names).properties }];
  const drift = { stack: "dev", resources: 1, changed: [drifted(...names)], missing: [], notes: [], ignored };
  const state = [inState(...names)];
  const plan = planOf(drift, state, new Map(state.map(({ urn }) => [urn, "same"])));
  const reason = "its interval is in drift.ignore, and drift fixes or accepts only whole resources";
  expect({ groups: plan.groups, left: [...plan.left.values()] }).toEqual({ groups: [], left: [reason] });

  ignore("{ resource: office, property: color, reason: r }");
  await deployed.change("label", "office", { color: "#00ff00", matchType: "and" });
  await deployed.change("label", "lab", { color: "#00ff00" });
  const { data } = await deployed.report(["--accept"]);
  expect(data.accepted?.resources.map(({ name }) => name)).toEqual(["lab"]);
  expect(data.accepted?.left).toMatchObject([{ name: "office", reason: reason.replace("interval", "color") }]);
  expect(deployed.text("index.ts")).toContain('new Label("office", { name: "Office", matchType: "or"');
});
