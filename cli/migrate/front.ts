import { UsageError, type ExitCode, options, wordsOf } from "../command";
import { previewStack } from "../engine/preview";
import type { EngineStep } from "../engine/preview-output";
import { Project } from "../engine/project";
import type { ProjectStack } from "../engine/stack";
import { kindNameOf, managedOf, nameOfUrn } from "../engine/state";
import { type Front, fronts } from "../front";
import { frontOfToken } from "../front-token";
import { commandLine } from "../import/steps";
import type { Io } from "../io";
import type { Output } from "../report/output";
import { markdownOption, present } from "../report/present";
import { putBack, writeEdits } from "../source/edit-files";
import { mistakeIn } from "../source/typescript";
import type { Unmoved } from "../source/fronts";
import { frontDocument } from "./front-document";
import { type FrontPlan, planFront } from "./front-plan";
import { frontOptions } from "./help";
import type { PendingChange } from "./report";

/** What a preview after a move shows. */
export interface MovePreview {
  /** Resources that the next update moves, and does nothing else to. */
  readonly moves: number;
  /** Those that it moves and changes, or changes. */
  readonly also: readonly PendingChange[];
  /** Names of resources that stay on the other front. */
  readonly stay: readonly { readonly name: string; readonly place?: string }[];
}

/** What a run of `migrate --to` found and did. */
export interface FrontReport {
  readonly to: Front;
  readonly state: "written" | "planned" | "done";
  readonly files: readonly { readonly path: string; readonly changes: readonly EditedLine[] }[];
  readonly left: readonly Unmoved[];
  /** Absent where no stack was previewed. */
  readonly stack?: string;
  readonly preview?: MovePreview;
  readonly otherStacks: readonly string[];
  readonly next: readonly string[];
}

/** A line that an edit changes, adds or takes out. */
export interface EditedLine {
  readonly line: number;
  readonly before?: string;
  readonly after?: string;
}

/** `endpoint-monitoring migrate --to native|dynamic` */
export async function migrateFront(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, frontOptions);
  const [to] = given.to === undefined ? [] : wordsOf("to", [given.to], fronts);
  if (to === undefined) throw new UsageError(`--to takes ${fronts.join(" or ")}`);
  const markdown = markdownOption(given);
  const report = await move(to, given.stack, given["dry-run"] ?? false, out, io);
  const unwritten = present(frontDocument(report), markdown, out, io);
  if (unwritten !== undefined) {
    out.error(unwritten);
    return 1;
  }
  return report.left.length > 0 ? 2 : 0;
}

async function move(to: Front, name: string | undefined, dryRun: boolean, out: Output, io: Io): Promise<FrontReport> {
  const project = Project.open(io);
  if (project.noTypeScript !== undefined) {
    throw new UsageError(`The program of project ${project.name} cannot be edited: ${project.noTypeScript}`, "work");
  }
  out.progress("Reading the program");
  const plan = await planFront(project, to, () => hasPluginResources(project, out));
  const edits = [...(plan.projectFile ? [plan.projectFile] : []), ...plan.program];
  const files = edits.map(({ path, before, after }) => ({ path, changes: changedLines(before, after) }));
  const base = { to, files, left: plan.left, otherStacks: [] };
  if (edits.length === 0) return { ...base, state: "done", next: plan.keepsPlugin ? [keepsAdvice(undefined)] : [] };
  if (dryRun) return { ...base, state: "planned", next: ["Run this without --dry-run to write it."] };

  const stacks = plan.program.length > 0 ? await project.stackNames() : [];
  // Before anything is written: which stack is meant may not be known.
  const stack = stacks.length > 0 ? await project.stack(name) : undefined;
  for (const { path, after } of plan.program) {
    if (mistakeIn(plan.source.ts, path, after))
      throw new UsageError(`${path} would be no valid program, so nothing was written`, "work");
  }
  writeEdits(project.folder, edits);
  let preview: MovePreview | undefined;
  try {
    preview = stack && plan.compiledBy === undefined ? await previewMove(stack, to, out) : undefined;
  } catch (error) {
    putBack(project.folder, edits);
    throw error instanceof UsageError ? await explained(error, plan, stack) : error;
  }
  out.doneSoFar = "The program is edited: look at it, and run `pulumi up`.";
  const otherStacks = stacks.filter((one) => one !== stack?.name);
  return {
    ...base,
    state: "written",
    ...(stack && { stack: stack.name }),
    ...(preview && { preview }),
    otherStacks,
    next: nextOf(plan, stack?.name),
  };
}

