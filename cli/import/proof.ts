import { compare } from "../../provider/compare";
import { UsageError } from "../command";
import { changingSteps, previewStack } from "../engine/preview";
import type { EngineStep } from "../engine/preview-output";
import type { ProjectStack } from "../engine/stack";
import { kindNameOf, managedOf, nameOfUrn, parentOf, positionText, secretMask } from "../engine/state";
import { isReportedOnly } from "../../provider/reported-only";
import { hasUnknown, type Properties } from "../../provider/values";
import type { Output } from "../report/output";
import { counted, few } from "../report/text";
import { quoted } from "../edit/literal";
import { isOf } from "./declared";
import type { GeneratedFile } from "./generate";
import type { ImportEntry } from "./import-file";
import { type ProgramPlace, placeWith } from "./place";
import { isOpen, type PlannedItem, type ImportPlan } from "./plan";
import { loadedWith, Program } from "./program";

interface PlannedImport {
  readonly stack: ProjectStack;
  readonly plan: ImportPlan;
  readonly entries: readonly ImportEntry[];
  readonly place: ProgramPlace;
  readonly files: readonly GeneratedFile[];
}

/** The result of the preview before an import. */
interface Proof {
  /** Problems that keep the import from being run. */
  readonly contradicted: readonly string[];
  /** Secrets that the next update only records. */
  readonly recorded: readonly string[];
  /** Whether the program refers to resources that are not in the state yet, so that only a preview after the import is complete. */
  readonly isOpen: boolean;
}

/**
 * Has the engine preview the program before the import, and finds the changes that an update after it would make to the imported
 * resources, or to those of an earlier import whose file the program does not load.
 *
 * @returns undefined if nothing is imported
 * @throws InterruptedError
 */
export async function proofOf(planned: PlannedImport, out: Output): Promise<Proof | undefined> {
  const { stack, plan, entries, place } = planned;
  const before = new Program(place);
  const stray = plan.items.filter(({ status, of, name }) => status === "managed" && isStray(before, of.kind.name, name));
  if (entries.length === 0 && stray.length === 0) return undefined;
  // A program may declare a value that only the service sets once the state holds it.
  if (entries.some(hasReportedOnly)) return { contradicted: [], recorded: [], isOpen: true };
  out.progress(`Previewing stack ${stack.name}`);
  try {
    const steps = changingSteps(await previewStack(stack, "The preview failed"));
    const after = afterImport(steps, entries);
    const own = new Set(plan.items.flatMap(({ declared }) => (declared ? [declared.urn] : [])));
    const problems = async (of: readonly EngineStep[]): Promise<string[]> => problemsOf(of, planned, stray);
    return {
      contradicted: await problems(after.steps),
      recorded: await problems(after.recorded),
      isOpen: steps.some(({ urn, newState }) => own.has(urn) && hasUnknown(newState?.inputs)),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      contradicted: [`Nothing was imported, since the program cannot be previewed: ${error.message}`],
      recorded: [],
      isOpen: false,
    };
  }
}

function hasReportedOnly({ type, inputs, outputs }: ImportEntry): boolean {
  const kind = managedOf("", { urn: "", type, inputs, outputs })?.kind;
  return kind !== undefined && Object.entries(inputs).some(([property, value]) => isReportedOnly(kind, property, value));
}

/** Previews the program after the import, and finds the changes of imported resources. */
export async function problemsAfter(planned: PlannedImport): Promise<string[]> {
  return problemsOf(changingSteps(await previewStack(planned.stack, "The preview failed")), planned, []);
}

async function problemsOf(
  steps: readonly EngineStep[],
  { plan, place, files }: PlannedImport,
  stray: readonly PlannedItem[],
): Promise<string[]> {
  return problemsIn(steps, [...plan.items.filter(isOpen), ...stray], new Program(await placeWith(place, files)));
}

