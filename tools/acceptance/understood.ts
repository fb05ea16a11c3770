import { readable } from "../../api/parse";
import type { Operation } from "../../api/schemas";
import { parseTolerantly } from "../../api/tolerance";
import { isObject } from "./compare";
import { CannotAsk } from "./row";
import { type Answer, type OutgoingRequest, type Body, operationOf, type Session } from "./session";

/** Matches operations that answer with a record that the run created. */
const managed = /^(labels|tags|tests\.(agentToServer|httpServer|dynamic))\.(create|get|list|update|delete)$/;

/**
 * Returns a response as the client parses it. A difference between the response and its schema is reported for the operation
 * instead of the check.
 *
 * @throws CannotAsk if the service refuses updates
 */
export async function understood(session: Session, row: string, asked: OutgoingRequest, answer: Answer): Promise<Answer> {
  const operation = operationOf(asked);
  if (operation === undefined || !managed.test(operation.id)) return answer;
  const { status } = answer;
  if (operation.id.endsWith(".update") && (status === 405 || status === 501)) {
    session.shapes.wrong(operation, `status ${status}, not ${operation.status}`);
    throw new CannotAsk(`the service refuses ${operation.method} (${operation.id})`);
  }
  // 410 means a record that does not exist, like 404.
  if (status === 410) return { ...answer, status: 404 };
  if (status < 200 || status > 299) return answer;
  if (!operation.response) return { ...answer, status: operation.status };
  const body = await recordOf(session, row, asked, operation, answer);
  return { ...answer, status: operation.status, body: inContract(operation, body) };
}

/**
 * Returns the record that a write created or changed. If the response does not contain the record, this function reads the
 * record.
 */
async function recordOf(
  session: Session,
  row: string,
  asked: OutgoingRequest,
  operation: Operation,
  answer: Answer,
): Promise<Body> {
  const { method, path, query } = asked;
  const { body } = answer;
  const sent = isObject(asked.body) ? Object.keys(asked.body) : [];
  if (method === "GET" || sent.length === 0) return body;
  if (isObject(body) && idOf(body) !== undefined && sent.some((name) => name in body)) return body;
  session.shapes.wrong(operation, "no record in the response");
  const id = method === "POST" ? await idOfCreated(session, row, asked, answer) : undefined;
  const at = method === "POST" ? `${path}/${id}` : path;
  if (method === "POST" && id !== undefined) session.own.add(at);
  const read = await session.send(row, {
    method: "GET",
    path: at,
    query: { ...query, ...(path.includes("/labels") && { expand: "filters" }) },
  });
  return read.status === 200 ? read.body : body;
}

async function idOfCreated(
  session: Session,
  row: string,
  { path, query, body }: OutgoingRequest,
  answer: Answer,
): Promise<string | undefined> {
  const named = idOf(answer.body) ?? answer.headers["location"]?.split("?")[0]?.split("/").at(-1);
  if (named !== undefined) return named;
  const nameOf = (record: Body): unknown => record.testName ?? record.name ?? record.key;
  const listed = await session.send(row, { method: "GET", path, query: { ...query, max: "1000" } });
  const records: Body[] = listed.body?.labels ?? listed.body?.tests ?? listed.body?.tags ?? [];
  return idOf(records.findLast((record) => nameOf(record) === nameOf(body)));
}

function idOf(record: Body): string | undefined {
  const id = record?.id ?? record?.testId;
  return id === undefined ? undefined : String(id);
}

/** Converts members with another JSON type and drops unreadable members, as the client does. */
function inContract(operation: Operation, body: Body): Body {
  if (!operation.response) return body;
  const parsed = parseTolerantly(operation, operation.response, readable(structuredClone(body)));
  return "data" in parsed ? parsed.data : body;
}
