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

/** Deepest nesting of an approval, in levels. */
const maxDepth = 200;

/** Version of the format. `apply` refuses other versions. */
export const approvalFormat = 1;

const properties: z.ZodType<Properties> = z.record(z.string(), z.unknown());
const names = z.array(z.string());
/** Properties, or options of the engine: `before` in the state (absent for a create), `after` in the program (absent for a delete). */
const sides = { before: properties.optional(), after: properties.optional() };

const liveRecord = z.strictObject({
  id: z.string(),
  exists: z.boolean(),
  /** UTC time of its last change, if the service returns one. */
  modified: z.string().optional(),
  /** Properties that a program may declare, with keyed digests in place of secrets. */
  properties,
});

const approvedChange = z.strictObject({
  urn: z.string(),
  /** `create`, `adopt`, `update`, `replace`, `delete` or `forget`; for other providers, the engine's word. */
  op: z.string(),
  /** Identifier of the record; absent for a create. */
  id: z.string().optional(),
  ...sides,
  /** The records of the service that the change touches. */
  live: z.array(liveRecord).optional(),
  /** The reason why a create will fail or adopts nothing, with the records that cause it: `identical 1234`. */
  creation: z.string().optional(),
  /** True if the old record stays in the service. */
  retained: z.literal(true).optional(),
  /** True if an earlier update left the resource to be deleted. */
  pending: z.literal(true).optional(),
  /** Options that differ from the default. */
  options: z.strictObject(sides).optional(),
});

/** The agents that a change moves, as names of `sets`. Agents that it does not move may come and go. */
const approvedReach = z.strictObject({
  /** URN of the label, tag or test; of a test that the program does not declare, its id. */
  of: z.string(),
  /** Digest of the rule by which it reaches agents afterwards: its selection, and the filters of its labels and tags. */
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
  /** The package that the program loads, if it is one of Node. */
  package: z.strictObject({ version: z.string(), integrity: z.string() }).optional(),
  /** Account, client and settings that decide what the provider does, by name. */
  settings: z.record(z.string(), z.string()),
  accountGroups: names,
  limits: z.strictObject({
    maxMoved: z.number(),
    minIntervals: z.record(z.string(), z.number()),
    allowUnknown: names.optional(),
    maxHistoriesLost: z.number().optional(),
    maxReplacements: z.number().optional(),
    maxLoad: z.number().optional(),
  }),
  /** Operations of an earlier update of which the engine does not know the outcome, as `creating URN`. */
  interrupted: names,
  changes: z.array(approvedChange),
  reach: z.array(approvedReach),
  /** Sets of agents by their names in `reach`: ids in order. */
  sets: z.record(z.string(), names),
  findings: z.array(z.strictObject({ rule: z.enum(checkNames), urn: z.string().optional() })),
  /** Key of the digests of secrets, encrypted with the key of the stack. Absent without secrets, and if a setting has the key. */
  key: z.string().optional(),
});

export type LiveRecord = z.output<typeof liveRecord>;
export type ApprovedChange = z.output<typeof approvedChange>;
export type ApprovedReach = z.output<typeof approvedReach>;
export type Approval = z.output<typeof approval>;

/** The text of an approval: JSON with the members of every object in order, so that equal approvals have equal text. */
export function approvalText(sealed: Approval): string {
  return `${JSON.stringify(JSON.parse(stable(sealed)), undefined, 1)}\n`;
}

/** `sha256:` and 64 hexadecimal digits: of the text of an approval. */
export function approvalDigest(sealed: Approval): string {
  return `sha256:${createHash("sha256").update(approvalText(sealed)).digest("hex")}`;
}

export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Reads a file that `review --approval` wrote. @throws UsageError if it is another file, damaged, or of a later release */
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
      `${file} is an approval of format ${format}, and this release knows ${approvalFormat}. Apply it with the release that wrote it, or review again`,
      "work",
    );
  }
  // The functions that walk an approval are recursive.
  if (isDeeperThan(read, maxDepth)) throw new UsageError(`${file} is nested deeper than any approval`, "work");
  const { data, error } = approval.safeParse(read);
  if (data) return data;
  const where = format === undefined ? "" : ` (${pathText(error.issues[0]?.path ?? [])} is damaged)`;
  throw new UsageError(`${file} is no approval of \`endpoint-monitoring review --approval\`${where}`, "work");
}
