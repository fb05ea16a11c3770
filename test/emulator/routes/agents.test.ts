import { Bench, example, type Json, shapeDifferences, fieldsOf } from "../support";

const path = "/v7/endpoint/agents";
const everything = "expand=clients,vpnProfiles,networkInterfaceProfiles";
const clock = Date.UTC(2026, 0, 15, 12);

let bench: Bench;
/** All agents of the first account group, with all parts. */
let all: Json[];
/** An agent with most of the possible attributes. */
let rich: Json;

beforeAll(async () => {
  bench = await Bench.start({ agents: 600, now: () => clock, pageSize: 7 });
  all = (await bench.call("GET", `${path}?max=1000&${everything}`)).body.agents;
  rich = all.find(
    (agent) => agent.vpnProfiles.length > 0 && agent.npcapVersion && agent.externalMetadata.length > 0 && hasExtension(agent),
  );
});
afterAll(() => bench.close());

const hasExtension = (agent: Json) => agent.clients.some(({ browserExtensions }: Json) => browserExtensions.length > 0);
const ids = (body: Json): string[] => body.agents.map(({ id }: Json) => id);

/** Follows next links. @returns the agents' ids by page */
async function pages(method: string, to: string, body?: unknown): Promise<string[][]> {
  const answer = await bench.call(method, to, { body });
  const next = answer.body._links.next?.href;
  return [ids(answer.body), ...(next === undefined ? [] : await pages(method, next.slice(bench.url.length), body))];
}

/** Returns the differences from an example, except attributes of other devices and attributes newer than the example. */
const differences = (actual: Json, name: string) =>
  shapeDifferences(actual, example(name)).filter(
    (difference) => !/cellularProfile is absent|(agentExplainabilityFailures|deploymentInfo) is new/.test(difference),
  );

describe("an agent in the emulator", () => {
  const parts = ["clients", "vpnProfiles", "networkInterfaceProfiles"];

  test("a response contains an agent's optional members only if the parameter expand names them", async () => {
    const whole = await bench.call("GET", `${path}/${rich.id}?${everything}`);
    expect(whole.status).toBe(200);
    const ethernet = /ethernetProfile is (absent|new)|wirelessProfile is (absent|new)/;
    expect(differences(whole.body, "agents.get.response").filter((difference) => !ethernet.test(difference))).toEqual([]);
    expect(whole.body._links.self.href).toBe(`${bench.url}${path}/${rich.id}?${everything}`);
    for (const query of ["", ...parts]) {
      const { body } = await bench.call("GET", `${path}/${rich.id}?expand=${query}`.replace(/\?expand=$/, ""));
      expect(parts.filter((part) => part in body)).toEqual(query === "" ? [] : [query]);
    }
    const two = await bench.call("GET", `${path}/${rich.id}?expand=clients&expand=vpnProfiles`);
    expect(parts.filter((part) => part in two.body)).toEqual(["clients", "vpnProfiles"]);
    expect(whole.body.numberOfClients).toBe(whole.body.clients.length);
  });

  test("most agents of a fleet checked in within the last 15 minutes", () => {
    const ages = all.map(({ lastSeen }) => clock - Date.parse(lastSeen));
    expect(Math.min(...ages)).toBe(0);
    expect(ages.filter((age) => age < 900_000).length).toBeGreaterThan(ages.length * 0.8);
    expect(ages.filter((age) => age > 3_600_000).length).toBeGreaterThan(0);
  });

  test.each([
    ["unknown", "00000000-0000-4000-8000-000000000000", ""],
    ["not a UUID", "nobody", ""],
    ["of another account group", "", "?aid=1002"],
  ])("each agent operation returns status 404 if the id is %s", async (_title, id, query) => {
    for (const [method, suffix] of [
      ["GET", ""],
      ["GET", "/logs"],
      ["DELETE", ""],
      ["POST", "/enable"],
      ["POST", "/disable"],
    ]) {
      const refused = await bench.call(method ?? "", `${path}/${id || rich.id}${suffix}${query}`);
      expect([method, suffix, refused.status]).toEqual([method, suffix, 404]);
    }
    const patched = await bench.call("PATCH", `${path}/${id || rich.id}${query}`, { body: { name: "x" } });
    const moved = await bench.call("POST", `${path}/${id || rich.id}/transfer${query}`, { body: { toAid: "1003" } });
    expect([patched.status, moved.status]).toEqual([404, 404]);
  });
});

