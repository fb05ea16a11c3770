import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { UnapprovedError } from "./failures";
import type { Kind } from "./kind";
import { isObject, type Properties, sameValue, stable } from "./values";

/** Environment variable with the path of the JSON file that lists an update's approved resources. */
export const approvedVariable = "ENDPOINT_MONITORING_APPROVED";

const derivedVariable = "ENDPOINT_MONITORING_DERIVED_REPLACEMENTS";

/**
 * Environment variables for the previews that `endpoint-monitoring review` and `apply` run.
 * `ENDPOINT_MONITORING_DERIVED_REPLACEMENTS` makes a preview show a replacement instead of the error `derived-replacement`.
 */
export const reviewed: Readonly<Record<string, string>> = { [derivedVariable]: "reviewed" };

/** Whether a preview shows a replacement instead of the error `derived-replacement`. */
export function isReviewed(): boolean {
  return process.env[derivedVariable] === reviewed[derivedVariable];
}

export interface ApprovedResource {
  readonly kind: string;
  readonly urn: string;
  readonly id?: string;
  /**
   * Inputs with values that are known and not secret. To find the approved resource that matches a request, the provider compares the known
   * inputs.
   */
  readonly known: Properties;
  /** Inputs with a placeholder for each value that the preview did not know. */
  readonly open: Properties;
  /** Names of the secret inputs. The engine itself checks secret values against its plan. */
  readonly secret: readonly string[];
}

/** Object key that marks a placeholder for the id of a new record. The placeholder contains the resource's URN. */
export const idMember = "$id";
/** Object key that marks a placeholder for an unknown value. The placeholder lists the URNs of the resources that determine the value. */
export const unknownMember = "$unknown";

export function markOf(value: unknown): { id: string } | { from: string[] } | undefined {
  const [[name, content] = [], ...others] = isObject(value) ? Object.entries(value) : [];
  if (others.length > 0) return undefined;
  if (name === idMember && typeof content === "string") return { id: content };
  return name === unknownMember && Array.isArray(content) ? { from: content.map(String) } : undefined;
}

/**
 * Whether a value matches an approved value that may contain placeholders.
 *
 * @param idOf function that takes a resource's URN and returns the id of the record that the update created
 * @param mayBe function that decides whether a value is allowed in place of an unknown value. By default, every value is allowed
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
 * Pairs each placeholder in an approved value with the actual value in the same place. Returns undefined if the values differ
 * outside the placeholders.
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
  return all.includes(undefined) ? undefined : all.flatMap((places) => places ?? []);
}

/**
 * Sends a request if the resource's inputs are approved. Outside of `endpoint-monitoring apply`, all inputs are allowed.
 *
 * @param idOf function that returns the record's id from the service's response
 * @throws UnapprovedError if the inputs are not approved
 */
export async function sendApproved<T>(
  kind: Kind,
  inputs: Properties,
  idOf: (answer: T) => string,
  send: () => Promise<T>,
): Promise<T> {
  const file = process.env[approvedVariable] ?? "";
  if (file === "") return send();
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

function isAbout({ known, open, secret }: ApprovedResource, inputs: Properties): boolean {
  const compared = Object.entries(inputs).filter(([name]) => !(name in open) && !secret.includes(name));
  return sameValue(Object.fromEntries(compared), known);
}

/**
 * Returns the ids of the records that the update created, keyed by URN. Every provider process of an update appends its new ids to the same
 * file.
 */
function notedIds(file: string): ReadonlyMap<string, string> {
  const text = existsSync(idFile(file)) ? readFileSync(idFile(file), "utf8") : "";
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
}

/**
 * Returns the path of a marker file, which the provider writes when it refuses a request. `endpoint-monitoring apply` checks whether the
 * marker file exists, instead of parsing error messages.
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
    `The request for the ${kind.noun} ${urns} was not sent, because the value of ${names} is not the approved id of a new resource. ` +
      "Review the change again with `endpoint-monitoring review --approval`.",
  );
}