/** The steps that a preview after the import would have, from those before it: a create of an entry becomes what is left to do. */
function afterImport(steps: readonly EngineStep[], entries: readonly ImportEntry[]) {
  const keyOf = (type: string, name: string, parent: string | undefined): string => [type, name, parent].join(" ");
  const creates = new Map(
    steps.flatMap((step) => {
      const { op, newState, urn } = step;
      return op === "create" && newState ? [[keyOf(newState.type, nameOfUrn(urn), parentOf(newState)), step] as const] : [];
    }),
  );
  const imported = new Set<EngineStep>();
  const [changed, recorded]: [EngineStep[], EngineStep[]] = [[], []];
  for (const { type, name, id, inputs, outputs, parent } of entries) {
    const step = creates.get(keyOf(type, name, parent));
    const oldState = { urn: step?.urn ?? name, type, id, inputs, outputs };
    if (!step?.newState) changed.push({ op: "delete", urn: oldState.urn, oldState });
    else {
      imported.add(step);
      const newState = { ...step.newState, inputs: unmasked(step.newState.inputs, inputs) };
      const changes = changesOf({ oldState, newState });
      if (changes.length === 0) continue;
      const list = changes.every(({ recordsOnly }) => recordsOnly) ? recorded : changed;
      list.push({ op: "update", urn: step.urn, oldState, newState });
    }
  }
  return { steps: [...changed, ...steps.filter((step) => !imported.has(step))], recorded };
}

/** A preview hides secrets, and does not know ids before the import: both are those of the import. */
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

export function problemsIn(steps: readonly EngineStep[], items: readonly PlannedItem[], program: Program): string[] {
  const recordOf = new Map(items.map((item) => [`${item.of.name} ${item.id}`, item]));
  const deleted: PlannedItem[] = [];
  const problems: string[] = [];
  for (const step of steps) {
    const { op, oldState } = step;
    const item = oldState && recordOf.get(`${kindNameOf(oldState.type) ?? ""} ${oldState.id ?? ""}`);
    if (item && op === "delete") deleted.push(item);
    else if (item && (op === "update" || op === "replace")) problems.push(differing(step, item));
    else if (op === "create") problems.push(...declaredTwice(step, items));
  }
  return [...notDeclared(deleted, program), ...new Set(problems)];
}

/** Whether a file declares a resource and the program does not load that file, as far as its text shows. */
function isStray(program: Program, className: string, name: string): boolean {
  const files = (program.place.source?.find(className, name) ?? []).map(({ position }) => position.file);
  return files.length > 0 && files.every((file) => file !== program.place.start && !program.isStarted(file));
}

function notDeclared(items: readonly PlannedItem[], program: Program): string[] {
  const start = program.place.start ?? program.place.entry;
  return [...Map.groupBy(items, ({ of, name }) => fileOfItem(program, of.kind.name, name))].map(([file, own]) => {
    const lost = `the next update would delete ${counted(own.length, "resource")}: ${few(own.map(titleOf), 3)}`;
    if (file === undefined) return `The program, which starts with ${start}, does not declare what is imported: ${lost}`;
    if (program.isStarted(file)) return `${file} declares what the program, as the engine runs it, does not: ${lost}`;
    return `${file} is not loaded by the program, which starts with ${start}: ${lost}. Before that, ${loadedWith(program, file)}`;
  });
}

function fileOfItem(program: Program, className: string, name: string): string | undefined {
  return program.place.source?.find(className, name)[0]?.position.file;
}

function differing(step: EngineStep, item: PlannedItem): string {
  const { op } = step;
  const changes = changesOf(step);
  const properties = few(changes.map(({ property }) => property)) || "something that is not shown";
  const secret = changes.every(({ recordsOnly }) => recordsOnly) && changes.length > 0;
  const advice = secret
    ? "the service never returns it: `pulumi up` takes it down, and sends nothing"
    : "correct the program, or have the next update change the record";
  return `${titleOf(item)} is declared otherwise than the service has it, so the next update would ${op} it (${properties}): ${advice}`;
}

/** A record that is in the stack now and would be made once more. */
function declaredTwice({ newState }: EngineStep, items: readonly PlannedItem[]): string[] {
  const declared = newState && managedOf("", newState);
  const item =
    declared && items.find((one) => isOf({ of: one.of, inputs: declared.inputs }, one) && one.of.name === declared.kindName);
  if (!item) return [];
  const where = declared.position ? ` in ${positionText(declared.position)}` : "";
  return [
    `${titleOf(item)} is declared twice: as ${quoted(item.name)}${item.path === undefined ? "" : ` in ${item.path}`}, and as ${quoted(declared.name)}` +
      `${where}, which the next update would try to create. Remove one of the two from the program; ` +
      `where that is the imported one, \`pulumi state delete\` it, and import again`,
  ];
}

function titleOf({ of, id, title }: PlannedItem): string {
  return `${of.kind.noun} ${title === undefined ? id : `${quoted(title)} (${id})`}`;
}
