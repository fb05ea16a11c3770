import { z } from "zod";
import { pathText } from "../api/parse";
import { isObject, type Properties, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import { UsageError } from "../common/errors";

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
  /** Whether the resource has a provider. Components have `custom: false`. */
  custom: z.boolean(),
  /** Whether the service keeps the record after the resource is removed from the program. */
  retainOnDelete: z.boolean(),
  /**
   * URN of another resource, from the resource option `deletedWith`. The engine sends no delete request for a resource with
   * `deletedWith` if the named resource is also deleted.
   */
  deletedWith: z.string(),
  /** Whether a user requested the replacement of the resource with `pulumi state taint`. */
  taint: z.boolean(),
  additionalSecretOutputs: stringList,
  ignoreChanges: stringList,
  /** Errors of an update that partially succeeded. If `initErrors` is not empty, the next update changes the resource again. */
  initErrors: stringList,
  dependencies: stringList,
  /** For each property, the URNs of the resources that the property depends on. */
  propertyDependencies: z.record(z.string(), stringList.nullable()),
  /** URN and id of the resource's provider, joined by `::`. */
  provider: z.string(),
  created: z.string(),
  modified: z.string(),
  sourcePosition: z.string(),
  stackTrace: z.array(z.object({ sourcePosition: optional(z.string()) })),
};

/** A resource in the format of exported states and previews. */
export type EngineResource = { urn: string; type: string } & {
  [Name in keyof typeof resourceMembers]?: z.output<(typeof resourceMembers)[Name]> | undefined;
};

// With `looseObject`, the parsed resource keeps members that the schema does not contain.
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
  /** Properties that force a replacement. If a user requested the replacement, `replaceReasons` contains `id`. */
  replaceReasons: optional(stringList),
});

const diagnosticSchema = z.object({ urn: optional(z.string()), severity: z.string(), message: z.string() });

const stepList = z.array(z.unknown());

// The schema has defaults, because the engine omits empty members. `previewIn` validates the steps separately.
const outputSchema = z.object({
  diagnostics: z.array(diagnosticSchema).default([]),
  /** Stack settings by full key, with secrets that the engine has masked. */
  config: optional(propertiesSchema),
});

/** A step of a preview. `createsFirst` is undefined unless the preview shows a replacement as separate create and delete steps. */
export type EngineStep = z.output<typeof stepSchema> & { createsFirst?: boolean };

export type Diagnostic = z.output<typeof diagnosticSchema>;

/** The inputs of a resource that differ between the program and the state. Secrets are encrypted. */
export interface InputDiff {
  added: Properties;
  deleted: string[];
}

/** A preview of the next update, with the engine's steps, and with the stack settings that affect the steps. */
export interface StackPreview {
  /** Name of the stack. In a preview without steps, the name of the stack is empty. */
  stack: string;
  project: string;
  /** The steps of the update, with a single step for each replacement. */
  steps: EngineStep[];
  diagnostics?: Diagnostic[];
  /**
   * The engine's plan, with encrypted secrets; undefined if the engine refused the preview, or if an earlier command saved the
   * preview.
   */
  plan?: string;
  /**
   * The changed inputs of each resource, according to the engine's plan. Unlike the preview, the plan shows which secrets
   * change.
   */
  inputDiffs?: ReadonlyMap<string, InputDiff>;
  adopt?: string;
  createsFirst?: boolean;
}

/** Members that identify a preview. A JSON object without `steps`, `changeSummary` and `diagnostics` is not a preview. */
const previewMembers = ["steps", "changeSummary", "diagnostics"];

/**
 * Reads the output of `pulumi preview --json`.
 *
 * @throws UsageError if the text is not the output of a preview
 */
export function readPreviewOutput(text: string, source: string): StackPreview {
  return previewIn(parsedOutput(text), source);
}

/**
 * Parses the text of a preview.
 *
 * @returns undefined for text that is not JSON
 */
export function parsedOutput(text: string): unknown {
  // The byte order mark is removed, because some shells write a byte order mark at the start of redirected output.
  return parseJson(text.replace(/^\uFEFF/, ""));
}

/**
 * Reads a parsed preview, and reuses the preview's list of steps. A copy of a large preview would need hundreds of megabytes of memory.
 *
 * @throws UsageError if the value is not a preview
 */
export function previewIn(read: unknown, source: string): StackPreview {
  const refuse = (reason: string): UsageError =>
    new UsageError(`${source} is not the output of \`pulumi preview --json\` (${reason})`, "work");
  if (read === undefined) throw refuse("it is not JSON");
  if (!isObject(read) || !previewMembers.some((member) => member in read)) throw refuse("it has no steps");
  // The error message names only the path of an invalid value, because the value may be a secret.
  const checked = <T extends z.ZodType>(schema: T, value: unknown, path: readonly PropertyKey[] = []): z.output<T> => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const [issue] = error.issues;
    throw refuse(`${pathText([...path, ...(issue?.path ?? [])])}: ${issue?.message}`);
  };
  const { steps: parsed = [] } = read as { steps?: unknown[] };
  checked(stepList, parsed, ["steps"]);
  for (const [at, step] of parsed.entries()) parsed[at] = checked(stepSchema, step, ["steps", at]);
  const steps = parsed as EngineStep[];
  const { diagnostics, config = {} } = checked(outputSchema, read);
  const [, stack = "", project = ""] = /^urn:pulumi:([^:]*)::([^:]*)::/.exec(steps[0]?.urn ?? "") ?? [];
  const adopt = stringOf(config["endpoint-monitoring:adopt"]);
  const createsFirst = config["endpoint-monitoring:replaceOrder"] === "create-first";
  return { stack, project, steps: ordered(steps), diagnostics, createsFirst, ...(adopt !== undefined && { adopt }) };
}

/** Joins the create and delete steps of each replacement into one step. A pending deletion remains a separate step. */
function ordered(steps: readonly EngineStep[]): EngineStep[] {
  const replaced = new Set(steps.flatMap(({ op, oldState }) => (op === "replace" ? (oldState?.id ?? []) : [])));
  const isPending = ({ oldState }: EngineStep): boolean => oldState?.delete === true && !replaced.has(oldState.id ?? "");
  const isPart = (step: EngineStep): boolean =>
    step.op === "create-replacement" || (step.op === "delete-replaced" && !isPending(step));
  // If an alias moves a resource, the delete has the previous URN, and the create and the replacement have the new URN.
  const stateUrn = ({ urn, oldState }: EngineStep): string => oldState?.urn ?? urn;
  const parts = new Map(
    steps
      .filter(isPart)
      .toReversed()
      .map((step) => [stateUrn(step), step]),
  );
  return steps
    .filter((step) => !isPart(step))
    .map((step) => {
      const first = step.op === "replace" ? parts.get(stateUrn(step)) : undefined;
      return first === undefined ? step : { ...step, createsFirst: first.op === "create-replacement" };
    });
}
