import { UsageError } from "../command";
import { changingSteps, previewStack } from "../engine/preview";
import { nameOfUrn } from "../engine/state";
import type { Output } from "../report/output";
import { putBack, writeEdits } from "../edit/edit-files";
import { mistakeIn } from "../edit/typescript";
import type { PendingChange } from "./report";
import type { Local } from "./situation";
import type { Excluded, StepPlan } from "./step-plan";

/** A step that was written. */
export interface WrittenStep {
  readonly plan: StepPlan;
  readonly also: readonly PendingChange[];
}

/**
 * Writes a step into the program, and has the engine preview it: the next update may do nothing but what the step announces. What
 * would become something else is left out; till then nothing but the source is touched, which is put back where it does not run.
 *
 * @param planWithout plans the step without some resources
 * @throws UsageError where the edited program does not run, or changes something else
 */
export async function writeStep(
  local: Local,
  planWithout: (excluded: Excluded) => StepPlan,
  out: Output,
): Promise<WrittenStep> {
  const { project, instances } = local;
  const excluded = new Map<string, string>();
  for (;;) {
    const plan = planWithout(excluded);
    if (plan.edits.length === 0) return { plan, also: [] };
    const { edits } = plan;
    const broken = edits.find(({ path, after }) => mistakeIn(instances.source.ts, path, after));
    if (broken)
      throw new UsageError(`${broken.path} would be no valid program, so nothing was written. Edit it by hand`, "work");
    writeEdits(project.folder, edits);
    let found: Preview;
    try {
      found = await previewed(local, plan, out);
    } catch (error) {
      putBack(project.folder, edits);
      throw error;
    }
    if (found.wrong.size === 0) {
      out.doneSoFar = "The program is edited: look at it, and run `pulumi up`.";
      return { plan, also: found.also };
    }
    putBack(project.folder, edits);
    // Each round leaves out at least one resource more.
    const before = excluded.size;
    for (const [urn, why] of found.wrong) excluded.set(urn, why);
    if (excluded.size === before) {
      const what = [...found.wrong].map(([urn, why]) => `${nameOfUrn(urn)}: ${why}`).join("; ");
      throw new UsageError(`The edited program would do something else than announced, so it was put back: ${what}`, "work");
    }
  }
}

interface Preview {
  /** What is otherwise than announced, by URN. */
  readonly wrong: ReadonlyMap<string, string>;
  readonly also: readonly PendingChange[];
}

async function previewed({ stack }: Local, { expected, step }: StepPlan, out: Output): Promise<Preview> {
  out.progress(`Previewing stack ${stack.name} with the edited program`);
  const preview = await previewStack(stack, `The edited program of stack ${stack.name} cannot be previewed, and was put back`);
  const steps = Map.groupBy(changingSteps(preview), ({ urn }) => urn);
  const wrong = new Map<string, string>();
  for (const [urn, { op, mistake }] of expected) {
    const own = steps.get(urn) ?? [];
    const ops = new Set(own.map((one) => one.op));
    const [only, ...others] = ops;
    const inputs = own.find(({ newState }) => newState?.inputs)?.newState?.inputs;
    const why = inputs && mistake?.(inputs);
    if (others.length > 0 || only !== op)
      wrong.set(urn, `the edited program does not ${op} it, but ${[...ops].join(", ") || "leaves it"}`);
    else if (why !== undefined) wrong.set(urn, `the edited program declares it otherwise: ${why}`);
  }
  const rest = [...steps].filter(([urn]) => !expected.has(urn));
  const also = rest.map(([urn, [first]]) => ({ op: first?.op ?? "", name: nameOfUrn(urn), urn }));
  // What refers to a replaced test changes with it; a new tag, and a label that nothing uses, change nothing else.
  if (step !== "tests") for (const { urn, op } of also) wrong.set(urn, `the edited program would ${op} it`);
  return { wrong, also };
}
