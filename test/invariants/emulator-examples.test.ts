import {
  areas,
  Bench,
  example,
  type Exchange,
  type Json,
  minimal,
  paths,
  shapeDifferences,
  fieldsOf,
} from "../emulator/support";
import { documentedOperation, resolved } from "../support/api/document";
import { membersOfDocument } from "../support/api/members";

/** The location and names of each area's examples. */
const examples = {
  label: { prefix: "labels", id: "id", list: "labels", expand: "?expand=filters" },
  agentToServer: { prefix: "tests.agentToServer", id: "testId", list: "tests", expand: "" },
  httpServer: { prefix: "tests.httpServer", id: "testId", list: "tests", expand: "" },
  dynamic: { prefix: "tests.dynamic", id: "testId", list: "tests", expand: "" },
} as const;

let bench: Bench;
/** Two existing labels in place of the examples' 567 and 214. */
let labelIds: string[];

beforeAll(async () => {
  bench = await Bench.start();
  const made = await Promise.all([1, 2].map(() => bench.call("POST", paths.label, { body: minimal.label })));
  labelIds = made.map(({ body }) => body.id);
});
afterAll(() => bench.close());

const adapted = (body: Json): Json => (body.endpointAgentLabels ? { ...body, endpointAgentLabels: labelIds } : body);

function expectDocumented(exchange: Exchange, operation: string, without: string[] = []): void {
  expect(exchange.status).toBe(documentedOperation(operation).status);
  const differences = shapeDifferences(exchange.body, example(`${operation}.response`));
  expect(differences.filter((difference) => !without.some((name) => difference.endsWith(`.${name} is absent`)))).toEqual([]);
}

describe.each(areas)("documented examples of %s", (area) => {
  const { prefix, id, list, expand } = examples[area];

  test("the emulator creates, gets, lists, updates and deletes the documented record", async () => {
    const created = await bench.call("POST", paths[area], { body: adapted(example(`${prefix}.create.request`)) });
    expectDocumented(created, `${prefix}.create`);
    expect(created.headers.get("content-type")).toBe(documentedOperation(`${prefix}.create`).responseType);
    expect(created.headers.get("location")).toBe(created.body._links.self.href);

    const recordPath = `${paths[area]}/${created.body[id]}`;
    const got = await bench.call("GET", recordPath + expand);
    expectDocumented(got, `${prefix}.get`);
    expect({ ...got.body, _links: 0 }).toEqual({ ...created.body, _links: 0 });

    const listed = await bench.call("GET", paths[area] + expand);
    // The example is a page with a next link. All records here fit one page.
    expectDocumented(listed, `${prefix}.list`, ["next"]);
    expect(listed.body[list].map((record: Json) => record[id])).toContain(created.body[id]);

    const updated = await bench.call("PATCH", recordPath, { body: example(`${prefix}.update.request`) });
    expectDocumented(updated, `${prefix}.update`);

    expect((await bench.call("DELETE", recordPath)).status).toBe(documentedOperation(`${prefix}.delete`).status);
    expect((await bench.call("DELETE", recordPath)).status).toBe(404);
    expect((await bench.call("GET", recordPath)).status).toBe(404);
  });

  test("the emulator returns the documented defaults after a create request with only the required members", async () => {
    const created = await bench.call("POST", paths[area], { body: example(`assembled/${prefix}.create.minimal.request`) });
    expectDocumented(created, `${prefix}.create`, ["username"]);
    const { request = {}, response = {} } = documentedOperation(`${prefix}.create`);
    const { agentSelectorConfig, ...rest } = created.body;
    const body = { ...rest, ...agentSelectorConfig };
    const members = Object.keys(membersOfDocument(response, "answer"));
    const returned = new Set(members.map((path) => path.replace("agentSelectorConfig.", "")));
    const defaults = Object.entries(resolved(request).properties ?? {}).flatMap(([name, schema]) =>
      "default" in schema && returned.has(name) ? [[name, schema.default] as const] : [],
    );
    expect(defaults.length).toBeGreaterThan(0);
    for (const [name, value] of defaults) expect({ [name]: body[name] }).toEqual({ [name]: value });
  });
});