function nextOf(plan: FrontPlan, stack: string | undefined): string[] {
  if (plan.program.length === 0) return [];
  const compile =
    plan.compiledBy === undefined ? [] : [`Compile the program (${plan.compiledBy}), and look at \`pulumi preview\`.`];
  const up = `Look at the change of the program, and run \`${commandLine(["up"], stack)}\`, which moves the resources in the state alone.`;
  return [...compile, up, ...(plan.keepsPlugin ? [keepsAdvice(stack)] : [])];
}

function keepsAdvice(stack: string | undefined): string {
  const when = stack === undefined ? "Once no stack has resources of the plugin" : "After an update of each stack";
  return `${when}, run this command again: it takes the plugin out of Pulumi.yaml, which the engine needs until then.`;
}

/** Whether any stack of the project has resources of the plugin; one that cannot be read may. */
async function hasPluginResources(project: Project, out: Output): Promise<boolean> {
  out.progress("Reading the stacks");
  let isUnknown = false;
  const all = await project.managedByOthers(new Set(), ({ message }) => {
    isUnknown = true;
    out.warn(`${message}, so the plugin stays in the project file`);
  });
  return (
    isUnknown ||
    all.some(({ urn }) => urn.includes("::endpoint-monitoring:index:") || urn.includes("$endpoint-monitoring:index:"))
  );
}

const harmless = new Set(["same", "update", "read", "refresh"]);

/**
 * Has the engine preview the edited program.
 *
 * @throws UsageError where it does not run, or would create, delete or replace a resource
 */
async function previewMove(stack: ProjectStack, to: Front, out: Output): Promise<MovePreview> {
  out.progress(`Previewing stack ${stack.name}`);
  const { steps } = await previewStack(stack, `The edited program of stack ${stack.name} cannot be previewed`, [
    "--show-sames",
  ]);
  const own = steps.filter((step) => kindNameOf(typeIn(step)) !== undefined);
  const wrong = own.filter(({ op }) => !harmless.has(op));
  if (wrong.length > 0) {
    const what = [...new Map(wrong.map(({ urn, op }) => [urn, `${op} ${nameOfUrn(urn)}`])).values()].slice(0, 10).join(", ");
    throw new UsageError(`The next update would do more than move resources (${what}), so the files are as they were`, "work");
  }
  const moving = own.filter(({ oldState, newState }) => oldState && newState && oldState.type !== newState.type);
  const changed = own.filter(({ op }) => op === "update");
  const stay = own.filter((step) => frontOfToken(typeIn(step)) !== to);
  return {
    moves: moving.length,
    also: changed.map(({ urn, op }) => ({ op, name: nameOfUrn(urn), urn })),
    stay: stay.map(({ urn, newState, oldState }) => {
      const state = newState ?? oldState;
      const position = state && managedOf(stack.name, state)?.position;
      return { name: nameOfUrn(urn), ...(position && { place: `${position.file}:${position.line}` }) };
    }),
  };
}

function typeIn({ newState, oldState }: EngineStep): string {
  return newState?.type ?? oldState?.type ?? "";
}

/** The error of a preview, with what is likely behind it: changes that wait, or what is left to a person. */
async function explained(error: UsageError, plan: FrontPlan, stack: ProjectStack | undefined): Promise<UsageError> {
  const hints = plan.left.map(({ position, advice }) => `${position.file}:${position.line}: ${advice}`);
  if (/more than move/.test(error.message) && stack) {
    hints.unshift(
      `changes of the program that wait for it: run \`${commandLine(["preview"], stack.name)}\` and, if it has these, \`pulumi up\` first`,
    );
  }
  if (hints.length === 0) return error;
  return new UsageError(`${error.message.replace(/\.?$/, ".")} Possible reasons: ${hints.join("; ")}`, "work");
}

/** The lines in which two texts differ: one by one where they have as many, else what is between the beginnings and ends they share. */
export function changedLines(before: string, after: string): EditedLine[] {
  const [old, fresh] = [before, after].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  if (old.length === fresh.length) {
    return old.flatMap((line, i) => (line === fresh[i] ? [] : [{ line: i + 1, before: line, after: fresh[i] ?? "" }]));
  }
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  return [
    ...old.slice(start, old.length - end).map((line, i) => ({ line: start + i + 1, before: line })),
    ...fresh.slice(start, fresh.length - end).map((line, i) => ({ line: start + i + 1, after: line })),
  ];
}
