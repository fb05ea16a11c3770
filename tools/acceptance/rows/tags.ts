import { type Ask, paths } from "../ask";
import { type Row } from "../row";
import { type Body, missing } from "../session";

const known = "Not recorded";
const notShown = "no operation shows the agents of a tag";
const pathOf = ({ id }: Body): string => `${paths.tag}/${id}`;
/** Returns the members of a tag that an update accepts. */
const writable = ({ key, value, objectType, type, accessType, color, icon, description, matchType, filters }: Body): Body => {
  const own = { key, value, objectType, type, accessType, color, icon, filters };
  return { ...own, matchType: String(matchType).toLowerCase(), description: description ?? undefined };
};
const assignedTo = async (ask: Ask, tag: Body): Promise<number> => {
  const { body } = await ask.get(pathOf(tag), { expand: "assignments" });
  return body.assignments?.length ?? 0;
};

/** Assumptions about operations on tags that were never observed. */
export const tagsRows: readonly Row[] = [
  {
    id: "duplicate-tag",
    topic: "Creating a tag with the key and value of another tag",
    emulator:
      "The emulator returns status 409 for every object type, with the text of a recorded response to an update request",
    known: "Status 409 is documented for create requests and recorded for update requests. It is unknown which tags conflict",
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
    topic: "PUT request for an endpoint-agent tag",
    emulator: "The PUT request changes value, color, description, match type and filters. `id` and `legacyId` do not change",
    known: "No PUT request for an endpoint-agent tag is recorded",
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
    topic: "PUT request for a tag without color and description",
    emulator: "The PUT request resets the color and the description to their defaults",
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
    topic: "Tag filter without `scope` and `mode`",
    emulator: "Stored as `default` and `in`",
    known: "The documented default of `scope` is `default`",
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
    topic: "Keys of tag filters",
    emulator:
      "The emulator stores `machineId` as `agent-id`. With the scope `default`, a request with an unknown key returns status 400. With the scope `custom`, every key is valid",
    known: "The service showed the same behavior, but the responses were not recorded",
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
    topic: "Filters in a list of tags",
    emulator: "Lists contain the match type and filters of dynamic tags, like the response to a GET request for a single tag",
    known: "Only responses to create and GET requests are recorded",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body: tag } = await ask.tag();
      const { body } = await ask.get(paths.tag);
      const listed = body.tags.find(({ id }: Body) => id === tag.id);
      return { isListed: listed !== undefined, hasFilters: listed?.filters !== undefined };
    },
    answers: { isListed: true, hasFilters: true },
  },
  {
    id: "deleting-a-tag-in-use",
    topic: "Deleting a tag that tests use, and deleting the tag again",
    emulator: "The deletion succeeds, and the tests keep the tag's id. A second deletion returns status 404",
    known: "Not documented",
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
    topic: "Label with a tag's `legacyId` as its id",
    emulator: "The emulator has no label with a tag's `legacyId` as its id, because a tag is not a label",
    known: "Each recorded `legacyId` is in the number range of label ids. No recorded label operation uses a `legacyId`",
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
    topic: "Creating several tags at once",
    emulator:
      "207. If the emulator refuses a tag, it still creates all other tags. The member `errors` contains the key of the refused tag",
    known: "The documentation describes the request, but not the members of an error",
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
    topic: "Assignment of static tags",
    emulator:
      "The emulator assigns a tag to objects of the tag's type, without checking the ids of the objects. A request with dynamic tags or objects of another type returns status 400. A second assignment changes nothing",
    known: "The documentation describes the request, but not which assignments the service refuses",
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
    topic: "Changing or deleting a built-in tag",
    emulator: "403. Every list of tags contains two built-in tags",
    known: "Not recorded. The recorded account also has built-in tags that the emulator lacks",
    file: "emulator/routes/tags.ts",
    reason: "if the service allowed it, the check would change a tag that it did not create",
  },
  {
    id: "personal-data-permissions",
    topic: "Endpoint-agent tags without the permissions to view personal data",
    emulator:
      "Requests to create or update endpoint-agent tags, including bulk requests, return status 403. The user of `emulator-editor-token` does not have the permissions to view personal data",
    known: "Status 403 is documented, but the names of the permissions and the error text are not",
    file: "emulator/routes/tag-problems.ts",
    reason: "it requires the token of a user who may edit tags but not view personal data",
  },
  {
    id: "agents-of-a-tag",
    topic: "Agents that a tag matches",
    emulator:
      "The emulator uses the same matching rules for tags as for labels. Filters by location, proxy-target, vpn-target and metadata never match an agent",
    known: "Not documented",
    file: "api/tag-match.ts",
    reason: notShown,
  },
  {
    id: "several-tags-of-a-test",
    topic: "Test with several tags",
    emulator: "A test selects every agent that has at least one of the tags",
    known: "Not documented",
    file: "api/agent-selection.ts",
    reason: notShown,
  },
];