describe("agent selections in examples", () => {
  const companions = ["agents", "endpointAgentLabels", "tagIds"];

  test.each([
    ["all-agents", undefined],
    ["specific-agents", "agents"],
    ["agent-labels", "endpointAgentLabels"],
    ["agent-tags", "tagIds"],
  ])("the emulator returns only the list that belongs to the selector type %s", async (kind, companion) => {
    const body = { ...adapted(example("tests.agentToServer.create.request")), agentSelectorType: kind, maxMachines: 7 };
    const created = await bench.call("POST", paths.agentToServer, { body });
    expect(created.body.agentSelectorConfig).toEqual({
      agentSelectorType: kind,
      maxMachines: 7,
      ...(companion !== undefined && { [companion]: body[companion] }),
    });
    expect(shapeDifferences(created.body.agentSelectorConfig, example(`assembled/agentSelectorConfig.${kind}`))).toEqual([]);
    for (const member of companions) expect(created.body).not.toHaveProperty(member);
    const stored = await bench.call("GET", `/_emulator/records/agent-to-server-tests/${created.body.testId}`);
    expect(companions.filter((member) => member in stored.body.body)).toEqual(companion === undefined ? [] : [companion]);
  });

  test.each([
    ["specific-agents", "agents"],
    ["agent-labels", "endpointAgentLabels"],
    ["agent-tags", "tagIds"],
  ])("the emulator rejects the selector type %s without the required member %s", async (agentSelectorType, companion) => {
    const before = await bench.everything();
    for (const area of ["agentToServer", "httpServer", "dynamic"] as const) {
      for (const memberOf of [{}, { [companion]: [] }]) {
        const refused = await bench.call("POST", paths[area], { body: { ...minimal[area], agentSelectorType, ...memberOf } });
        expect(refused.status).toBe(400);
        expect(fieldsOf(refused.body)).toEqual([companion]);
      }
    }
    expect(await bench.everything()).toEqual(before);
  });

  test("the emulator rejects labels that do not exist or belong to another account group", async () => {
    const foreign = await bench.call("POST", `${paths.label}?aid=1002`, { body: minimal.label });
    const body = { ...minimal.dynamic, agentSelectorType: "agent-labels" };
    const endpointAgentLabels = [labelIds[0], foreign.body.id, "1"];
    const refused = await bench.call("POST", paths.dynamic, { body: { ...body, endpointAgentLabels } });
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused.body)).toEqual(["endpointAgentLabels[1]", "endpointAgentLabels[2]"]);

    const label = await bench.call("POST", paths.label, { body: minimal.label });
    const created = await bench.call("POST", paths.dynamic, { body: { ...body, endpointAgentLabels: [label.body.id] } });
    await bench.call("DELETE", `${paths.label}/${label.body.id}`);
    const got = await bench.call("GET", `${paths.dynamic}/${created.body.testId}`);
    expect(got.body.agentSelectorConfig.endpointAgentLabels).toEqual([label.body.id]);
  });

  test("the emulator accepts the documented example with agent labels", async () => {
    const body = adapted(example("assembled/tests.agentToServer.create.labels.request"));
    const created = await bench.call("POST", paths.agentToServer, { body });
    const { agentSelectorType, endpointAgentLabels, maxMachines } = body;
    expect(created.body.agentSelectorConfig).toEqual({ agentSelectorType, endpointAgentLabels, maxMachines });
  });
});

test('the emulator sets the mode of a filter to "in" by default', async () => {
  const filters = [{ key: "asn", values: ["64500"] }];
  const created = await bench.call("POST", paths.label, { body: { ...minimal.label, filters } });
  const labelPath = `${paths.label}/${created.body.id}`;
  const updated = await bench.call("PATCH", labelPath, { body: { filters: [...filters, ...minimal.label.filters] } });
  expect(created.body.filters).toEqual([{ ...filters[0], mode: "in" }]);
  expect(updated.body.filters).toEqual([{ ...filters[0], mode: "in" }, ...minimal.label.filters]);
});

test("the list of account groups has the documented structure", async () => {
  const listed = await bench.call("GET", "/v7/account-groups");
  expect(listed.status).toBe(200);
  expect(shapeDifferences(listed.body, example("assembled/accountGroups.list.response"))).toEqual([]);
  expect(listed.body.accountGroups.map(({ aid }: Json) => aid)).toEqual(["1001", "1002", "1003"]);
});

test("the response with a new token has the documented structure", async () => {
  const { client_id, client_secret, ...rest } = example("assembled/token.issue.request");
  expect([client_id, client_secret]).toEqual([expect.any(String), expect.any(String)]);
  const form = new URLSearchParams({ ...rest, client_id: "emulator", client_secret: "emulator-secret" });
  const issued = await bench.call("POST", "/v7/oauth2/token", { raw: form, token: null });
  expect(issued.status).toBe(200);
  expect(shapeDifferences(issued.body, example("assembled/token.issue.response"))).toEqual([]);
});
