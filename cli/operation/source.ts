import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { settings } from "../../api";
import type { Session } from "../../provider/session";
import { UsageError } from "../command";
import { explainedFailure } from "../engine/diagnostics";
import { PreviewError, previewWithSecrets, readPreview, type StackPreview } from "../engine/preview";
import { Project } from "../engine/project";
import { openSession, type ProjectStack } from "../engine/stack";
import { reasonOf } from "../files";
import type { HeldState } from "../engine/state";
import type { Io } from "../io";
import type { Output } from "../report/output";
import type { SeenAddress } from "./address";
import { mayAdopt, type Operation, operationOf } from "./operation";

/** An operation, and how to reach the service it is about. */
export interface OperationSource {
  operation: Operation;
  /** @throws UsageError, ConfigurationError */
  session: () => Promise<Session>;
}

/** An operation that this command previewed, with the stack that it is of. */
export interface OwnOperation extends OperationSource {
  stack: ProjectStack;
  held: HeldState;
}

export interface OpenedStack {
  stack: ProjectStack;
  /** Its state, which is being read. */
  reading: Promise<HeldState>;
}

/** Opens the stack of a command. @throws UsageError */
export async function openStack(stackName: string | undefined, io: Io): Promise<OpenedStack> {
  const stack = await Project.open(io).stack(stackName);
  const reading = stack.heldState();
  // If the preview fails too, its reasons are reported.
  reading.catch(() => undefined);
  return { stack, reading };
}

/** Runs a preview of a stack. @param address where its requests go, if that is reviewed @throws UsageError with all that the engine wrote where there is none, InterruptedError */
export async function runPreview(
  { stack, reading }: OpenedStack,
  out: Output,
  io: Io,
  address?: SeenAddress,
): Promise<OwnOperation> {
  out.progress(`Previewing stack ${stack.name}…`);
  try {
    const preview = await previewWithSecrets(stack, "The preview failed", reading);
    const held = await reading;
    const operation = operationOf(withEnvironment(preview, io), held);
    const warn = ({ message }: UsageError): void => out.warn(message);
    const ofOtherStacks = mayAdopt(operation) ? await stack.project.managedByOthers(new Set([stack.name]), warn) : [];
    return { stack, held, operation: { ...operation, ofOtherStacks, address }, session: () => stack.session() };
  } catch (error) {
    throw error instanceof PreviewError ? await explainedFailure(error, stack) : error;
  } finally {
    out.endProgress();
  }
}

/** Reads a preview that was made before; `-` is standard input. @throws UsageError */
export async function givenPreview(file: string, stackName: string | undefined, out: Output, io: Io): Promise<OperationSource> {
  const source = file === "-" ? "Standard input" : file;
  const preview = readPreview(await read(file, source, io), source);
  const session = () => sessionFor(preview, stackName, out, io);
  return { operation: operationOf(withEnvironment(preview, io)), session };
}

/** A preview with settings of the environment where the stack has none, as the provider reads its settings. */
function withEnvironment(preview: StackPreview, { env }: Io): StackPreview {
  const createsFirst = preview.createsFirst || env[settings.replaceOrder.env] === "create-first";
  return { ...preview, adopt: preview.adopt || env[settings.adopt.env], createsFirst };
}

async function read(file: string, name: string, io: Io): Promise<string> {
  try {
    return file === "-" ? await textOf(io.stdin) : readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new UsageError(`${name} cannot be read (${reasonOf(error)})`, "work");
  }
}

/** The settings of the stack that a preview is of, where this is its project; else those of the environment. */
async function sessionFor(preview: StackPreview, stackName: string | undefined, out: Output, io: Io): Promise<Session> {
  const stack = await stackOf(preview, stackName, io);
  if (typeof stack !== "string") return stack.session();
  if (stackName !== undefined) throw new UsageError(`The settings of stack ${stackName} cannot be read: ${stack}`, "work");
  out.progress(`Settings come from the environment (${stack.replace(/\. .*/s, "")})`);
  return openSession(io);
}

/** The stack that a preview is of, or why it cannot be used. */
async function stackOf(preview: StackPreview, stackName: string | undefined, io: Io): Promise<ProjectStack | string> {
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
