import {
  areaOf,
  tolerated,
  type Variation,
  type Effect,
  idOf,
  isManaged,
  type Json,
  onSuccess,
  problem,
  recordsOf,
  rejected,
} from "./variation";

const immediate = "9 of 9 reads right after a write of a label saw it, on an idle sandbox; load says nothing";
const lists = "a list of labels with filters was recorded without items; lists of tests were never recorded";
const updates = "that members which a PATCH leaves out stay is inferred for tests";

/** A write that reads do not show yet, and the previous record, or undefined if there was none. */
interface Write {
  at: number;
  before: Json;
}

/** Shows writes only after a time. @param shows verbs that lag */
function lagging(ms: number, shows: readonly string[], kinds: readonly string[] = ["create", "update", "delete"]): Effect {
  const latest = new Map<string, Json>();
  const writes = new Map<string, Write>();
  const isRecent = (write: Write | undefined): write is Write => write !== undefined && performance.now() - write.at < ms;
  const keyOf = (request: Parameters<typeof areaOf>[0], id: string): string => `${areaOf(request)}/${id}`;
  return {
    answer(request, response) {
      if (!isManaged(request)) return;
      const { verb } = request;
      if (response.status < 300 && ["create", "update", "delete"].includes(verb)) {
        const id = verb === "create" ? idOf(response.body) : decodeURIComponent(request.path.split("/").at(-1) ?? "");
        const key = keyOf(request, id);
        if (kinds.includes(verb)) writes.set(key, { at: performance.now(), before: latest.get(key) });
        if (verb === "delete") latest.delete(key);
        else latest.set(key, structuredClone(response.body));
        return;
      }
      if (verb === "get" && shows.includes("get")) {
        const write = writes.get(keyOf(request, decodeURIComponent(request.path.split("/").at(-1) ?? "")));
        if (!isRecent(write)) return;
        Object.assign(
          response,
          write.before === undefined ? problem(404, "404 Not Found") : { status: 200, body: structuredClone(write.before) },
        );
        if (response.status === 200) response.headers["content-type"] = "application/json";
      }
      if (verb === "list" && shows.includes("list")) {
        const records = recordsOf(request, response);
        const ids = new Set(records.map(idOf));
        const shown = records.flatMap((record) => {
          const write = writes.get(keyOf(request, idOf(record)));
          if (!isRecent(write)) return [record];
          return write.before === undefined ? [] : [structuredClone(write.before)];
        });
        for (const [key, write] of writes) {
          if (!isRecent(write) || write.before === undefined || !key.startsWith(`${areaOf(request)}/`)) continue;
          if (!ids.has(idOf(write.before))) shown.push(structuredClone(write.before));
        }
        replaceAll(records, shown);
      }
    },
  };
}

/** Replaces the records of a list. */
function replaceAll(records: Json[], others: readonly Json[]): void {
  records.length = 0;
  for (const record of others) records.push(record);
}

/** Changes the records of lists. */
const inLists = (change: (records: readonly Json[]) => Json[]): Effect =>
  onSuccess("list", (response, request) => {
    const records = recordsOf(request, response);
    replaceAll(records, change(records));
  });

/** Names and ids of records of any area. */
const summaryMembers = ["id", "testId", "name", "testName", "key", "value"];

function summary(record: Json): Json {
  return Object.fromEntries(summaryMembers.flatMap((name) => (name in record ? [[name, record[name]]] : [])));
}

/** Lagging reads, incomplete lists, and updates with another effect than requested. */
export const reads: readonly Variation[] = [
  {
    ...tolerated("lag", "shows writes after a time, in lists and in reads of one record", immediate, (ms) =>
      lagging(ms, ["list", "get"]),
    ),
    takesTime: true,
  },
  { ...tolerated("list-lag", "shows writes in lists after a time", immediate, (ms) => lagging(ms, ["list"])), takesTime: true },
  {
    ...tolerated("get-lag", "shows writes in reads of one record after a time", immediate, (ms) => lagging(ms, ["get"])),
    takesTime: true,
  },
  {
    ...tolerated("new-lag", "shows new records after a time", immediate, (ms) => lagging(ms, ["list", "get"], ["create"])),
    takesTime: true,
  },
  {
    ...tolerated("update-lag", "shows updates after a time", immediate, (ms) => lagging(ms, ["list", "get"], ["update"])),
    takesTime: true,
  },
  {
    ...tolerated("delete-lag", "shows deleted records for a time", immediate, (ms) => lagging(ms, ["list", "get"], ["delete"])),
    takesTime: true,
  },
  tolerated(
    "reversed-lists",
    "lists the newest record first",
    lists,
    inLists((records) => records.toReversed()),
  ),
  tolerated(
    "repeated-records",
    "lists every record twice",
    lists,
    inLists((records) => [...records, ...structuredClone(records)]),
  ),
  tolerated(
    "list-without-filters",
    "lists labels and tags without their filters",
    lists,
    inLists((records) => records.map(({ filters: _filters, ...record }) => record)),
  ),
  tolerated(
    "list-summaries",
    "lists records of all kinds with id and name alone",
    lists,
    inLists((records) => records.map(summary)),
  ),
  tolerated(
    "extra-records",
    "lists records of other kinds that programs cannot declare",
    lists,
    onSuccess("list", (response, { operation }) => {
      if (operation.id === "labels.list")
        response.body.labels.push({ id: "1", name: "All agents", builtIn: true, filters: [] });
    }),
  ),
  tolerated(
    "empty-next-links",
    "ends lists with empty links",
    "reported for agents",
    onSuccess("list", (response) => void (response.body._links = {})),
  ),
  rejected(
    "enabled-ignored",
    "ignores `isEnabled` in updates",
    updates,
    "isEnabled: sent false, but the service returned true",
    {
      request(request) {
        if (request.operation.method === "PATCH" && request.body) delete request.body.isEnabled;
      },
    },
  ),
];
