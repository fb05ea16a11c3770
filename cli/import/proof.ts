import { compare } from "../../provider/compare";
import { UsageError } from "../command";
import { changingSteps, previewStack } from "../engine/preview";
import type { EngineStep } from "../engine/preview-output";
import type { ProjectStack } from "../engine/stack";
import { managedOf, kindNameOf, positionText } from "../engine/state";
import type { Output } from "../report/output";
import { counted, few } from "../report/text";
import { quoted } from "../edit/literal";
import { isOf } from "./declared";
import type { GeneratedFile } from "./generate";
import type { ImportEntry } from "./import-file";
import { type Place, placeWith } from "./place";
import { isOpen, type PlannedItem, type ImportPlan } from "./plan";
import { loadedWith, Program } from "./program";

export interface CompletedImport {
  readonly stack: ProjectStack;
  readonly plan: ImportPlan;
  readonly entries: readonly ImportEntry[];
  readonly place: Place;
  /** What was written. */
  readonly files: readonly GeneratedFile[];
}

/**
 * Has the engine preview the program, and reports what contradicts the import: each thing that the next update would do to what has
 * been imported, or to what an earlier import left in a file that the program does not load.
 *
 * @returns nothing where there is nothing to be proved
 * @throws InterruptedError
 */
export async function problemsAfter(
  { stack, plan, entries, place, files }: CompletedImport,
  out: Output,
): Promise<string[] | undefined> {
  const before = new Program(place);
  const stray = plan.items.filter(({ status, of, name }) => status === "managed" && isStray(before, of.kind.name, name));
  if (entries.length === 0 && stray.length === 0) return undefined;
  out.progress(`Previewing stack ${stack.name}`);
  try {
    const steps = changingSteps(await previewStack(stack, "The preview failed"));
    if (steps.length === 0) return [];
    const program = new Program(await placeWith(place, files));
    return problemsIn(steps, [...plan.items.filter(isOpen), ...stray], program);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [`The import is in the stack, but nothing shows that the program is right: ${error.message}`];
  }
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

function differing({ op, oldState, newState }: EngineStep, item: PlannedItem): string {
  const [before, after] = [oldState && managedOf("", oldState), newState && managedOf("", newState)];
  const changes = before && after ? compare(item.of.kind, before.outputs, after.inputs) : [];
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
