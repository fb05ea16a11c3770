import { operations, type StreamRecord } from "../../api/schemas";
import { type HandlerCall, handle } from "../handler";
import { type StoredStream, streams } from "../model/alerts";
import { Problem, type ProblemStyle } from "../problem";
import type { StoreRow } from "../store";

const calls = operations.streams;
const path = calls.list.path;
/** Documented maximum number of streams. The service refuses to create more streams, with status 412. */
const maxStreams = 10;

/** The format of errors in the service's documentation, because no error was recorded. */
const style: ProblemStyle = {
  mediaType: "application/json",
  invalid: (_where, errors) => new Problem(400, errors.map(({ field, message }) => `${field} ${message}`).join("\n")),
  body: ({ status, detail, title }, at) => ({
    timestamp: Date.now(),
    httpStatus: String(status),
    errors: (detail || title).split("\n"),
    path: at,
  }),
};

export const streamRoutes = [
  handle(
    calls.list,
    (call) => {
      const { type } = call.query;
      const rows = call.service.store.list(streams, call.aid).filter(({ body }) => type === undefined || body.type === type);
      return { body: rows.map((row) => record(call, row)) };
    },
    { style },
  ),
  handle(
    calls.create,
    (call) => {
      const { aid, body, service } = call;
      if (service.store.list(streams, aid).length >= maxStreams) {
        throw new Problem(412, `The account group has ${maxStreams} streams, and may have no more`);
      }
      const now = service.settings.now();
      return {
        body: record(
          call,
          service.store.insert(streams, aid, () => ({ enabled: true, ...body, createdDate: now })),
        ),
      };
    },
    { style },
  ),
  handle(calls.get, (call) => ({ body: record(call, existing(call)) }), { style }),
  handle(
    calls.update,
    (call) => {
      const row = existing(call);
      // Ignores members that an update cannot change. Omitted members keep their values, as the documentation describes for the name.
      const { type: _type, signal: _signal, endpointType: _endpoint, dataModelVersion: _version, ...changes } = call.body;
      const body = { ...row.body, ...changes, updatedDate: call.service.settings.now() };
      call.service.store.replace(streams, row.id, body);
      return { body: record(call, { ...row, body }) };
    },
    { style },
  ),
  handle(
    calls.delete,
    (call) => {
      call.service.store.delete(streams, existing(call).id, call.aid);
      return { body: undefined };
    },
    { style },
  ),
];

function existing({
  aid,
  service,
  path: { id },
}: Pick<HandlerCall<typeof calls.get>, "aid" | "service" | "path">): StoreRow<StoredStream> {
  const row = service.store.get(streams, id, aid);
  if (!row) throw new Problem(404, "The stream does not exist");
  return row;
}

function record({ link }: Pick<HandlerCall, "link">, { id, body }: StoreRow<StoredStream>): StreamRecord {
  const { createdDate, updatedDate, ...rest } = body;
  const auditOperation = { createdBy: 1, createdDate, ...(updatedDate !== undefined && { updatedBy: 1, updatedDate }) };
  return {
    ...rest,
    id,
    auditOperation,
    streamStatus: { status: "pending" },
    _links: { self: { href: link(`${path}/${id}`) } },
  };
}
