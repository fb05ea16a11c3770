import type { Operation } from "../../api";
import type { Api } from "./api";
import { follow } from "./links";

export interface CallContext {
  links?: readonly string[];
  /** Mistakes in the arguments, one line for each mistake. */
  problems?: readonly string[];
}

interface SentRequest<O extends Operation> extends CallContext {
  operation: O;
  /** `accountGroupId`, and the other arguments by their API names. */
  args: object;
  baseUrl: string;
  accountGroupId: string | undefined;
}

interface Prepared<O extends Operation> {
  /** The operation. If a record contains a link to the operation, `path` is the link's path. */
  target: O;
  request: { path: Record<string, string>; query: Record<string, unknown>; body: Record<string, unknown> };
}

/**
 * Distributes arguments by name to the path, query and body of an operation.
 *
 * @throws RequestError with all invalid arguments, except members of the request body, which the client checks
 */
export function requestOf<O extends Operation>(api: Api, asked: SentRequest<O>): Prepared<O> {
  const { operation, args } = asked;
  const { target, query: linked } = follow(operation, asked.links ?? [], asked.baseUrl);
  const request: Prepared<O>["request"] = { path: {}, query: {}, body: {} };
  const problems = [...(asked.problems ?? [])];
  const inBody = bodyNames(operation);
  const { accountGroupId, ...named } = args as { accountGroupId?: string | null };
  for (const [name, value] of Object.entries<unknown>(named)) {
    if (value === undefined || value === null) continue;
    if (operation.path.includes(`{${name}}`)) {
      if (typeof value === "string" || typeof value === "number") request.path[name] = String(value);
      else problems.push(`${name}: must be a string`);
    } else if (inBody.has(name)) request.body[name] = value;
    else if (name in operation.query.shape) request.query[name] = value;
    else problems.push(`${name}: unknown argument`);
  }
  for (const problem of queryProblems(api, operation, request.query)) problems.push(problem);
  if (problems.length > 0) throw new api.RequestError(operation, problems);
  // The account group in a record's link takes precedence over the settings, because the record belongs to the linked account
  // group.
  const aid = accountGroupId ?? linked["aid"] ?? asked.accountGroupId;
  return {
    target,
    request: { ...request, query: { ...linked, ...request.query, ...("aid" in operation.query.shape && { aid }) } },
  };
}

/** Converts booleans to strings before the check, because the schema defines all query parameters as strings. */
function queryProblems(api: Api, operation: Operation, query: Record<string, unknown>): string[] {
  const words = Object.entries(query).map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value]);
  const parsed = operation.query.safeParse(Object.fromEntries(words));
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".").replace(/\.(\d+)/g, "[$1]")}: ${message}`);
  const problem = api.timeRangeProblem(parsed.data);
  return problem ? [`${problem.field}: ${problem.message}`] : [];
}

function bodyNames({ body }: Operation): Set<string> {
  // The zod schema of an optional body wraps the schema of the object.
  const inner = body !== undefined && "unwrap" in body ? (body as { unwrap(): object }).unwrap() : (body ?? {});
  return new Set("shape" in inner ? Object.keys(inner.shape as object) : []);
}
