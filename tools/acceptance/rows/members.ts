import { type Ask, paths, type TestKind } from "../ask";
import type { Json, Row } from "../row";
import type { Answer, Body } from "../session";
import { eachPlain } from "./parts";

/** Returns the names of a record's members in the order of the response. Members with a null value are marked. */
function membersOf(record: Body): string[] {
  if (typeof record !== "object" || record === null) return [];
  return Object.entries(record)
    .map(([name, value]) => (value === null ? `${name}: null` : name))
    .toSorted();
}

interface Area {
  readonly path: string;
  readonly query?: Record<string, string>;
  readonly create: (ask: Ask) => Promise<Answer>;
  readonly update: (ask: Ask, path: string, made: Body) => Promise<Answer>;
}

async function membersIn(ask: Ask, { path, query, create, update }: Area): Promise<Record<string, Json>> {
  const idOf = (record: Body): string => String(record?.id ?? record?.testId);
  const made = await create(ask);
  const recordPath = `${path}/${idOf(made.body)}`;
  const got = await ask.get(recordPath, query);
  const { received } = await ask.get(path, { max: "1000", ...query });
  const listed: Body[] = received?.labels ?? received?.tests ?? received?.tags ?? [];
  const found = listed.find((record) => idOf(record) === idOf(made.body));
  const answers = { create: made.received, get: got.received, list: found };
  const updated = await update(ask, recordPath, made.body).then(({ received: body }) => body);
  return Object.fromEntries(Object.entries({ ...answers, update: updated }).map(([name, body]) => [name, membersOf(body)]));
}

const everywhere = (members: readonly string[]): Json => ({ create: members, get: members, list: members, update: members });

const label = ["_links", "color", "filters", "id", "matchType", "name"];

const test = [
  "_links",
  "agentSelectorConfig",
  "aid",
  "createdDate",
  "hasPathTraceInSession",
  "interval",
  "ipVersion",
  "isEnabled",
  "isPrioritized",
  "labels",
  "modifiedDate",
  "networkMeasurements",
  "protocol",
  "tcpProbeMode",
  "testId",
  "testName",
];

const tag = [
  "accessType",
  "aid",
  "builtIn",
  "color",
  "createDate",
  "description: null",
  "filters",
  "icon",
  "id",
  "key",
  "legacyId",
  "matchType",
  "modifiedDate: null",
  "objectType",
  "type",
  "value",
];

const testArea = (kind: TestKind): Area => ({
  path: paths[kind],
  create: (ask) => ask.test(kind),
  update: (ask, path) => ask.patch(path, { testName: ask.name(), ...(kind === "agentToServer" && { port: 443 }) }),
});

function testRow(kind: TestKind, id: string, noun: string, file: string, members: readonly string[]): Row {
  return {
    id,
    topic: `Members of ${noun} in responses`,
    emulator: "All responses contain the same members as the documentation's samples",
    known: "The documentation marks almost no members as required",
    file,
    probe: (ask) => membersIn(ask, testArea(kind)),
    answers: everywhere([...test, ...members].toSorted()),
  };
}

export const memberRows: readonly Row[] = [
  {
    id: "members-of-labels",
    topic: "Members of labels in responses",
    emulator: "All responses contain all members of a label, except that `filters` requires `expand`",
    known: "Recorded. The recorded lists contain no labels",
    file: "emulator/routes/labels.ts",
    probe: (ask) =>
      membersIn(ask, {
        path: paths.label,
        query: { expand: "filters" },
        create: () => ask.label(),
        update: (_, path) => ask.patch(path, { name: ask.name() }),
      }),
    answers: everywhere(label),
  },
  {
    id: "members-of-tags",
    topic: "Members of endpoint-agent tags in responses",
    emulator: "All responses contain all members of a tag",
    known: "Only responses to create and GET requests are recorded",
    file: "emulator/routes/tags.ts",
    probe: (ask) =>
      membersIn(ask, {
        path: paths.tag,
        create: () => ask.tag(),
        update: (_, path, made) => ask.put(path, { ...ask.tagBody(), key: made.key }),
      }),
    answers: {
      create: ["_links", ...tag],
      get: ["_links", ...tag],
      list: tag,
      update: ["_links", ...tag.map((name) => (name === "modifiedDate: null" ? "modifiedDate" : name))],
    },
  },
  testRow(
    "agentToServer",
    "members-of-agent-to-server-tests",
    "agent-to-server tests",
    "emulator/routes/agent-to-server-tests.ts",
    ["isSavedEvent", "port", "server", "type"],
  ),
  testRow("httpServer", "members-of-http-server-tests", "HTTP server tests", "emulator/routes/http-server-tests.ts", [
    "authType",
    "followRedirects",
    "httpTargetTime",
    "httpTimeLimit",
    "httpVersion",
    "isSavedEvent",
    "port",
    "server",
    "sslVersion",
    "sslVersionId",
    "type",
    "url",
    "useNtlm",
    "verifyCertificate",
  ]),
  testRow("dynamic", "members-of-dynamic-tests", "dynamic tests", "emulator/routes/dynamic-tests.ts", [
    "application",
    "hasPing",
    "hasTraceroute",
  ]),
  {
    id: "type-of-a-test",
    topic: "`type` of a test",
    emulator: "As in the samples",
    known: "The documented lists of test types may be incomplete",
    file: "emulator/model/test-record.ts",
    probe: (ask) => eachPlain(ask, ({ type }) => type),
    answers: { agentToServer: "agent-to-server", httpServer: "http-server" },
  },
];
