import { z } from "zod";
import { allOperations, type Operation } from "./schemas";

type Issue = z.core.$ZodIssue;
type IssuePath = readonly PropertyKey[];

/**
 * Maximum number of times that the client repairs and parses a response again. Each repair may reveal further unreadable
 * members.
 */
const maxRounds = 5;

/** A repaired response with the names of removed members, or the first issue that cannot be repaired. */
export type Mended = { data: unknown; dropped: string[] } | { issue: Issue };

/**
 * Parses a body and repairs unreadable members. A value of the wrong JSON type is converted if no information is lost.
 * Identifiers, links to pages, and members that a resource manages must be readable. Any other unreadable member is removed
 * from the body.
 */
export function parseTolerantly(operation: Operation, schema: z.ZodType, body: unknown): Mended {
  const dropped = new Set<string>();
  let parsed = schema.safeParse(body);
  for (let round = 0; !parsed.success; round += 1) {
    const strict = parsed.error.issues.find((issue) => !mend(operation, schema, body, issue, dropped));
    const [first] = parsed.error.issues;
    if (first && (strict || round === maxRounds)) return { issue: strict ?? first };
    parsed = schema.safeParse(body);
  }
  return { data: parsed.data, dropped: [...dropped] };
}

/** Converts or removes the member that an issue names. @returns whether the member was converted or removed */
function mend(operation: Operation, schema: z.ZodType, body: unknown, issue: Issue, dropped: Set<string>): boolean {
  const { path } = issue;
  const isOwned = owns(operation, path) || marksOwned(schema, path);
  const value = valueAt(body, path);
  const converted = issue.code === "invalid_type" ? convert(issue.expected, value, isOwned || isIdentifier(path)) : undefined;
  if (converted !== undefined) return put(body, path, converted);
  const member = isOwned ? undefined : optionalMember(schema, path);
  if (!member) return false;
  dropped.add(memberText(member));
  put(body, member, undefined);
  return true;
}

/** Members that requests can set, by area of the API. Requests and responses of the same area use the same member names. */
let settable: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function settableMembers(): ReadonlyMap<string, ReadonlySet<string>> {
  const byArea = new Map<string, Set<string>>();
  for (const { id, body } of allOperations()) {
    if (!/\.(create|update)$/.test(id) || !(body instanceof z.ZodObject)) continue;
    const names = byArea.get(areaOf(id)) ?? new Set();
    for (const name of Object.keys(body.shape)) names.add(name);
    byArea.set(areaOf(id), names);
  }
  return byArea;
}

function areaOf(id: string): string {
  return id.slice(0, id.lastIndexOf("."));
}

/** Whether a request can set a member of a record. */
function owns({ id }: Operation, path: IssuePath): boolean {
  settable ??= settableMembers();
  const names = settable.get(areaOf(id));
  const member = typeof path[1] === "number" ? path[2] : path[0];
  return [path[0], member].some((name) => names?.has(String(name)));
}

/** Whether the schema of a member, or of an object that contains the member, has the metadata `owned`. */
function marksOwned(schema: z.ZodType, path: IssuePath): boolean {
  return steps(schema, path).some(({ at }) => at.meta()?.["owned"] === true);
}

/**
 * Returns the path of the innermost optional member that contains an issue; undefined if all members on the path are required.
 */
function optionalMember(schema: z.ZodType, path: IssuePath): IssuePath | undefined {
  const all = steps(schema, path);
  const last = all.findLastIndex(({ key, at }) => typeof key === "string" && at.safeParse(undefined).success);
  return last === -1 ? undefined : path.slice(0, last + 1);
}

function steps(schema: z.ZodType, path: IssuePath): { key: PropertyKey; at: z.ZodType }[] {
  const members: { key: PropertyKey; at: z.ZodType }[] = [];
  let at: unknown = schema;
  for (const key of path) {
    const inner = unwrapped(at);
    if (inner instanceof z.ZodObject) at = (inner.shape as Record<PropertyKey, unknown>)[key];
    else at = inner instanceof z.ZodArray ? inner.element : undefined;
    if (!(at instanceof z.ZodType)) break;
    members.push({ key, at });
  }
  return members;
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}

/** Converts a value to the expected JSON type; undefined if the conversion would lose information. */
function convert(expected: string, value: unknown, isText: boolean): unknown {
  if (expected === "string") return isText && Number.isSafeInteger(value) ? String(value) : undefined;
  if (expected === "number")
    return typeof value === "string" && /^-?\d{1,15}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined;
  if (expected !== "boolean") return undefined;
  if (value === 1 || value === "true" || value === "1") return true;
  return value === 0 || value === "false" || value === "0" ? false : undefined;
}

/** Whether a member is an identifier, according to its name. The client converts numeric identifiers to strings. */
function isIdentifier(path: IssuePath): boolean {
  const name = path.findLast((part) => typeof part === "string");
  return /^(id|aid)$|(Id|Ids|Aid)$/.test(String(name));
}

function valueAt(body: unknown, path: IssuePath): unknown {
  return path.reduce<unknown>((at, key) => (isIndexable(at) ? at[key] : undefined), body);
}

/** Sets or deletes a member. @returns whether the body contains the path */
function put(body: unknown, path: IssuePath, value: unknown): boolean {
  const parent = valueAt(body, path.slice(0, -1));
  const key = path.at(-1);
  if (!isIndexable(parent) || key === undefined) return false;
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  return true;
}

/** Returns the path of a member with `[]` instead of list indexes, such as `tests[].createdDate`. */
function memberText(path: IssuePath): string {
  return path
    .map((part) => (typeof part === "number" ? "[]" : `.${String(part)}`))
    .join("")
    .slice(1);
}

function isIndexable(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
