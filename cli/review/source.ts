import { readFileSync } from "node:fs";
import { readSettings } from "../../api";
import { Session } from "../../provider/session";
import { UsageError } from "../command";
import type { Output } from "../output";
import { Project, type ProjectStack } from "../project";
import { PlanFile } from "./plan-file";
import { type Preview, previewOf, readPreview } from "./preview";

/** A preview, and how to reach the service it is about. */
export interface Source {
  preview: Preview;
  /** @throws UsageError, ConfigurationError */
  session: () => Promise<Session>;
}

/** Runs a preview of a stack; nothing where Ctrl+C ended it. @throws UsageError */
export async function runPreview(stackName: string | undefined, out: Output): Promise<Source | undefined> {
  const stack = await (await Project.open()).stack(stackName);
  out.progress(`Previewing stack ${stack.name}…`);
  // The engine would print a stream of events instead.
  delete process.env["PULUMI_ENABLE_STREAMING_JSON_PREVIEW"];
  const plan = new PlanFile();
  try {
    const run = await stack.run(["preview", "--json", "--show-sames", "--save-plan", plan.path]);
    if (run.interrupted) return undefined;
    return { preview: { ...previewOf(run), changedInputs: plan.read() }, session: () => stack.session() };
  } finally {
    plan.remove();
    out.endProgress();
  }
}

/** Reads a preview that was made before; `-` is standard input. @throws UsageError */
export function givenPreview(file: string, stackName: string | undefined, out: Output): Source {
  const [source, text] = file === "-" ? ["Standard input", textOf(0, "Standard input")] : [file, textOf(file, file)];
  const preview = readPreview(text, source);
  return { preview, session: () => sessionFor(preview, stackName, out) };
}

function textOf(file: string | 0, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/, \w+( '.*)?$/s, "") : String(error);
    throw new UsageError(`${name} cannot be read (${reason})`, "work");
  }
}

/** The settings of the stack that a preview is of, where this is its project; else those of the environment. */
async function sessionFor(preview: Preview, stackName: string | undefined, out: Output): Promise<Session> {
  const stack = await stackOf(preview, stackName);
  if (typeof stack === "string") {
    if (stackName !== undefined) throw new UsageError(`The settings of stack ${stackName} cannot be read: ${stack}`, "work");
    out.progress(`Settings come from the environment (${stack.replace(/\. .*/s, "")})`);
  } else {
    return stack.session();
  }
  return new Session(readSettings(() => undefined));
}

/** The stack that a preview is of; why there is none, where it can't be had. */
async function stackOf(preview: Preview, stackName: string | undefined): Promise<ProjectStack | string> {
  try {
    const project = await Project.open();
    // Settings of another project's stack of the same name would be those of another service.
    if (preview.project !== project.name && preview.project !== "") return `the preview is of project ${preview.project}`;
    return await project.stack(stackName ?? (preview.stack === "" ? undefined : preview.stack));
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
