import { type LabelRecord, operations } from "../../api/schemas";
import { type HandlerCall, handle } from "../handler";
import { labels, type StoredLabel } from "../model/labels";
import { type FieldError, Problem, type ProblemStyle } from "../problem";
import { pageOf } from "../pages";
import type { StoreRow } from "../store";

/** Color of every label that was created without a color (docs/service/labels.md, Recorded calls). */
const defaultColor = "#d9d9d9";
const path = operations.labels.list.path;

/** Recorded errors contain `title`, `status` and `detail`, but not `type`, `instance` or `errors`. */
const style: ProblemStyle = {
  invalid: (where, errors) => new Problem(400, where === "query" ? queryDetail(errors) : bodyDetail(errors)),
  body: ({ status, title, detail }) => ({ detail, status, title: status === 400 ? "Request validation failed" : title }),
};

function queryDetail([first]: readonly FieldError[]): string {
  return `Wrong type for path parameter ${first?.field.split("[")[0]}`;
}

function bodyDetail(errors: readonly FieldError[]): string {
  if (errors.some(({ code }) => code === "missing")) return "Required request body is missing mandatory field";
  const matchType = errors.find(({ field }) => field === "matchType");
  if (matchType) return `Unexpected 'match type' value found '${String(matchType.value)}', valid values are: and,or`;
  return "There are invalid or missing fields";
}

export const labelRoutes = [
  handle(
    operations.labels.list,
    (call) => {
      const { rows, next } = pageOf(call, labels);
      const withFilters = call.query.expand?.includes("filters") ?? false;
      return {
        body: {
          labels: rows.map((row) => record(row, call.link(`${path}/${row.id}`), withFilters)),
          _links: { self: { href: call.self }, ...(next !== undefined && { next: { href: next } }) },
        },
      };
    },
    { style },
  ),
  handle(
    operations.labels.create,
    ({ body, aid, service, link }) => {
      const { name, color = defaultColor, matchType, filters } = body;
      const row = service.store.insert(labels, aid, () => ({ name, color, matchType, filters: filled(filters) }));
      const self = link(`${path}/${row.id}`);
      return { body: record(row, self, true), headers: { location: self } };
    },
    { style },
  ),
  handle(
    operations.labels.get,
    (call) => ({ body: record(existing(call), call.self, call.query.expand?.includes("filters") ?? false) }),
    { style },
  ),
  handle(
    operations.labels.update,
    (call) => {
      const row = existing(call);
      const { id: _ignored, filters, ...rest } = call.body;
      const body = { ...row.body, ...rest, ...(filters && { filters: filled(filters) }) };
      call.service.store.replace(labels, row.id, body);
      return { body: record({ ...row, body }, call.self, true) };
    },
    { style },
  ),
  handle(
    operations.labels.delete,
    (call) => {
      if (!call.service.store.delete(labels, call.path.id, call.aid)) throw notFound(call);
      return { body: undefined };
    },
    { style },
  ),
];

/**
 * Recorded responses to get requests contain filters only if the request asks for them. Recorded responses to create and update requests
 * always contain filters.
 */
function record({ id, body }: StoreRow<StoredLabel>, self: string, withFilters: boolean): LabelRecord {
  const { filters, ...rest } = body;
  return { id, ...rest, ...(withFilters && { filters }), _links: { self: { href: self } } };
}

function filled(filters: StoredLabel["filters"]): StoredLabel["filters"] {
  return filters.map(({ key, mode = "in", values }) => ({ key, mode, values }));
}

type LabelCall = Pick<HandlerCall<typeof operations.labels.get>, "path" | "aid" | "service">;

function existing(call: LabelCall): StoreRow<StoredLabel> {
  const row = call.service.store.get(labels, call.path.id, call.aid);
  if (!row) throw notFound(call);
  return row;
}

function notFound({ aid, path: { id } }: LabelCall): Problem {
  return new Problem(404, `Label in account: ${aid} and id: ${id} was not found.`);
}
