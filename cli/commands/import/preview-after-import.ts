import { compare } from "../../../provider/compare";
import type { EngineStep } from "../../../engine/preview-output";
import { kindNameOf, managedOf, nameOfUrn, parentOf } from "../../../engine/state";
import { secretMask } from "../../../common/text";
import { positionText } from "../../../common/position";
import { isReportedOnly } from "../../../provider/reported-only";
import { hasUnknown, type Properties } from "../../../provider/values";
import { counted, few } from "../../../common/text";
import { quoted } from "../../../program/literal";
import type { ImportEntry } from "./import-file";
import { isOf, type PlannedItem } from "./plan";

/**
 * Whether an entry contains a value that only the service can set. A program cannot declare values that only the service can set, unless
 * the resource is in the state.
 */
export function hasReportedOnly({ type, inputs, outputs }: ImportEntry): boolean {
  const kind = managedOf("", { urn: "", type, inputs, outputs })?.kind;
  return kind !== undefined && Object.entries(inputs).some(([property, value]) => isReportedOnly(kind, property, value));
}

/**
 * Predicts the steps of a preview after the import, from the steps of a preview before the import. For an imported resource that differs
 * from the program, the create step becomes an update step. The prediction assumes that unknown values equal the imported values.
 */
export function afterImport(steps: readonly EngineStep[], entries: readonly ImportEntry[]): EngineStep[] {
  const keyOf = (type: string, name: string, parent = ""): string => [type, name, parent].join(" ");
  const creates = new Map(
    steps.flatMap((step) => {
      const { op, newState, urn } = step;
      return op === "create" && newState ? [[keyOf(newState.type, nameOfUrn(urn), parentOf(newState)), step] as const] : [];
    }),
  );
  const imported = new Set<EngineStep>();
  const changed = entries.flatMap(({ type, name, id, inputs, outputs, parent }): EngineStep[] => {
    const step = creates.get(keyOf(type, name, parent));
    const oldState = { urn: step?.urn ?? name, type, id, inputs, outputs };
    if (!step?.newState) return [{ op: "delete", urn: oldState.urn, oldState }];
    imported.add(step);
    const newState = { ...step.newState, inputs: unmasked(step.newState.inputs, inputs) };
    const isSame = changesOf({ oldState, newState }).every(({ recordsOnly }) => recordsOnly);
    return isSame ? [] : [{ op: "update", urn: step.urn, oldState, newState }];
  });
  return [...changed, ...steps.filter((step) => !imported.has(step))];
}

/** Replaces masked secrets and unknown ids in a preview's inputs with the imported values. */
function unmasked(inputs: Properties = {}, imported: Properties): Properties {
  const shown = Object.entries(inputs).map(([name, value]) => {
    const isHidden = (value === secretMask || hasUnknown(value)) && name in imported;
    return [name, isHidden ? imported[name] : value];
  });
  return Object.fromEntries(shown) as Properties;
}

function changesOf({ oldState, newState }: Pick<EngineStep, "oldState" | "newState">) {
  const [before, after] = [oldState && managedOf("", oldState), newState && managedOf("", newState)];
  return before && after ? compare(before.kind, before.outputs, after.inputs) : [];
}

export function problemsIn(steps: readonly EngineStep[], items: readonly PlannedItem[], start: string): string[] {
  const recordOf = new Map(items.map((item) => [`${item.of.name} ${item.id}`, item]));
  const deleted: PlannedItem[] = [];
  const problems: string[] = [];
  for (const step of steps) {
    const { op, oldState } = step;
    const item = oldState && recordOf.get(`${kindNameOf(oldState.type) ?? ""} ${oldState.id ?? ""}`);
    if (item && op === "delete") deleted.push(item);
    else if (item && (op === "update" || op === "replace")) problems.push(differing(step, item));
    else if (op === "create") for (const problem of declaredTwice(step, items)) problems.push(problem);
  }
  const lost = `the next update would delete ${counted(deleted.length, "resource")}: ${few(deleted.map(titleOf), 3)}`;
  const missing = `The program, which starts with ${start}, does not declare all imported resources: ${lost}`;
  return [...(deleted.length > 0 ? [missing] : []), ...new Set(problems)];
}

export function createdIn(steps: readonly EngineStep[]): string[] {
  return steps.flatMap(({ op, urn, newState }) =>
    op === "create" && newState && managedOf("", newState) ? [nameOfUrn(urn)] : [],
  );
}

function differing(step: EngineStep, item: PlannedItem): string {
  const changes = changesOf(step);
  const properties = few(changes.map(({ property }) => property)) || "a hidden property";
  return (
    `${titleOf(item)} is declared with other values than in the service, so the next update would ${step.op} it (${properties}): ` +
    "correct the program, or let the next update change the record"
  );
}

/** Describes a second declaration of an imported record. The next update would try to create the record again. */
function declaredTwice({ newState }: EngineStep, items: readonly PlannedItem[]): string[] {
  const declared = newState && managedOf("", newState);
  const item = declared && items.find((plannedItem) => isOf(declared, plannedItem));
  if (!item) return [];
  const path = item.path === undefined ? "" : ` in ${item.path}`;
  const place = declared.position ? ` in ${positionText(declared.position)}` : "";
  return [
    `${titleOf(item)} is declared twice: as ${quoted(item.name)}${path}, and as ${quoted(declared.name)}${place}, which the next update ` +
      "would try to create. Remove one of the two declarations from the program. If you remove the imported resource, also remove it from state with `pulumi state delete`, and import again",
  ];
}

function titleOf({ of, id, title }: PlannedItem): string {
  return `${of.kind.noun} ${title === undefined ? id : `${quoted(title)} (${id})`}`;
}
