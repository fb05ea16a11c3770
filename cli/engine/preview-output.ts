import { z } from "zod";
import { pathText } from "../../api/parse";
import { isObject } from "../../provider/values";
import { UsageError } from "../command";
import { cut } from "../report/text";

/** A member that may be absent. The engine writes some of these as `null`. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
const stringList = z.array(z.string());
const propertiesSchema = z.record(z.string(), z.unknown());

const resourceMembers = {
  parent: z.string(),
  id: z.string(),
  inputs: propertiesSchema,
  outputs: propertiesSchema,
  protect: z.boolean(),
  external: z.boolean(),
  delete: z.boolean(),
  /** Whether a provider stands behind it: a component has none. */
  custom: z.boolean(),
  /** The service keeps the record if the resource is deleted. */
  retainOnDelete: z.boolean(),
  /** URN of a resource whose deletion deletes this one too, so that the engine does not. */
  deletedWith: z.string(),
  /** Somebody asked for its replacement with `pulumi state taint`. */
  taint: z.boolean(),
  additionalSecretOutputs: stringList,
  ignoreChanges: stringList,
  /** The last update succeeded in part, so the engine updates it again. */
  initErrors: stringList,
  dependencies: stringList,
  /** The resources from which each property is made, by URN. */
  propertyDependencies: z.record(z.string(), stringList.nullable()),
  /** URN and id of its provider, joined by `::`. */
  provider: z.string(),
  created: z.string(),
  modified: z.string(),
  sourcePosition: z.string(),
  stackTrace: z.array(z.object({ sourcePosition: optional(z.string()) })),
};

/** A resource as the engine writes it, in exported state and in the steps of a preview. */
export type EngineResource = { urn: string; type: string } & {
  [Name in keyof typeof resourceMembers]?: z.output<(typeof resourceMembers)[Name]> | undefined;
};

// Loose: a member that is not named here stays, unchecked.
const resourceSchema: z.ZodType<EngineResource> = z.looseObject({
  urn: z.string(),
  type: z.string(),
  ...Object.fromEntries(Object.entries<z.ZodType>(resourceMembers).map(([name, schema]) => [name, optional(schema)])),
});

const stepSchema = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: optional(resourceSchema),
  newState: optional(resourceSchema),
  /** Properties that force a replacement; `id` where somebody asked for it. */
  replaceReasons: optional(stringList),
});

const diagnosticSchema = z.object({ urn: optional(z.string()), severity: z.string(), message: z.string() });

// The engine leaves out what is empty.
const outputSchema = z.object({
  steps: z.array(stepSchema).default([]),
  diagnostics: z.array(diagnosticSchema).default([]),
  /** Settings of the stack by their whole names; secret ones are masked. */
  config: optional(propertiesSchema),
});

/** A step of a preview. @see StackPreview.createsFirst */
export type EngineStep = z.output<typeof stepSchema> & { createsFirst?: boolean };

/** A message of the engine or the program. */
export type Diagnostic = z.output<typeof diagnosticSchema>;

/** The output of `pulumi preview --json`, without members that nobody reads. */
export type PreviewOutput = z.output<typeof outputSchema>;

/** Members of which a preview has at least one. */
const previewMembers = ["steps", "changeSummary", "diagnostics"];

/**
 * Reads what `pulumi preview --json` printed: the only reader of it.
 *
 * @param source what messages call it
 * @throws UsageError where it is something else, or damaged: what, and where
 */
export function readPreviewOutput(text: string, source: string): PreviewOutput {
  // A byte order mark is how some shells begin a file.
  const read = parsed(text.replace(/^\uFEFF/, ""), source);
  if (!isObject(read) || !previewMembers.some((member) => member in read)) throw notAPreview(source, "it has no steps");
  const { data, error } = outputSchema.safeParse(read);
  // Only types are checked, so the message names no value, which may be a secret.
  const [issue] = error?.issues ?? [];
  if (!data) throw notAPreview(source, `${pathText(issue?.path ?? [])}: ${issue?.message}`);
  return data;
}

function parsed(text: string, source: string): unknown {
  const start = text.trimStart();
  if (start === "") throw notAPreview(source, "it is empty: what the engine reported is on its standard error");
  if (/^\{"sequence":\s*\d/.test(start)) {
    throw notAPreview(source, "it is a stream of events: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw notAPreview(source, start.startsWith("{") ? "it is cut off, or damaged" : insteadOfJson(start));
  }
}

/** Characters of an engine's error that are shown. */
const maxErrorCharacters = 300;

function insteadOfJson(text: string): string {
  const [, reported] = /^error: (.*)$/m.exec(text) ?? [];
  if (reported !== undefined) return `the engine failed: ${cut(reported.trim(), maxErrorCharacters)}`;
  return `it is no JSON${/^\{/m.test(text) ? ": other text stands before it, so keep standard error out of it" : ""}`;
}

function notAPreview(source: string, reason: string): UsageError {
  return new UsageError(`${source} is not the output of \`pulumi preview --json\` (${reason})`, "work");
}
