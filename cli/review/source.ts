import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { readSettings, settings } from "../../api";
import type { Session } from "../../provider/session";
import { UsageError } from "../command";
import { engineError, type EngineRun } from "../engine-run";
import type { Io } from "../io";
import type { Output } from "../output";
import { Project, type ProjectStack } from "../project";
import { openSession } from "../session";
import { messageOf } from "../words";
import { engineFailure } from "./engine-failure";
import { PlanFile } from "./plan-file";
import { type Preview, previewOf, readPreview } from "./preview";

/** A preview, and how to reach the service it is about. */
export interface Source {
  preview: Preview;
  /** @throws UsageError, ConfigurationError */
  session: () => Promise<Session>;
}

/** Runs a preview of a stack; nothing where Ctrl+C ended it. @throws UsageError */
export async function runPreview(stackName: string | undefined, out: Output, io: Io): Promise<Source | undefined> {
  const stack = await Project.open(io).stack(stackName);
  out.progress(`Previewing stack ${stack.name}…`);
  const plan = new PlanFile();
  try {
    const run = await stack.run(["preview", "--json", "--show-sames", "--save-plan", plan.path]);
    if (run.interrupted) return undefined;
    const preview = { ...(await planOf(run, stack)), changedInputs: plan.read() };
    return { preview: withEnvironment(preview, io), session: () => stack.session() };
  } finally {
    plan.remove();
    out.endProgress();
  }
}

/** @throws UsageError with all that the engine wrote where there is no plan */
async function planOf(run: EngineRun, stack: ProjectStack): Promise<Preview> {
  const what = "The preview failed";
  try {
    const preview = previewOf(run);
    if (run.code === 0 || isRefused(preview)) return preview;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.message.startsWith(what)) throw await engineFailure(error.message, run, stack);
  }
  // What it printed is no preview, or none that says why it failed: its errors do.
  throw await engineFailure(engineError(what, run).message, run, stack);
}

/** Whether the engine may have failed for nothing but the protection of what it was to delete: then its plan is whole. */
function isRefused({ steps }: Preview): boolean {
  return steps.some(({ op, oldState }) => (op === "delete" || op === "replace") && oldState?.protect === true);
}

/** Reads a preview that was made before; `-` is standard input. @throws UsageError */
export async function givenPreview(file: string, stackName: string | undefined, out: Output, io: Io): Promise<Source> {
  const source = file === "-" ? "Standard input" : file;
  const preview = readPreview(await read(file, source, io), source);
  return { preview: withEnvironment(preview, io), session: () => sessionFor(preview, stackName, out, io) };
}

/** A preview with what the environment says where the stack says nothing, as the provider reads its settings. */
function withEnvironment(preview: Preview, { env }: Io): Preview {
  return { ...preview, adopt: preview.adopt || env[settings.adopt.env] };
}

async function read(file: string, name: string, { stdin, cwd }: Io): Promise<string> {
  try {
    return file === "-" ? await textOf(stdin) : readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    const reason = messageOf(error).replace(/, \w+( '.*)?$/s, "");
    throw new UsageError(`${name} cannot be read (${reason})`, "work");
  }
}

/** The settings of the stack that a preview is of, where this is its project; else those of the environment. */
async function sessionFor(preview: Preview, stackName: string | undefined, out: Output, io: Io): Promise<Session> {
  const stack = await stackOf(preview, stackName, io);
  if (typeof stack === "string") {
    if (stackName !== undefined) throw new UsageError(`The settings of stack ${stackName} cannot be read: ${stack}`, "work");
    out.progress(`Settings come from the environment (${stack.replace(/\. .*/s, "")})`);
  } else {
    return stack.session();
  }
  return openSession(
    io,
    readSettings(() => undefined, io.env),
  );
}

/** The stack that a preview is of; why there is none, where it can't be had. */
async function stackOf(preview: Preview, stackName: string | undefined, io: Io): Promise<ProjectStack | string> {
  try {
    const project = Project.open(io);
    // Settings of another project's stack of the same name would be those of another service.
    if (preview.project !== project.name && preview.project !== "") return `the preview is of project ${preview.project}`;
    return await project.stack(stackName ?? (preview.stack === "" ? undefined : preview.stack));
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
