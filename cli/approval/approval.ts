import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { pathText } from "../../api/parse";
import type { Properties } from "../../provider/values";
import { stable } from "../../provider/values";
import { UsageError } from "../command";
import { parseJson, reasonOf } from "../files";
import type { Io } from "../io";
import type { LoadedPackage } from "../operation/identity";
import { allStopWords, type StopWord } from "../review/stop-words";

/** Version of the format. One that this release does not know is refused. */
export const approvalFormat = 1;

/** A live record as the service returned it. */
export interface LiveRecord {
  id: string;
  /** False of one that the service does not have. */
  exists: boolean;
  /** UTC time of its last change, where the service returns one. */
  modified?: string;
  /** What a program may declare of it; of secrets, keyed digests. */
  properties: Properties;
}

/** A change that was approved. */
export interface ApprovedChange {
  urn: string;
  /** What happens to it: `create`, `adopt`, `update`, `replace`, `delete` or `forget`; of other providers what the engine does. */
  op: string;
  /** Identifier of what it is about; absent of what is to be created. */
  id?: string;
  /** Properties that the state has, by name. Absent of a create. */
  before?: Properties;
  /** Properties that the program declares. Absent of a delete. */
  after?: Properties;
  /** The records of the service that it touches. */
  live?: LiveRecord[];
  /** Why a create will fail or adopts nothing, and the records that are the reason: `identical 1234`. */
  creation?: string;
  /** The old record stays in the service. */
  retained?: true;
  /** An earlier update left it to be deleted. */
  pending?: true;
  /** Options of the engine in the state and in the program that differ from the default. */
  options?: { before?: Properties; after?: Properties };
}

/** The agents that a change moves. Those that it does not move may come and go. Sets stand under `sets`. */
export interface ApprovedReach {
  /** URN of the label, tag or test; of a test that the program does not declare, its id. */
  of: string;
  /** Digest of the rule by which it reaches agents afterwards: its selection, and the filters of its labels and tags. */
  rule: string;
  /** Agents that the change makes it reach, and those that it takes from it. */
  gained?: string;
  lost?: string;
  /** Why it is not known whom it reaches. */
  unknown?: string;
}

/** What a reviewer approved. */
export interface Approval {
  format: typeof approvalFormat;
  project: string;
  stack: string;
  /** Version of this package. */
  version: string;
  /** The package that the program loads, if it is one of Node. */
  package?: LoadedPackage;
  /** Account, client and settings that decide what the provider does, by name. */
  settings: Record<string, string>;
  /** Account groups that the change concerns. */
  accountGroups: string[];
  /** Limits of the review, from which its stops follow. */
  limits: { maxMoved: number; minIntervals: Record<string, number>; allowUnknown?: string[] };
  /** Operations of an earlier update of which the engine does not know the outcome, as `creating URN`. */
  interrupted: string[];
  /** In the order of URNs. */
  changes: ApprovedChange[];
  reach: ApprovedReach[];
  /** Sets of agents by their names in `reach`: ids in order. */
  sets: Record<string, string[]>;
  stops: { word: StopWord; urn?: string }[];
  /** Key of the digests of secrets, encrypted with the key of the stack. Absent where there is none, or where a setting has it. */
  key?: string;
}

const properties = z.record(z.string(), z.unknown());
const names = z.array(z.string());

const schema: z.ZodType<Approval> = z.strictObject({
  format: z.literal(approvalFormat),
  project: z.string(),
  stack: z.string(),
  version: z.string(),
  package: z.strictObject({ version: z.string(), integrity: z.string() }).optional(),
  settings: z.record(z.string(), z.string()),
  accountGroups: names,
  limits: z.strictObject({
    maxMoved: z.number(),
    minIntervals: z.record(z.string(), z.number()),
    allowUnknown: names.optional(),
  }),
  interrupted: names,
  changes: z.array(
    z.strictObject({
      urn: z.string(),
      op: z.string(),
      id: z.string().optional(),
      before: properties.optional(),
      after: properties.optional(),
      live: z
        .array(z.strictObject({ id: z.string(), exists: z.boolean(), modified: z.string().optional(), properties }))
        .optional(),
      creation: z.string().optional(),
      retained: z.literal(true).optional(),
      pending: z.literal(true).optional(),
      options: z.strictObject({ before: properties.optional(), after: properties.optional() }).optional(),
    }),
  ),
  reach: z.array(
    z.strictObject({
      of: z.string(),
      rule: z.string(),
      gained: z.string().optional(),
      lost: z.string().optional(),
      unknown: z.string().optional(),
    }),
  ),
  sets: z.record(z.string(), names),
  stops: z.array(z.strictObject({ word: z.enum(allStopWords), urn: z.string().optional() })),
  key: z.string().optional(),
});

/** The text of an approval: JSON with the members of every object in order, so that equal approvals have equal text. */
export function approvalText(approval: Approval): string {
  return `${JSON.stringify(JSON.parse(stable(approval)), undefined, 1)}\n`;
}

/** `sha256:` and 64 hexadecimal digits: of the text of an approval. */
export function approvalDigest(approval: Approval): string {
  return `sha256:${createHash("sha256").update(approvalText(approval)).digest("hex")}`;
}

export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Reads a file that `review --approval` wrote. @throws UsageError where it is another one, damaged, or of a later release */
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
  const { data, error } = schema.safeParse(read);
  if (data) return data;
  const where = format === undefined ? "" : ` (${pathText(error.issues[0]?.path ?? [])} is damaged)`;
  throw new UsageError(`${file} is no approval of \`endpoint-monitoring review --approval\`${where}`, "work");
}
