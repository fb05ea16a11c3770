import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { UnapprovedError } from "./failures";
import type { Kind } from "./kind";
import { isObject, type Properties, sameValue, stable } from "./values";

/** Environment variable with the file of values that `endpoint-monitoring apply` lets this update send. */
export const approvedVariable = "ENDPOINT_MONITORING_APPROVED";

const derivedVariable = "ENDPOINT_MONITORING_DERIVED_REPLACEMENTS";

/**
 * Environment of the previews that `endpoint-monitoring review` and `apply` run. In it, replacements that the program did not
 * request are treated as ordinary steps. The review reports each replacement, and an update within an approved plan makes no
 * others.
 */
export const reviewed: Readonly<Record<string, string>> = { [derivedVariable]: "reviewed" };

/** Whether a replacement that the program did not request is an ordinary step, because a review decides about it. */
export function isReviewed(): boolean {
  return process.env[derivedVariable] === reviewed[derivedVariable];
}

/** A resource with inputs that are known only during the update, or with an id that other resources use. */
export interface ApprovedResource {
  /** Name of the resource's kind. */
  readonly kind: string;
  readonly urn: string;
  /** Id of the record, if it exists. */
  readonly id?: string;
  /** Inputs that the preview knew, without secrets. They identify the resource that a request is about. */
  readonly known: Properties;
  /** Inputs with marks in place of values that the preview did not know. */
  readonly open: Properties;
  /** Names of secret inputs. The engine's plan holds their values. */
  readonly secret: readonly string[];
}

/** The placeholder of an id that a create of this update will return. The value is the URN of the resource. */
export const idMember = "$id";
/**
 * The placeholder of a value that the preview could not know. The value is a list with the URNs of the resources that determine
 * it.
 */
export const unknownMember = "$unknown";

/** Returns the content of a mark. @returns undefined if the value is not a mark */
export function markOf(value: unknown): { id: string } | { from: string[] } | undefined {
  const [[name, content] = [], ...others] = isObject(value) ? Object.entries(value) : [];
  if (others.length > 0) return undefined;
  if (name === idMember && typeof content === "string") return { id: content };
  return name === unknownMember && Array.isArray(content) ? { from: content.map(String) } : undefined;
}

/**
 * Whether a value is approved: equal to the approved value, except that a placeholder matches its id, in any order, or the
 * value that was unknown.
 *
 * @param idOf returns the id of a new resource, or a placeholder
 * @param mayBe whether a value may replace an approved value that was unknown. Default: any value is
 */
export function fits(
  approved: unknown,
  value: unknown,
  idOf: (urn: string) => unknown,
  mayBe: (from: readonly string[], part: unknown) => boolean = () => true,
): boolean {
  const places = placesOf(approved, value);
  if (!places?.every(([mark, part]) => "id" in mark || mayBe(mark.from, part))) return false;
  const ids = places.flatMap(([mark, part]) => ("id" in mark ? [[idOf(mark.id), part]] : []));
  return sameValue(ids.map(([id]) => stable(id)).toSorted(), ids.map(([, part]) => stable(part)).toSorted());
}

type ApprovedMark = NonNullable<ReturnType<typeof markOf>>;

/**
 * Returns the marks of an approved value, each with the actual value in its place. @returns undefined if anything else differs
 */
function placesOf(approved: unknown, value: unknown): [ApprovedMark, unknown][] | undefined {
  const mark = markOf(approved);
  if (mark) return value === undefined ? undefined : [[mark, value]];
  if (Array.isArray(approved)) {
    return Array.isArray(value) && approved.length === value.length
      ? joined(approved.map((item, at) => placesOf(item, value[at])))
      : undefined;
  }
  if (isObject(approved) && isObject(value)) {
    const names = [...new Set([...Object.keys(approved), ...Object.keys(value)])];
    return joined(names.map((name) => placesOf(approved[name], value[name])));
  }
  return sameValue(approved, value) ? [] : undefined;
}

function joined<T>(all: (T[] | undefined)[]): T[] | undefined {
  return all.includes(undefined) ? undefined : all.flatMap((some) => some ?? []);
}

/**
 * Sends a create or update if its inputs are approved, and notes the record's id for the resources that use it. Outside of
 * `endpoint-monitoring apply`, and for resources that the preview knew completely, it sends without a check.
 *
 * @param idOf returns the id of the record in the service's answer
 * @throws UnapprovedError before anything is sent
 */
export async function sendApproved<T>(
  kind: Kind,
  inputs: Properties,
  idOf: (answer: T) => string,
  send: () => Promise<T>,
): Promise<T> {
  const file = process.env[approvedVariable] ?? "";
  if (file === "") return send();
  // The command wrote this file.
  const all = JSON.parse(readFileSync(file, "utf8")) as ApprovedResource[];
  const resources = all.filter((approvedResource) => approvedResource.kind === kind.name && isAbout(approvedResource, inputs));
  if (resources.length === 0) return send();
  const ids = notedIds(file);
  const idsByUrn = new Map(all.map(({ urn, id }) => [urn, id]));
  const chosen = resources.find(({ open }) =>
    Object.entries(open).every(([name, approved]) => fits(approved, inputs[name], (urn) => ids.get(urn) ?? idsByUrn.get(urn))),
  );
  if (!chosen) {
    writeFileSync(refusalFile(file), "", { mode: 0o600 });
    throw unapproved(kind, resources);
  }
  const answer = await send();
  appendFileSync(idFile(file), `${JSON.stringify([chosen.urn, idOf(answer)])}\n`, { mode: 0o600 });
  return answer;
}

/** Whether a request is about a resource, according to the inputs that the preview knew. */
function isAbout({ known, open, secret }: ApprovedResource, inputs: Properties): boolean {
  const compared = Object.entries(inputs).filter(([name]) => !(name in open) && !secret.includes(name));
  return sameValue(Object.fromEntries(compared), known);
}

/** Returns the ids that all provider processes of this update have noted, by URN. */
function notedIds(file: string): ReadonlyMap<string, string> {
  const text = existsSync(idFile(file)) ? readFileSync(idFile(file), "utf8") : "";
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
}

/**
 * Returns the path of a file that exists after a request was refused. The command checks this file instead of parsing messages.
 */
export function refusalFile(file: string): string {
  return `${file}.refused`;
}

function idFile(file: string): string {
  return `${file}.ids`;
}

function unapproved(kind: Kind, resources: readonly ApprovedResource[]): UnapprovedError {
  const names = [...new Set(resources.flatMap(({ open }) => Object.keys(open)))].join(", ");
  const urns = resources.map(({ urn }) => urn.split("::").slice(3).join("::")).join(", ");
  return new UnapprovedError(
    `The ${kind.noun} ${urns} was not sent, because ${names} does not have the approved value, which is the id of a new resource. ` +
      "Review the change again with `endpoint-monitoring review --approval`.",
  );
}
