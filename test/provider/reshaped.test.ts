/** Simulates a service that returns values in another form than requested, on the engine model and with both provider types. */
import type { Emulator } from "../../emulator";
import { skipIdleTime } from "../support/idle-time";
import { start, vary } from "../support/variations/start";
import { reshaping } from "../support/variations/reshaping";
import { reviewed } from "../../provider/approved";
import { check } from "../../provider/check";
import { createHost } from "../../provider/dynamic";
import { registry } from "../../provider/registry";
import { reshapedProperty } from "../../provider/reshaped";
import { type Properties, secretOf } from "../../provider/values";
import { configured } from "./bench";
import { EngineModel, type Operation, type Program, urnOf } from "./engine-model";
import type { Front } from "./engine-processes";

skipIdleTime();

const fronts: readonly Front[] = ["dynamic", "native"];
/**
 * All variations that reshape values, with the reshaped properties. Each group contains variations of different values, so one
 * service applies the whole group.
 */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "most values": {
    "effective-agents": "maxMachines",
    "selector-in-capitals": "agentSelectorType",
    "masked-username": "username",
    "time-limit-seconds": "httpTimeLimit",
    "auth-in-capitals": "authType",
    "ssl-in-words": "sslVersionId",
    "always-prioritized": "isPrioritized",
    "unverified-certificate": "verifyCertificate",
    "no-network": "networkMeasurements",
    "server-with-subdomain": "server",
    "application-in-capitals": "application",
    "bare-colors": "color",
    "more-filters": "filters",
    "least-interval": "interval",
  },
  "other references": {
    "labels-as-tags": "agentSelectorType endpointAgentLabels tagIds",
    "short-username": "username",
    "lower-values": "filters",
  },
  "more references": { "more-labels": "endpointAgentLabels" },
  // These values mean the same as the declared values.
  "equal values": { "icmp-port": "", "numbers-as-text": "" },
};

let emulator: Emulator;
let engine: EngineModel;
let front: Front;

async function started(on: Front, as: readonly string[] = [], settings: Record<string, string> = {}): Promise<void> {
  emulator = await start({ rateLimit: "off", agents: 5 });
  engine = new EngineModel({ emulator }, settings);
  front = on;
  answersAs(...as);
}

afterEach(async () => {
  for (const name of Object.keys(reviewed)) delete process.env[name];
  await emulator.close();
});

const answersAs = (...as: string[]): void => vary(emulator, ...as);

/** Returns resources of all record types. */
function program(network: Properties = {}): Program {
  const kinds: Program = {
    label: {
      kind: "label",
      args: { name: "Office", color: "#AbCdEf", matchType: "or", filters: [{ key: "hostname", values: ["a-*"] }] },
    },
    tag: {
      kind: "endpointAgentTag",
      args: { key: "team", value: "emea", matchType: "and", filters: [{ key: "hostname", values: ["X-1"] }] },
    },
    network: {
      kind: "agentToServerTest",
      args: {
        testName: "VPN",
        server: "vpn.example.com",
        agentSelectorType: "agent-labels",
        endpointAgentLabels: [{ $id: "label" }],
        ...network,
      },
    },
    http: {
      kind: "httpServerTest",
      args: {
        testName: "Portal",
        url: "https://portal.example.com/",
        authType: "basic",
        username: "CORP\\probe",
        password: "pass-w0rd",
      },
    },
    dynamic: { kind: "dynamicTest", args: { testName: "Calls", application: "webex" } },
  };
  return Object.fromEntries(Object.entries(kinds).map(([name, declared]) => [name, { ...declared, front }]));
}

/** Runs `pulumi up`. @returns the messages of a failure, with the reasons of a partial one */
async function up(of: Program = program(), operation: Operation = {}): Promise<string> {
  return outcomeOf(() => engine.up(of, { continueOnError: true, ...operation }));
}

async function outcomeOf(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return "";
  } catch (error) {
    return [(error as Error).message, ...((error as { reasons?: string[] }).reasons ?? [])].join(" ");
  }
}

const idsByName = (): Map<string, string> => new Map(engine.entries.map(({ name, id }) => [name, id]));
const changes = (): string[] => engine.calls.filter((call) => /^(create|update|delete) /.test(call));
const outputs = (name: string): Properties => engine.state.get(urnOf(front, name))?.outputs ?? {};
const pairs = (name: string): Record<string, Properties> =>
  (outputs(name)[reshapedProperty] ?? {}) as Record<string, Properties>;