describe("the list of agents", () => {
  test("the agent list is in order of creation and contains the total count", async () => {
    const pageIds = await pages("GET", path);
    expect(pageIds.flat()).toEqual(all.map(({ id }) => id));
    expect(pageIds.slice(0, -1).every((page) => page.length === 7)).toBe(true);
    expect((await bench.call("GET", `${path}?max=3`)).body).toMatchObject({ totalAgents: all.length });
    const { body } = await bench.call("GET", `${path}?max=3&expand=clients`);
    expect(differences(body, "agents.list.response").filter((difference) => difference.endsWith(" is new"))).toEqual([]);
    expect(new URL(body._links.next.href).searchParams.get("expand")).toBe("clients");
  });

  test.each([
    ["agentName", "name"],
    ["computerName", "computerName"],
  ])("the list filter by %s selects only agents with exactly the requested value", async (parameter, member) => {
    const [, second, third] = all;
    const name = `Same ${parameter}`;
    for (const { id } of [second, third])
      await bench.call("PATCH", `/_emulator/records/agents/${id}`, { body: { [member]: name } });
    const find = async (text: string) =>
      ids((await bench.call("GET", `${path}?${parameter}=${encodeURIComponent(text)}`)).body);
    expect(await find(name)).toEqual([second.id, third.id]);
    expect(await find("Same")).toEqual([]);
    expect(await find(name.toUpperCase())).toEqual([]);
    for (const agent of [second, third]) {
      await bench.call("PATCH", `/_emulator/records/agents/${agent.id}`, { body: { [member]: agent[member] } });
    }
  });

  test("the agent list contains the agents of one account group or of all account groups", async () => {
    const counts: Record<string, number> = {};
    for (const aid of ["1001", "1002", "1003"]) {
      const { body } = await bench.call("GET", `${path}?aid=${aid}&max=1000`);
      expect(new Set(body.agents.map((agent: Json) => agent.aid))).toEqual(new Set([aid]));
      counts[aid] = body.totalAgents;
    }
    const every = await bench.call("GET", `${path}?useAllPermittedAids=true&max=1000`);
    expect(every.body.totalAgents).toBe(600);
    // The reader does not belong to the third group.
    const permitted = await bench.call("GET", `${path}?useAllPermittedAids=true`, { token: "emulator-read-only-token" });
    expect(permitted.body.totalAgents).toBe((counts["1001"] ?? 0) + (counts["1002"] ?? 0));
    expect((await bench.call("GET", `${path}?useAllPermittedAids=false`)).body.totalAgents).toBe(counts["1001"]);
  });

  test.each(["max=0", "max=x", "cursor=abc", "expand=everything", "includeDeleted=perhaps", "useAllPermittedAids=1"])(
    "the emulator rejects an agent list request with %s and names the parameter",
    async (query) => {
      for (const [method, to] of [
        ["GET", path],
        ["POST", `${path}/filter`],
      ] as const) {
        if (method === "POST" && query.startsWith("use")) continue;
        const refused = await bench.call(method, `${to}?${query}`, method === "POST" ? { body: {} } : {});
        expect([to, refused.status]).toEqual([to, 400]);
        expect(JSON.stringify(refused.body)).toContain(query.split("=")[0]);
      }
    },
  );

  test("deletions between two requests do not shift the pages of the agent list", async () => {
    const ownBench = await Bench.start({ agents: 40, pageSize: 4 });
    const first = await ownBench.call("GET", path);
    const before = ids((await ownBench.call("GET", `${path}?max=1000`)).body);
    for (const at of [1, 3]) await ownBench.call("DELETE", `${path}/${before[at]}`);
    const second = await ownBench.call("GET", first.body._links.next.href.slice(ownBench.url.length));
    expect(ids(second.body)).toEqual(before.slice(4, 8));
    await ownBench.close();
  });
});

