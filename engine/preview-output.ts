import { z } from "zod";
import { pathText } from "../api/parse";
import { isObject, type Properties, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import { UsageError } from "../common/errors";

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
  /** False for a component, which has no provider. */
  custom: z.boolean(),
  /** The service keeps the record if the resource is deleted. */
  retainOnDelete: z.boolean(),
  /**
   * URN of another resource. When that resource is deleted, this one is deleted with it, so the engine only removes this one
   * from state.
   */
  deletedWith: z.string(),
  /** A user requested its replacement with `pulumi state taint`. */
  taint: z.boolean(),
  additionalSecretOutputs: stringList,
  ignoreChanges: stringList,
  /** The last update succeeded in part, so the engine updates it again. */
  initErrors: stringList,
  dependencies: stringList,
  /** By property, the URNs of the resources with outputs that it uses. */
  propertyDependencies: z.record(z.string(), stringList.nullable()),
  /** URN and id of its provider, joined by `::`. */
  provider: z.string(),
  created: z.string(),
  modified: z.string(),
  sourcePosition: z.string(),
  stackTrace: z.array(z.object({ sourcePosition: optional(z.string()) })),
};

/** A resource as the engine writes it into exported state and into the steps of a preview. */
export type EngineResource = { urn: string; type: string } & {
  [Name in keyof typeof resourceMembers]?: z.output<(typeof resourceMembers)[Name]> | undefined;
};

// Members that are not listed here are kept and not checked.
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
  /** Properties that force a replacement; `id` if the user requested it. */
  replaceReasons: optional(stringList),
});

const diagnosticSchema = z.object({ urn: optional(z.string()), severity: z.string(), message: z.string() });

const stepList = z.array(z.unknown());

// The engine leaves out empty members. `previewIn` reads the steps.
const outputSchema = z.object({
  diagnostics: z.array(diagnosticSchema).default([]),
  /** Settings of the stack by their full keys; secrets are masked. */
  config: optional(propertiesSchema),
});

/** A step of a preview. `createsFirst` is present if the preview shows the parts of a replacement. */
export type EngineStep = z.output<typeof stepSchema> & { createsFirst?: boolean };

export type Diagnostic = z.output<typeof diagnosticSchema>;

/** The inputs of a resource that differ between program and state. Secrets are encrypted. */
export interface InputDiff {
  /** New values of inputs that are added or updated. */
  added: Properties;
  deleted: string[];
}

/** A preview of the next update: the engine's steps, and the stack settings that determine them. */
export interface StackPreview {
  /** Names of stack and project; empty if the preview has no step. */
  stack: string;
  project: string;
  /** One step for each replacement, and one for each pending deletion. */
  steps: EngineStep[];
  diagnostics?: Diagnostic[];
  /** The plan as the engine wrote it, with encrypted secrets. Absent if the engine refused the preview, or for a saved preview. */
  plan?: string;
  /** Changes of inputs by URN, from the plan. A preview masks secrets, but the plan shows which secrets change. */
  inputDiffs?: ReadonlyMap<string, InputDiff>;
  adopt?: string;
  createsFirst?: boolean;
}

/** Every preview has at least one of these members. */
const previewMembers = ["steps", "changeSummary", "diagnostics"];

/**
 * Reads the output of `pulumi preview --json`. Every reader of previews calls this function.
 *
 * @param source the name of the text in messages
 * @throws UsageError with the position of the first mistake if the text is not such an output
 */
export function readPreviewOutput(text: string, source: string): StackPreview {
  return previewIn(parsedOutput(text), source);
}

/** Parses the text of a preview. @returns undefined if it is not JSON */
export function parsedOutput(text: string): unknown {
  // Some shells begin a file with a byte order mark.
  return parseJson(text.replace(/^\uFEFF/, ""));
}

/**
 * Reads a parsed preview. Its steps become the steps of the result, as a second copy of a large preview would need hundreds of megabytes.
 *
 * @throws UsageError as `readPreviewOutput`
 */
export function previewIn(read: unknown, source: string): StackPreview {
  const refuse = (reason: string): UsageError =>
    new UsageError(`${source} is not the output of \`pulumi preview --json\` (${reason})`, "work");
  if (read === undefined) throw refuse("it is not JSON");
  if (!isObject(read) || !previewMembers.some((member) => member in read)) throw refuse("it has no steps");
  // A value may be a secret. Only types are checked, so the message does not contain a value.
  const checked = <T extends z.ZodType>(schema: T, value: unknown, path: readonly PropertyKey[] = []): z.output<T> => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const [issue] = error.issues;
    throw refuse(`${pathText([...path, ...(issue?.path ?? [])])}: ${issue?.message}`);
  };
  // The check refuses all values except lists.
  const { steps: parsed = [] } = read as { steps?: unknown[] };
  checked(stepList, parsed, ["steps"]);
  for (const [at, step] of parsed.entries()) parsed[at] = checked(stepSchema, step, ["steps", at]);
  // The loop has checked each of them.
  const steps = parsed as EngineStep[];
  const { diagnostics, config = {} } = checked(outputSchema, read);
  const [, stack = "", project = ""] = /^urn:pulumi:([^:]*)::([^:]*)::/.exec(steps[0]?.urn ?? "") ?? [];
  const adopt = stringOf(config["endpoint-monitoring:adopt"]);
  const createsFirst = config["endpoint-monitoring:replaceOrder"] === "create-first";
  return { stack, project, steps: ordered(steps), diagnostics, createsFirst, ...(adopt !== undefined && { adopt }) };
}

/**
 * Returns one step for each replacement, with the order of its parts if the engine shows them. A pending deletion stays a step
 * of its own.
 */
function ordered(steps: readonly EngineStep[]): EngineStep[] {
  const replaced = new Set(steps.flatMap(({ op, oldState }) => (op === "replace" ? (oldState?.id ?? []) : [])));
  const isPending = ({ oldState }: EngineStep): boolean => oldState?.delete === true && !replaced.has(oldState.id ?? "");
  const isPart = (step: EngineStep): boolean =>
    step.op === "create-replacement" || (step.op === "delete-replaced" && !isPending(step));
  // The first part of each replacement by URN.
  const parts = new Map(
    steps
      .filter(isPart)
      .toReversed()
      .map((step) => [step.urn, step]),
  );
  return steps
    .filter((step) => !isPart(step))
    .map((step) => {
      const first = step.op === "replace" ? parts.get(step.urn) : undefined;
      return first === undefined ? step : { ...step, createsFirst: first.op === "create-replacement" };
    });
}