async function changeInService(collection: string, name: string, members: object): Promise<void> {
  const url = `${emulator.url}/_emulator/records/${collection}/${idsByName().get(name) ?? ""}`;
  const answer = await fetch(url, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(members),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const cells = Object.keys(groups).flatMap((name) => fronts.map((on) => [name, on] as const));

test.each(cells)("later updates change nothing if the service stores the sent values differently: %s, %s", async (name, on) => {
  const group = groups[name] ?? {};
  expect(Object.values(groups).flatMap(Object.keys)).toEqual(
    expect.arrayContaining(reshaping.map((variation) => variation.name)),
  );
  await started(on, Object.keys(group));
  const reported = new Set<string>();
  let created = new Map<string, string>();
  // The second update creates resources that waited for a partly failed one, and may partly fail itself.
  for (let run = 0; run < 2; run += 1) {
    await up();
    created = new Map([...idsByName(), ...created]);
    const reasons = engine.failures.flatMap(({ error }) => (error as { reasons?: string[] }).reasons ?? []).join("\n");
    for (const [, property = ""] of reasons.matchAll(/(\w+): sent .*? but the service returned /g)) reported.add(property);
  }
  expect(reported).toEqual(new Set(Object.values(group).flatMap((properties) => properties.match(/\w+/g) ?? [])));
  const ids = idsByName();
  expect(ids).toEqual(created);
  expect(ids.size).toBe(Object.keys(program()).length);
  for (const refresh of [true, false, true, false]) {
    expect(await outcomeOf(() => engine.preview(program()))).toBe("");
    expect(await up(program(), { refresh })).toBe("");
    expect(idsByName()).toEqual(ids);
  }
  expect(changes()).toEqual([]);
});

describe.each(fronts)("changed values with %s resources", (on) => {
  /** Creates all resources with a service that reshapes values, and confirms the values by a read. */
  async function settled(...as: string[]): Promise<Map<string, string>> {
    await started(on, as);
    await up();
    await up();
    expect(await up(program(), { refresh: true })).toBe("");
    return idsByName();
  }

  test("later updates keep a record with a value that the service changed", async () => {
    const ids = await settled("effective-agents");
    const changed = program({ maxMachines: 30 });
    expect(await up(changed)).toContain("maxMachines: sent 30, but the service returned 3");
    const replaced = idsByName().get("network");
    expect(replaced).not.toBe(ids.get("network"));
    for (let run = 0; run < 3; run += 1) expect(await up(changed, { refresh: true })).toBe("");
    expect(idsByName().get("network")).toBe(replaced);
    expect(changes()).toEqual([]);
    await up(changed, { replace: ["network"] });
    expect(pairs("network")["maxMachines"]).toEqual({ requested: 30, returned: 3 });
  });

  test("a user's change in the service counts as drift and replaces the record", async () => {
    const ids = await settled("effective-agents", "always-prioritized");
    answersAs("always-prioritized");
    await changeInService("agent-to-server-tests", "network", { maxMachines: 9 });
    await engine.refresh();
    expect(outputs("network")).toMatchObject({ maxMachines: 9 });
    // The reshaped value of another property is not a reason.
    expect(engine.printed.join("\n")).not.toContain("isPrioritized");
    await up();
    expect(idsByName().get("network")).not.toBe(ids.get("network"));
    expect(idsByName().get("http")).toBe(ids.get("http"));
  });

  test("an update shows no difference if the drift no longer exists", async () => {
    const ids = await settled("effective-agents");
    answersAs();
    await engine.refresh();
    answersAs("effective-agents");
    expect(await up(program(), { refresh: true })).toBe("");
    expect(idsByName()).toEqual(ids);
    expect(changes()).toEqual([]);
  });

  test("a read within readLag does not confirm a changed value", async () => {
    await started(on, ["effective-agents"], { readLag: "60" });
    await up();
    const learned = { maxMachines: { requested: 25, returned: 3 } };
    expect(pairs("http")).toEqual(learned);
    const ids = idsByName().get("http");
    for (let run = 0; run < 3; run += 1) await up(program(), { refresh: true });
    expect(pairs("http")).toEqual(learned);
    expect(idsByName().get("http")).toBe(ids);
  });

  test("a later read confirms a changed value that the service still returns", async () => {
    await settled("effective-agents");
    expect(pairs("http")).toEqual({ maxMachines: { requested: 25, returned: 3, confirmed: true } });
    await up(program(), { replace: ["http"] });
    expect(pairs("http")).toEqual({ maxMachines: { requested: 25, returned: 3 } });
    const id = idsByName().get("http");
    answersAs();
    await changeInService("http-server-tests", "http", { maxMachines: 9 });
    await engine.refresh();
    expect(pairs("http")).toEqual({ maxMachines: { requested: 25, returned: 25 } });
    expect(await up()).toBe("");
    expect(idsByName().get("http")).not.toBe(id);
  });

  test("each update fails while the service ignores the new value of isEnabled", async () => {
    await started(on);
    const enabled = program();
    expect(await up(enabled)).toBe("");
    answersAs("enabled-ignored");
    for (let run = 0; run < 3; run += 1) {
      expect(await up(program({ isEnabled: false }))).toContain("isEnabled: sent false, but the service returned true");
      expect(pairs("network")).toEqual({});
    }
  });

  test("a preview warns about values that the service changes", async () => {
    await settled("least-interval", "bare-colors");
    engine.printed.length = 0;
    await engine.preview(program());
    const warnings = engine.printed.join("\n");
    expect(warnings).toContain(
      "warning: interval: the program declares 60, but the service changes it to 120. To end this warning, declare interval: 120",
    );
    expect(warnings).toMatch(/warning: color: the program declares "#AbCdEf", but the service changes it to "AbCdEf"$/m);
    expect(pairs("label")).toMatchObject({ color: { requested: "#AbCdEf", returned: "AbCdEf" } });
    expect(await up(program({ interval: 120 }))).toBe("");
    expect(changes()).toEqual([]);
    expect(await up(program({ interval: 300 }))).toBe("");
    expect(pairs("network")).not.toHaveProperty("interval");
  });

  /** Creates all resources, and then reads the values that the service changes with a variation. */
  async function changedAfterwards(name: string): Promise<Map<string, string>> {
    await started(on);
    expect(await up()).toBe("");
    const ids = idsByName();
    answersAs(name);
    expect(await outcomeOf(() => engine.refresh())).toBe("");
    return ids;
  }

  test.each([
    ["selector-in-capitals", "agentSelectorType", '"agent-labels"', '"AGENT_LABELS"'],
    ["labels-as-tags", "agentSelectorType", '"agent-labels"', '"agent-tags"'],
    ["masked-username", "username", '"CORP\\\\probe"', '"C***"'],
  ])(
    "previews and updates fail if the service has a value that no program can declare: %s",
    async (name, property, declared, returned) => {
      const ids = await changedAfterwards(name);
      const difference = `${property}: the program declares ${declared}, but the service has ${returned}`;
      expect(engine.printed.join("\n")).toContain(`warning: ${difference}, which no program can declare`);
      for (const failure of [
        await outcomeOf(() => engine.preview(program())),
        await up(),
        await up(program(), { refresh: true }),
      ]) {
        expect(failure).toContain(difference);
        expect(failure).toContain("pulumi up --replace URN");
        expect(failure).not.toContain(`declare ${property}:`);
      }
      expect(idsByName()).toEqual(ids);
      expect(changes()).toEqual([]);
      await engine.destroy();
      expect(engine.ids()).toEqual([]);
    },
  );

  test("the option --replace replaces a record even if no program can declare one of the record's values", async () => {
    const ids = await changedAfterwards("labels-as-tags");
    await up(program(), { replace: ["network"] });
    const replaced = idsByName().get("network");
    expect(replaced).not.toBe(ids.get("network"));
    // Other tests have the same difference without permission to replace.
    for (let run = 0; run < 3; run += 1) await up(program(), { refresh: true, target: ["network"] });
    expect(idsByName().get("network")).toBe(replaced);
  });

  test("a reviewed update replaces a record even if no program can declare one of the record's values", async () => {
    const ids = await changedAfterwards("masked-username");
    Object.assign(process.env, reviewed);
    await up();
    expect(idsByName().get("http")).not.toBe(ids.get("http"));
  });

  test("a changed create-only property replaces a record even if no program can declare another property's value", async () => {
    const ids = await changedAfterwards("selector-in-capitals");
    await up(program({ isPrioritized: true }));
    expect(idsByName().get("network")).not.toBe(ids.get("network"));
  });

  test.each([
    ["labels-as-tags", "network", { agentSelectorType: "all-agents", endpointAgentLabels: undefined }],
    [
      "selector-in-capitals",
      "dynamic",
      { agentSelectorType: "specific-agents", agents: ["3fde422a-0000-4000-8000-000000000001"] },
    ],
    ["masked-username", "http", { username: "another" }],
  ] as const)("a new declared value replaces the record despite the API variation %s", async (name, resource, args) => {
    await started(on);
    await up();
    const ids = idsByName();
    answersAs(name);
    await engine.refresh();
    const changed = program();
    const declared = changed[resource];
    if (declared) declared.args = { ...declared.args, ...args };
    await up(changed, { target: [resource] });
    expect(idsByName().get(resource)).not.toBe(ids.get(resource));
  });

  test("only the first update replaces a record if the state lacks the values that the service returned", async () => {
    const ids = await settled("effective-agents");
    const { [reshapedProperty]: _, ...older } = outputs("http");
    Object.assign(engine.state.get(urnOf(front, "http")) ?? {}, { outputs: older });
    await up();
    const replaced = idsByName().get("http");
    expect(replaced).not.toBe(ids.get("http"));
    for (let run = 0; run < 3; run += 1) await up(program(), { refresh: true });
    expect(idsByName().get("http")).toBe(replaced);
  });
});

/** Returns a test with a secret user name, which the service masks. */
async function withSecretName(on: Front): Promise<Program> {
  await started(on, ["masked-username", "effective-agents"]);
  const { http } = program();
  if (!http) throw new Error("The program has no such resource.");
  return { http: { ...http, args: { ...http.args, username: secretOf(http.args["username"]) } } };
}

test("the native plugin marks the returned value of a secret as secret in the state", async () => {
  const secret = await withSecretName("native");
  const pair = { requested: "CORP\\probe", returned: "C***" };
  expect(await up(secret)).not.toContain("CORP");
  expect(pairs("http")).toEqual({ username: secretOf(pair), maxMachines: { requested: 25, returned: 3 } });
  await engine.refresh();
  expect(pairs("http")["username"]).toEqual(secretOf({ ...pair, confirmed: true }));
  expect(await up(secret)).toBe("");
  expect(pairs("http")["username"]).toEqual(secretOf({ ...pair, confirmed: true }));
});

test("dynamic resources mark all returned values as secret if the resource has a secret", async () => {
  const { http } = await withSecretName("dynamic");
  const discreet = configured(createHost(() => undefined).provider(registry.httpServerTest).discreet, emulator);
  const { inputs } = check(registry.httpServerTest, { ...http?.args, username: "CORP\\probe" });
  const failure = await discreet.create(inputs).catch((error: unknown) => error);
  const { id, properties, reasons } = failure as { id: string; properties: Properties; reasons: string[] };
  const stored = properties[reshapedProperty] as Properties;
  expect(stored).toEqual(
    secretOf({ username: { requested: "CORP\\probe", returned: "C***" }, maxMachines: { requested: 25, returned: 3 } }),
  );
  expect(reasons.join()).not.toContain("CORP");
  const state = { ...properties, [reshapedProperty]: stored["value"] };
  const { props } = await discreet.read(id, state);
  expect(props[reshapedProperty]).toMatchObject(secretOf({ username: { confirmed: true } }));
  const { outs } = await discreet.update(id, state, { ...inputs, testName: "Gate" });
  expect(outs[reshapedProperty]).toEqual(stored);
});

test.each(fronts)("the error recommends --replace if no program can declare a value of an adopted record: %s", async (on) => {
  await started(on, ["bare-colors"]);
  const label = {
    kind: "label",
    front: on,
    deleteBeforeReplace: true,
    args: { name: "Office", color: "#AbCdEf", matchType: "or", filters: [] },
  } as const;
  await up({ first: label });
  engine.state.clear();
  const adopting = { office: { ...label, args: { ...label.args, adopt: true } } };
  for (let run = 0; run < 3; run += 1) {
    const failure = await up(adopting);
    expect(failure).toContain('color: sent "#AbCdEf", but the service returned "AbCdEf"');
    expect(failure).toContain("pulumi up --replace URN");
  }
  const ids = engine.ids();
  await up(adopting, { replace: ["office"] });
  expect(engine.ids()).not.toEqual(ids);
  // The first update after a create accepts the returned form.
  await up(adopting);
  expect(await up(adopting)).toBe("");
});
