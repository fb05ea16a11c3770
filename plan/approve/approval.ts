import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { isDeeperThan, pathText } from "../../api/parse";
import type { Properties } from "../../provider/values";
import { stable } from "../../provider/values";
import { parseJson, reasonOf } from "../../common/files";
import type { Io } from "../../engine/io";
import { checkNames } from "../judge/checks";
import { UsageError } from "../../common/errors";

const maxDepth = 200;

/** Version of the approval file's format. `apply` refuses other versions. */
export const approvalFormat = 1;

const properties: z.ZodType<Properties> = z.record(z.string(), z.unknown());
const names = z.array(z.string());
/** Properties or engine options: `before` is the value in the state, and `after` is the value in the program. */
const sides = { before: properties.optional(), after: properties.optional() };

const liveRecord = z.strictObject({
  id: z.string(),
  exists: z.boolean(),
  /** UTC time of the record's last change, if the service returns this time. */
  modified: z.string().optional(),
  /** The record's properties that a program may declare. Keyed digests replace secrets. */
  properties,
});

const approvedChange = z.strictObject({
  urn: z.string(),
  /**
   * Operation: `create`, `adopt`, `update`, `replace`, `delete` or `forget`. Operations on resources of other providers have the engine's
   * names.
   */
  op: z.string(),
  id: z.string().optional(),
  ...sides,
  live: z.array(liveRecord).optional(),
  /** The reason why a create operation fails or does not adopt a record, such as `identical 1234`. */
  creation: z.string().optional(),
  retained: z.literal(true).optional(),
  /** Whether an earlier update left the deletion of the record to the next update. */
  pending: z.literal(true).optional(),
  options: z.strictObject(sides).optional(),
});

/** The agents that a change adds or removes. The members `gained` and `lost` are keys of the approval's member `sets`. */
const approvedReach = z.strictObject({
  /** URN of the label, tag or test, or the id of a test that is not in the program. */
  of: z.string(),
  /** Digest of the rule that selects the agents, including the filters of labels and tags. */
  rule: z.string(),
  gained: z.string().optional(),
  lost: z.string().optional(),
  unknown: z.string().optional(),
});

const approval = z.strictObject({
  format: z.literal(approvalFormat),
  project: z.string(),
  stack: z.string(),
  version: z.string(),
  /** The npm package that a Node.js program loads. */
  package: z.strictObject({ version: z.string(), integrity: z.string() }).optional(),
  /** Settings that determine the account, the client and the behavior of the provider. */
  settings: z.record(z.string(), z.string()),
  accountGroups: names,
  limits: z.strictObject({
    allowUnknown: names.optional(),
    maxHistoriesLost: z.number().optional(),
    maxReplacements: z.number().optional(),
    maxLoad: z.number().optional(),
  }),
  /** Operations with an unknown outcome after an interrupted update, as strings of the format `creating URN`. */
  interrupted: names,
  changes: z.array(approvedChange),
  reach: z.array(approvedReach),
  /** Maps the digest of each agent set to the sorted ids of its agents. */
  sets: z.record(z.string(), names),
  findings: z.array(z.strictObject({ rule: z.enum(checkNames), urn: z.string().optional() })),
  /** Key for the digests of secrets, encrypted with the stack's encryption key. */
  key: z.string().optional(),
});

export type LiveRecord = z.output<typeof liveRecord>;
export type ApprovedChange = z.output<typeof approvedChange>;
export type ApprovedReach = z.output<typeof approvedReach>;
export type Approval = z.output<typeof approval>;

/** Returns JSON with sorted members, so that equal approvals lead to equal strings. */
export function approvalText(sealed: Approval): string {
  return `${JSON.stringify(JSON.parse(stable(sealed)), undefined, 1)}\n`;
}

export function approvalDigest(sealed: Approval): string {
  return `sha256:${createHash("sha256").update(approvalText(sealed)).digest("hex")}`;
}

export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/**
 * Reads a file that `review --approval` wrote.
 *
 * @throws UsageError if the file is not an approval, is damaged, or has another format version
 */
export function readApproval(file: string, { cwd }: Io): Approval {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${reasonOf(error)})`, "work");
  }
  const read = parseJson(text);
  const format = z.object({ format: z.number() }).safeParse(read).data?.format;
  if (format !== undefined && format !== approvalFormat) {
    throw new UsageError(
      `${file} is an approval in format ${format}, but this release reads format ${approvalFormat}. Apply the approval with the version of endpoint-monitoring that wrote it, or review the change again`,
      "work",
    );
  }
  // The functions that read an approval are recursive, so deeper nesting could overflow the call stack.
  if (isDeeperThan(read, maxDepth)) throw new UsageError(`${file} is not an approval: its JSON is nested too deeply`, "work");
  const { data, error } = approval.safeParse(read);
  if (data) return data;
  const where = format === undefined ? "" : ` (${pathText(error.issues[0]?.path ?? [])} is damaged)`;
  throw new UsageError(`${file} is not an approval that \`endpoint-monitoring review --approval\` wrote${where}`, "work");
}
