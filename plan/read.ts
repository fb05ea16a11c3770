import { openedStack, stackOf } from "../engine/stacks";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { settings } from "../api";
import type { Session } from "../provider/session";
import { previewAdvice } from "../engine/diagnostics";
import { PreviewError, previewWithSecrets, readPreview } from "../engine/preview";
import type { StackPreview } from "../engine/preview-output";
import { Project } from "../engine/project";
import { openSession, type ProjectStack } from "../engine/stack";
import { reasonOf } from "../common/files";
import type { HeldState } from "../engine/state";
import type { Io } from "../engine/io";
import type { Progress } from "../common/progress";
import { type PlannedOperation, type ServiceAddress } from "./model";
import { UsageError } from "../common/errors";
import { operationOf } from "./steps";

export interface OperationSource {
  operation: PlannedOperation;
  /** @throws UsageError, ConfigurationError */
  session: () => Promise<Session>;
}

/** An operation that this command previewed, with its stack and the stack's state. */
export interface OwnOperation extends OperationSource {
  stack: ProjectStack;
  heldState: HeldState;
}

export interface OpenedStack {
  stack: ProjectStack;
  /** The stack's state. The engine may not have read the state completely yet. */
  reading: Promise<HeldState>;
}

/** @throws UsageError */
export async function openStack(stackName: string | undefined, io: Io): Promise<OpenedStack> {
  const stack = await openedStack(Project.open(io), stackName);
  const reading = stack.heldState();
  // If the state cannot be read, the preview also fails and reports the reasons.
  reading.catch(() => undefined);
  return { stack, reading };
}

/**
 * @param address the host that receives the requests, if the command reviews the host
 * @throws UsageError with reasons and advice, or InterruptedError
 */
export async function runPreview(
  { stack, reading }: OpenedStack,
  out: Progress,
  io: Io,
  address?: ServiceAddress,
): Promise<OwnOperation> {
  out.progress(`Previewing stack ${stack.name}…`);
  try {
    const preview = await previewWithSecrets(stack, "The preview failed", reading);
    const heldState = await reading;
    const operation = operationOf(withEnvironment(preview, io), heldState);
    const warn = ({ message }: UsageError): void => out.warn(message);
    const mayAdopt = operation.own.some(
      ({ op, declared }) => op === "create" && (operation.adopt === "identical" || declared?.inputs["adopt"] === true),
    );
    const ofOtherStacks = mayAdopt ? await stack.project.managedByOthers(new Set([stack.name]), warn) : [];
    return { stack, heldState, operation: { ...operation, ofOtherStacks, address }, session: () => stack.session() };
  } catch (error) {
    if (!(error instanceof PreviewError)) throw error;
    throw new PreviewError(`${error.message}\n${previewAdvice(stack)}`, error.diagnostics, error.steps);
  } finally {
    out.endProgress();
  }
}

/**
 * Reads the output of an earlier preview from a file, or from standard input (`-`).
 *
 * @throws UsageError
 */
export async function givenPreview(
  file: string,
  stackName: string | undefined,
  out: Progress,
  io: Io,
): Promise<OperationSource> {
  const source = file === "-" ? "Standard input" : file;
  const preview = readPreview(await read(file, source, io), source);
  const session = () => sessionFor(preview, stackName, out, io);
  return { operation: operationOf(withEnvironment(preview, io)), session };
}

/** Settings of the stack take precedence over the environment, as in the provider. */
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

/** Opens a session with the stack's settings. If the preview belongs to another project, the settings come from the environment. */
async function sessionFor(preview: StackPreview, stackName: string | undefined, out: Progress, io: Io): Promise<Session> {
  let stack: ProjectStack;
  try {
    const project = Project.open(io);
    // A stack with the same name in another project may use another service.
    if (preview.project !== project.name && preview.project !== "") {
      throw new UsageError(`the preview belongs to project ${preview.project}, not to project ${project.name}`);
    }
    stack = await stackOf(project, stackName ?? (preview.stack === "" ? undefined : preview.stack));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message } = error;
    if (stackName !== undefined) throw new UsageError(`The settings of stack ${stackName} cannot be read: ${message}`, "work");
    out.progress(`Settings come from the environment (${message.replace(/\. .*/s, "")})`);
    return openSession(io);
  }
  return stack.session();
}
