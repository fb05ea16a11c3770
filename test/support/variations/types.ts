import { tolerated, type Variation, inRecords, type Json } from "./variation";

const stated = "the types are stated in the interface document; answers of tests were never recorded";
const optional = "response models require almost no member, so any may be absent";

/** Changes each value of an object, at each depth, except links. */
function mapped(value: Json, change: (value: Json, name: string) => Json, name = ""): Json {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, name));
  if (typeof value !== "object" || value === null) return change(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === "_links" ? member : mapped(member, change, key)]),
  );
}

function everywhere(change: (value: Json, name: string) => Json) {
  return inRecords((record) => void Object.assign(record, mapped(record, change)));
}

function without(...names: string[]) {
  return inRecords((record) => {
    for (const name of names) delete record[name];
  });
}

/** Declares members that are links, dates or descriptions, with unexpected types. */
function odd(name: string, member: string, value: Json, what: string): Variation {
  return tolerated(
    name,
    `answers with \`${member}\` as ${what}`,
    stated,
    inRecords((record) => {
      if (member !== "type" || "testId" in record) record[member] = value;
    }),
  );
}

/** Identifiers that are numbers in responses. Those of tags are UUIDs. */
const asNumber = (value: Json): Json => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value);

/** JSON types of members, and missing or additional members. */
export const types: readonly Variation[] = [
  odd("created-date-number", "createdDate", 1_790_000_000, "a number"),
  odd("modified-date-number", "modifiedDate", 1_790_000_000, "a number"),
  odd("modified-date-object", "modifiedDate", { seconds: 1_790_000_000 }, "an object"),
  odd("links-text", "_links", "/v7", "text"),
  odd("links-list", "_links", [], "a list"),
  odd("type-object", "type", { of: "test" }, "an object"),
  tolerated(
    "labels-of-tests-odd",
    "answers with the labels of a test as numbers",
    stated,
    inRecords((record) => {
      if ("labels" in record) record.labels = [1, 2];
    }),
  ),
  tolerated(
    "numbers-as-text",
    "answers with numbers as text",
    stated,
    everywhere((value) => (typeof value === "number" ? String(value) : value)),
  ),
  tolerated(
    "booleans-as-numbers",
    "answers with booleans as 0 and 1",
    stated,
    everywhere((value) => (typeof value === "boolean" ? Number(value) : value)),
  ),
  tolerated(
    "booleans-as-text",
    "answers with booleans as text",
    stated,
    everywhere((value) => (typeof value === "boolean" ? String(value) : value)),
  ),
  tolerated(
    "ids-as-numbers",
    "answers with ids as numbers",
    "ids are text in the interface, and were recorded as text",
    inRecords((record) => {
      for (const name of ["id", "testId"]) if (name in record) record[name] = asNumber(record[name]);
    }),
  ),
  tolerated(
    "ids-as-numbers-inside",
    "answers with ids inside a record as numbers",
    "ids are text in the interface, and were recorded as text",
    inRecords((record) => {
      const selection = record.agentSelectorConfig;
      for (const name of ["endpointAgentLabels", "agents", "tagIds"])
        if (selection?.[name]) selection[name] = selection[name].map(asNumber);
    }),
  ),
  tolerated(
    "aid-as-number",
    "answers with the account group as a number",
    "text for tests, a number for tags (recorded)",
    inRecords((record) => {
      if ("aid" in record) record.aid = asNumber(record.aid);
    }),
  ),
  tolerated(
    "null-for-absent",
    "answers with null in place of members that are absent",
    "recorded for the date of a tag",
    inRecords((record) => {
      for (const name of ["description", "modifiedDate", "serverName", "labels"]) record[name] ??= null;
    }),
  ),
  tolerated(
    "unknown-members",
    "answers with members that are not documented",
    "the models are open",
    inRecords((record) => {
      Object.assign(record, { teamId: 7, owner: { name: "somebody", tags: [null] }, "x-internal": true });
    }),
  ),
  tolerated("no-links", "answers without links", optional, without("_links")),
  tolerated("no-dates", "answers without dates", optional, without("createdDate", "modifiedDate", "createDate")),
  tolerated(
    "no-type",
    "answers without the type of a test",
    optional,
    inRecords((record) => {
      if ("testId" in record) delete record.type;
    }),
  ),
  tolerated("no-aid", "answers without the account group", optional, without("aid")),
  tolerated(
    "no-defaults",
    "answers without members that have their default",
    optional,
    inRecords((record) => {
      for (const [name, value] of Object.entries({
        interval: 60,
        protocol: "icmp",
        isPrioritized: false,
        tcpProbeMode: "auto",
      })) {
        if (record[name] === value) delete record[name];
      }
    }),
  ),
  tolerated("no-selection", "answers without the agents of a test", optional, without("agentSelectorConfig")),
  tolerated(
    "unknown-words",
    "answers with a type that is not documented",
    "enumerations of responses are open",
    inRecords((record) => {
      if ("testId" in record) record.type = "endpoint-next-generation";
    }),
  ),
];
