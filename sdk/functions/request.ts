import type { Operation } from "../../api";
import type { Api } from "./api";
import { follow } from "./links";

/** Facts about a call in addition to its arguments. */
export interface Known {
  /** Links of a record. A link may lead to the operation. */
  links?: readonly string[];
  /** Mistakes in the arguments, one line each. */
  problems?: readonly string[];
}

interface SentRequest<O extends Operation> extends Known {
  operation: O;
  /** Arguments with the names of the contract, and `accountGroupId`. */
  args: object;
  baseUrl: string;
  /** The account group in the settings. */
  accountGroupId: string | undefined;
}

/** A request in the client's format. */
interface Prepared<O extends Operation> {
  /** The operation, with the path of a link if there is one. */
  target: O;
  request: { path: Record<string, string>; query: Record<string, unknown>; body: Record<string, unknown> };
}

/**
 * Sorts arguments into path, query and body of an operation, by the names in its contract.
 *
 * @throws RequestError with all arguments that the operation does not accept. The client checks the members of the body
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
  // The record is in the link's account group, so the link takes precedence over the settings.
  const aid = accountGroupId ?? linked["aid"] ?? asked.accountGroupId;
  return {
    target,
    request: { ...request, query: { ...linked, ...request.query, ...("aid" in operation.query.shape && { aid }) } },
  };
}

/** Returns mistakes in the query. The contract describes the query as it is sent, with words in place of booleans. */
function queryProblems(api: Api, operation: Operation, query: Record<string, unknown>): string[] {
  const words = Object.entries(query).map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value]);
  const parsed = operation.query.safeParse(Object.fromEntries(words));
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".").replace(/\.(\d+)/g, "[$1]")}: ${message}`);
  const problem = api.timeRangeProblem(parsed.data);
  return problem ? [`${problem.field}: ${problem.message}`] : [];
}

/** Returns the names of the body's members. The schema may be wrapped in a default. */
function bodyNames({ body }: Operation): Set<string> {
  // This member shows that a schema wraps another schema. Every body of the contract is an object.
  const inner = body !== undefined && "unwrap" in body ? (body as { unwrap(): object }).unwrap() : (body ?? {});
  return new Set("shape" in inner ? Object.keys(inner.shape as object) : []);
}
