import { isObject, stringOf } from "../../provider/values";
import { parseJson } from "../files";
import { reasonOfDiagnostic } from "./diagnostics";
import type { EngineResource } from "./state";

/** Something that an update did to a resource, or could not do. */
export interface UpdateStep {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly failed: boolean;
  readonly before?: EngineResource;
  readonly after?: EngineResource;
}

/** Why a part of an update failed. */
export interface UpdateFailure {
  /** Resource that it is about; absent where it is about the program. */
  readonly urn?: string;
  /** With the resource's name before it. */
  readonly reason: string;
}

/** An update as `pulumi up --json` prints it, an event a line. */
export interface UpdateEvents {
  readonly steps: readonly UpdateStep[];
  readonly failures: readonly UpdateFailure[];
}

/** What the program says of each resource that has failed already. */
const echo = /^(?:error: )?Error: resource .* \[.*\] failed to register\n/;
const summary = /^(?:update|destroy) failed$/;

/** Reads the events of an update, or of a destruction. Lines that are none are left out. */
export function readUpdateEvents(printed: string): UpdateEvents {
  const events = printed.split("\n").map(parseJson).filter(isObject);
  const steps = events.flatMap(stepOf);
  const found = events.flatMap(failureIn);
  const failures = found.filter(({ reason }, at) => found.findIndex((one) => one.reason === reason) === at);
  return { steps, failures };
}

const partsOfReplacement = new Set(["replace", "create-replacement", "import-replacement"]);

/** What steps of an update came to, a resource each, in the words of a preview: the parts of a replacement are one. */
export function carriedOut(steps: readonly UpdateStep[]): UpdateStep[] {
  const replaced = new Set(steps.flatMap(({ op, before }) => (partsOfReplacement.has(op) ? (before?.id ?? []) : [])));
  const done = steps.flatMap((step): UpdateStep[] => {
    if (partsOfReplacement.has(step.op)) return [{ ...step, op: "replace" }];
    if (step.op !== "delete-replaced") return [step];
    // Without a replacement, an earlier update left it to be deleted.
    return replaced.has(step.before?.id ?? "") && !step.failed ? [] : [{ ...step, op: "delete" }];
  });
  return [...Map.groupBy(done, ({ op, urn }) => `${op} ${urn}`).values()].flatMap(
    (parts) => parts.find(({ failed }) => failed) ?? parts.at(-1) ?? [],
  );
}

/** Whether a line tells of a resource that is done, or has failed. */
export function isStepEvent(line: string): boolean {
  return line.includes('"resOutputsEvent":') || line.includes('"resOpFailedEvent":');
}

/** The step that a line is about, if it is done or has failed. */
export function stepIn(line: string): UpdateStep[] {
  const event = isStepEvent(line) ? parseJson(line) : undefined;
  return isObject(event) ? stepOf(event) : [];
}

function stepOf(event: Record<string, unknown>): UpdateStep[] {
  const failed = isObject(event["resOpFailedEvent"]);
  const given = failed ? event["resOpFailedEvent"] : event["resOutputsEvent"];
  const metadata = isObject(given) ? given["metadata"] : undefined;
  if (!isObject(metadata)) return [];
  const [op, urn, type] = [metadata["op"], metadata["urn"], metadata["type"]].map((part) => stringOf(part) ?? "");
  const side = (name: string): EngineResource | undefined =>
    // The engine wrote it.
    isObject(metadata[name]) ? (metadata[name] as unknown as EngineResource) : undefined;
  return [{ op: op ?? "", urn: urn ?? "", type: type ?? "", failed, before: side("old"), after: side("new") }];
}

function failureIn(event: Record<string, unknown>): UpdateFailure[] {
  const diagnostic = event["diagnosticEvent"];
  if (!isObject(diagnostic) || diagnostic["severity"] !== "error") return [];
  const [message, urn] = [stringOf(diagnostic["message"]) ?? "", stringOf(diagnostic["urn"])];
  if (echo.test(message) || summary.test(message.trim())) return [];
  return [{ ...(urn !== undefined && urn !== "" && { urn }), reason: reasonOfDiagnostic({ urn, message, severity: "error" }) }];
}
