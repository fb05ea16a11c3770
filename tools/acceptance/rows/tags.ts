import { type Ask, paths } from "../ask";
import { type Row } from "../row";
import { type Body, missing } from "../session";

const known = "not recorded";
const shownByNone = "which agents a tag is on is shown by no operation";
const pathOf = ({ id }: Body): string => `${paths.tag}/${id}`;
/** Returns the members of a record that an update accepts. */
const writable = ({ key, value, objectType, type, accessType, color, icon, description, matchType, filters }: Body): Body => {
  const own = { key, value, objectType, type, accessType, color, icon, filters };
  return { ...own, matchType: String(matchType).toLowerCase(), description: description ?? undefined };
};
const assignedTo = async (ask: Ask, tag: Body): Promise<number> => {
  const { body } = await ask.get(pathOf(tag), { expand: "assignments" });
  return body.assignments?.length ?? 0;
};

/** Tags: what was never recorded of their operations. */
export const tagsRows: readonly Row[] = [
  {
    id: "duplicate-tag",
    topic: "a create with key and value in use",
    emulator: "409 with the text recorded of an update, whatever the type of object of the two",
    known: "409 is stated for a create, recorded for an update; over which tags is not known",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body } = await ask.tag();
      const same = await ask.tag({ key: body.key });
      const ofTests = await ask.staticTag({ key: body.key });
      return { sameType: same.status, otherType: ofTests.status };
    },
    answers: { sameType: 409, otherType: 409 },
  },
  {
    id: "update-of-an-endpoint-agent-tag",
    topic: "PUT of an endpoint-agent tag",
    emulator: "changes value, color, description, match type and filters in place; id and legacyId stay",
    known: "no such PUT is recorded",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body: tag } = await ask.tag();
      const filters = [{ key: "asn", mode: "not-in", scope: "default", values: ["1"] }];
      const changed = { value: "no", color: "#A1B2C3", description: "changed", matchType: "and", filters };
      const { status, body } = await ask.put(pathOf(tag), { ...writable(tag), ...changed });
      const { value, color, description, matchType } = body;
      return { status, value, color, description, matchType, filters: body.filters, isSame: body.legacyId === tag.legacyId };
    },
    answers: {
      status: 200,
      value: "no",
      color: "#A1B2C3",
      description: "changed",
      matchType: "and",
      filters: [{ key: "asn", mode: "not-in", scope: "default", values: ["1"] }],
      isSame: true,
    },
  },
  {
    id: "update-that-leaves-out",
    topic: "PUT of a tag that leaves out color and description",
    emulator: "they go back to their defaults",
    known,
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body: tag } = await ask.tag({ color: "#A1B2C3", description: "given" });
      const { color: _color, description: _description, ...rest } = writable(tag);
      const { status, body } = await ask.put(pathOf(tag), rest);
      return { status, color: body.color, description: body.description ?? null };
    },
    answers: { status: 200, color: "#A7EB10", description: null },
  },
  {
    id: "tag-filter-defaults",
    topic: "tag filter without `scope` and `mode`",
    emulator: "stored as `default` and `in`",
    known: "`default` is stated for scope",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { status, body } = await ask.tag({ filters: [{ key: "hostname", values: [missing.uuid] }] });
      const [filter] = body.filters ?? [];
      return { status, scope: filter?.scope, mode: filter?.mode };
    },
    answers: { status: 201, scope: "default", mode: "in" },
  },
  {
    id: "tag-filter-keys",
    topic: "keys of tag filters",
    emulator:
      "`machineId` is stored as `agent-id`; an unlisted key of scope `default` is a 400; one of scope `custom` is taken",
    known: "observed, answers not kept",
    file: "emulator/model/tags.ts",
    probe: async (ask) => {
      const filter = (key: string, scope: string): object => ({
        filters: [{ key, scope, mode: "in", values: [missing.uuid] }],
      });
      const internal = await ask.tag(filter("machineId", "default"));
      const unlisted = await ask.tag(filter("nonsense", "default"));
      const custom = await ask.tag(filter("nonsense", "custom"));
      return { internal: internal.body.filters?.[0]?.key, unlisted: unlisted.status, custom: custom.status };
    },
    answers: { internal: "agent-id", unlisted: 400, custom: 201 },
  },
  {
    id: "filters-in-a-list-of-tags",
    topic: "filters in a list of tags",
    emulator: "a list has match type and filters of dynamic tags, as a get has",
    known: "recorded for create and get only",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body: tag } = await ask.tag();
      const { body } = await ask.get(paths.tag);
      const found = body.tags.find(({ id }: Body) => id === tag.id);
      return { isListed: found !== undefined, hasFilters: found?.filters !== undefined };
    },
    answers: { isListed: true, hasFilters: true },
  },
  {
    id: "deleting-a-tag-in-use",
    topic: "deleting a tag that tests use, and twice",
    emulator: "allowed; the tests keep the id; the second time a 404",
    known: "not stated",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body: tag } = await ask.tag();
      const byTag = { agentSelectorType: "agent-tags", tagIds: [tag.id], endpointAgentLabels: undefined };
      const { body: test } = await ask.test("agentToServer", byTag);
      ask.need(test.agentSelectorConfig, "answers about tests have no selection");
      const { status } = await ask.delete(pathOf(tag));
      const gone = await ask.get(pathOf(tag));
      const { body } = await ask.get(`${paths.agentToServer}/${test.testId}`);
      return { status, gone: gone.status, isKept: body.agentSelectorConfig?.tagIds?.includes(tag.id) ?? false };
    },
    answers: { status: 204, gone: 404, isKept: true },
  },
  {
    id: "tag-as-a-label",
    topic: "a label with the `legacyId` of a tag",
    emulator: "does not exist: a tag is no label",
    known: "`legacyId` is a number of the series of label ids (recorded); the label operations were never asked for one",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const { body: tag } = await ask.tag();
      const { status } = await ask.get(`${paths.label}/${tag.legacyId}`);
      return { number: typeof tag.legacyId, label: status };
    },
    answers: { number: "number", label: 404 },
  },
  {
    id: "tags-in-bulk",
    topic: "create of several tags",
    emulator: "207; one that is refused does not keep the others from being created, and is in `errors` under its key",
    known: "stated, and not which members an error has",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const [first, refused] = [ask.tagBody(), ask.tagBody({ value: undefined })];
      const { status, body } = await ask.post(`${paths.tag}/bulk`, { tags: [first, refused] });
      return { status, created: body.tags?.length, codes: (body.errors ?? []).map(({ responseCode }: Body) => responseCode) };
    },
    answers: { status: 207, created: 1, codes: [400] },
  },
  {
    id: "assignments-of-tags",
    topic: "assigning static tags",
    emulator:
      "to objects of the tag's type, whose ids are not checked; another type, and a dynamic tag, are a 400; to assign twice is to assign once",
    known: "stated, and not what is refused",
    file: "emulator/routes/tag-assignments.ts",
    probe: async (ask) => {
      const { testId } = await ask.plain("agentToServer");
      const { body: tag } = await ask.staticTag();
      const { body: dynamic } = await ask.tag();
      const to = (type: string): object => ({ assignments: [{ id: testId, type }] });
      const first = await ask.post(`${pathOf(tag)}/assign`, to("endpoint-test"));
      await ask.post(`${paths.tag}/assign`, { tags: [{ tagId: tag.id, ...to("endpoint-test") }] });
      const assigned = await assignedTo(ask, tag);
      const otherType = await ask.post(`${pathOf(tag)}/assign`, to("dashboard"));
      const toDynamic = await ask.post(`${pathOf(dynamic)}/assign`, to("endpoint-test"));
      await ask.post(`${paths.tag}/unassign`, { tags: [{ tagId: tag.id, ...to("endpoint-test") }] });
      const taken = await ask.post(`${pathOf(tag)}/unassign`, to("endpoint-test"));
      const left = await assignedTo(ask, tag);
      const statuses = { first: first.status, otherType: otherType.status, toDynamic: toDynamic.status, taken: taken.status };
      return { ...statuses, assigned, left };
    },
    answers: { first: 207, otherType: 400, toDynamic: 400, taken: 204, assigned: 1, left: 0 },
  },
  {
    id: "changes-of-built-in-tags",
    topic: "changing or deleting a built-in tag",
    emulator: "403; two built-in tags are in every list",
    known: "not recorded; two of those that the recorded account had were kept",
    file: "emulator/routes/tags.ts",
    reason: "were it allowed, it would change a tag that the run did not make",
  },
  {
    id: "personal-data-permissions",
    topic: "endpoint-agent tags without the permissions to view personal data",
    emulator: "403 for create and update, in bulk of the item; the token `emulator-editor-token` is of a user without them",
    known: "stated; their names and the text are not",
    file: "emulator/routes/tag-problems.ts",
    reason: "it takes a token of a user who may edit tags and not view personal data",
  },
  {
    id: "agents-of-a-tag",
    topic: "which agents a tag matches",
    emulator:
      "as labels do, for attributes that records of agents have; filters by location, proxy-target, vpn-target and metadata match nobody, in either mode",
    known: "not stated; that labels' rules hold is likely",
    file: "api/tag-match.ts",
    reason: shownByNone,
  },
  {
    id: "several-tags-of-a-test",
    topic: "several tags of a test",
    emulator: "one is enough",
    known: "not stated",
    file: "api/agent-selection.ts",
    reason: shownByNone,
  },
];