describe("a search for agents", () => {
  const search = async (searchFilters: object, more: object = {}) =>
    (await bench.call("POST", `${path}/filter?max=1000`, { body: { searchFilters, ...more } })).body.agents;
  const upn = (agent: Json) => agent.clients.map(({ userProfile }: Json) => userProfile.userPrincipalName);

  /** Filter, a value of `rich` in the filter's form, and the expected matches. */
  const cases: [string, (agent: Json) => string, (agent: Json, value: string) => boolean][] = [
    ["id", (agent) => agent.id, (agent, value) => agent.id === value],
    ["agentName", (agent) => agent.name, (agent, value) => agent.name === value],
    ["computerName", (agent) => agent.computerName, (agent, value) => agent.computerName === value],
    [
      "username",
      (agent) => agent.clients[0].userProfile.userName.slice(0, 4).toUpperCase(),
      (agent, value) => agent.clients.some(({ userProfile }: Json) => userProfile.userName.startsWith(value.toLowerCase())),
    ],
    [
      "userPrincipalName",
      (agent) => upn(agent)[0].slice(0, 5).toUpperCase(),
      (agent, value) => upn(agent).some((text: string) => text.startsWith(value.toLowerCase())),
    ],
    ["platform", (agent) => agent.platform, (agent, value) => agent.platform === value],
    ["osVersion", () => "microsoft windows 11", (agent) => agent.osVersion.startsWith("Microsoft Windows 11")],
    ["nicModel", (agent) => agent.nicModel, (agent, value) => agent.nicModel === value],
    ["nicDriverVersion", (agent) => agent.nicDriverVersion, (agent, value) => agent.nicDriverVersion === value],
    [
      "serialNumber",
      (agent) => agent.serialNumber.slice(0, 2).toLowerCase(),
      (agent, value) => agent.serialNumber?.startsWith(value.toUpperCase()),
    ],
    ["locationCountryISO", () => "GB", (agent) => agent.location.locationName === "London"],
    ["locationSubdivision1Code", () => "NY", (agent) => agent.location.locationName === "New York"],
    ["locationCity", () => "lond", (agent) => agent.location.locationName === "London"],
    ["licenseType", () => "essentials", (agent) => agent.licenseType === "essentials"],
    [
      "anyConnectDeviceId",
      () => all.find((agent) => agent.externalMetadata.length > 0).externalMetadata[0].value,
      (agent, value) => agent.externalMetadata.some((item: Json) => item.value === value),
    ],
  ];

  test.each(cases)("a search finds agents by %s", async (name, valueOf, fits) => {
    const value = valueOf(rich);
    const expected = all.filter((agent) => fits(agent, value)).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect((await search({ [name]: [value] })).map(({ id }: Json) => id)).toEqual(expected);
    // Any of several values matches. An unused value changes nothing.
    const other = name === "platform" ? "android" : name === "licenseType" ? "embed-wireless-advantage" : "nobody has this";
    expect((await search({ [name]: [other, value] })).map(({ id }: Json) => id)).toEqual(expected);
    expect(await search({ [name]: [other] })).toEqual([]);
    expect(await search({ [name]: [] })).toHaveLength(all.length);
  });

  test.each(["id", "agentName", "computerName", "nicModel", "nicDriverVersion"])(
    "an agent search by only part of %s finds no agents",
    async (name) => {
      const value = String(name === "agentName" ? rich.name : rich[name]);
      expect(await search({ [name]: [value.slice(0, -1)] })).toEqual([]);
    },
  );

  test("an agent search finds only agents that match all filters", async () => {
    const both = await search({ platform: ["windows"], licenseType: ["essentials"] });
    expect(both.map(({ id }: Json) => id)).toEqual(
      all.filter((agent) => agent.platform === "windows" && agent.licenseType === "essentials").map(({ id }) => id),
    );
  });

  test("the suite tests each documented search filter", () => {
    expect(cases.map(([name]) => name).toSorted()).toEqual(
      [...new Set([...Object.keys(example("agents.filter.request").searchFilters), "nicModel", "nicDriverVersion"])].toSorted(),
    );
  });

  test("a search finds agents by the time since their last check-in", async () => {
    const age = (agent: Json) => clock - Date.parse(agent.lastSeen);
    const hour = 3_600_000;
    const agesFound = async (conditionalOperator: string | undefined, ...filters: object[]) =>
      (await search({}, { thresholdFilter: { filters, conditionalOperator } })).map(age);
    const condition = (operator: string, value: number) => ({ name: "last-seen-ms", operator, value });
    expect(await agesFound(undefined, condition("gte", hour))).toEqual(all.map(age).filter((ms) => ms >= hour));
    expect(await agesFound("and", condition("lte", hour), condition("gte", 60_000))).toEqual(
      all.map(age).filter((ms) => ms <= hour && ms >= 60_000),
    );
    expect(await agesFound("or", condition("gte", hour), condition("lte", 0))).toEqual(
      all.map(age).filter((ms) => ms >= hour || ms <= 0),
    );
    expect(await agesFound("or")).toHaveLength(all.length);
  });

  const sortKeys: [string, (agent: Json) => string | undefined][] = [
    ["platform", (agent) => agent.platform],
    ["osVersion", (agent) => agent.osVersion],
    ["name", (agent) => agent.name],
    ["userName", (agent) => agent.clients[0]?.userProfile.userName],
    ["city", (agent) => (agent.location.latitude === undefined ? undefined : agent.location.locationName)],
    ["serialNumber", (agent) => agent.serialNumber],
  ];

  test.each(sortKeys)("a search sorts agents by %s in both directions", async (sort, keyOf) => {
    for (const order of ["asc", "desc", undefined]) {
      const sorted = await pages("POST", `${path}/filter?max=100`, { searchSort: [{ sort, order }] });
      const keys = sorted.flat().map((id) => keyOf(all.find((agent) => agent.id === id))?.toLowerCase());
      const known = keys.filter((key) => key !== undefined);
      const expected = known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(known).toEqual(order === "desc" ? expected.toReversed() : expected);
      expect(keys.slice(known.length).every((key) => key === undefined)).toBe(true);
      expect(new Set(sorted.flat()).size).toBe(all.length);
    }
  });

  test("an agent search applies the second sort key to agents with equal first keys", async () => {
    const sorted = await search({}, { searchSort: [{ sort: "platform" }, { sort: "name", order: "desc" }] });
    const expected = all.toSorted((a, b) =>
      a.platform === b.platform ? (a.name < b.name ? 1 : -1) : a.platform < b.platform ? -1 : 1,
    );
    expect(sorted.map(({ name }: Json) => name)).toEqual(expected.map(({ name }) => name));
  });

  test("the response to the API document's example search has the documented members", async () => {
    const request = example("agents.filter.request");
    const asIs = await bench.call("POST", `${path}/filter`, { body: request });
    expect([asIs.status, asIs.body.totalAgents]).toEqual([200, 0]);
    const body = { ...request, searchFilters: { id: [rich.id] }, thresholdFilter: undefined };
    const adapted = await bench.call("POST", `${path}/filter?${everything}`, { body });
    const absent = /\.next is absent|\.self is new|(ethernet|wireless)Profile is/;
    expect(differences(adapted.body, "agents.filter.response").filter((difference) => !absent.test(difference))).toEqual([]);
    expect(ids(adapted.body)).toEqual([rich.id]);
  });

  test("a user with a read-only role may search for agents", async () => {
    const sent = { body: {}, token: "emulator-read-only-token" };
    expect((await bench.call("POST", `${path}/filter`, sent)).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ["searchFilters", "x"],
    ["searchFilters.id", { id: "x" }],
    ["searchFilters.platform[0]", { platform: ["amiga"] }],
    ["searchFilters.licenseType[0]", { licenseType: ["free"] }],
    ["searchFilters.serialNumber[0]", { serialNumber: ["x".repeat(51)] }],
    ["searchSort[0].sort", [{ sort: "age" }]],
    ["searchSort[0].order", [{ sort: "name", order: "up" }]],
    ["thresholdFilter.filters[0].name", { filters: [{ name: "age", value: 1, operator: "gte" }] }],
    ["thresholdFilter.filters[0].operator", { filters: [{ name: "last-seen-ms", value: 1, operator: "eq" }] }],
    ["thresholdFilter.conditionalOperator", { conditionalOperator: "xor" }],
  ])("the emulator rejects an agent search with an invalid %s and names the filter", async (field, value) => {
    const body = { [field.split(/[.[]/)[0] ?? ""]: value };
    const refused = await bench.call("POST", `${path}/filter`, { body });
    expect([refused.status, fieldsOf(refused.body)]).toEqual([400, [field]]);
  });
});

test("each account group has its own connection string", async () => {
  const strings = [];
  for (const aid of ["1001", "1002", "1001"]) {
    const { status, body } = await bench.call("GET", `${path}/connection-string?aid=${aid}`);
    expect([status, shapeDifferences(body, example("agents.connectionString.response"))]).toEqual([200, []]);
    strings.push(body.connectionString);
  }
  expect(strings[0]).toBe(strings[2]);
  expect(strings[0]).not.toBe(strings[1]);
  expect(Buffer.from(strings[0], "base64")).toHaveLength(16);
});
