import { FileBackend } from "../../../engine/backend";
import { engineError, type EngineRun, interruption, writesStateOnce } from "../../../engine/run";
import type { ProjectStack } from "../../../engine/stack";
import { carryOut, type UpdateStep } from "../../../engine/update";
import type { Output } from "../../report/output";
import { counted, shellWord } from "../../../common/text";
import type { PlannedSecret } from "./plan";
import { InterruptedError, UsageError } from "../../../common/errors";

/** Message if the user interrupts the command before the import. */
export const filesWritten = "The files are written: run the command again for the rest.";

/** Arguments for `pulumi import`. The engine must not generate code, because this command writes the program. */
export function importArguments(file: string): string[] {
  return ["import", "--file", file, "--generate-code=false", "--yes"];
}

export function commandLine(args: readonly string[], stack: string | undefined): string {
  return ["pulumi", ...args, ...(stack === undefined ? [] : ["--stack", stack])].map(shellWord).join(" ");
}

export function configArguments(key: string): string[] {
  return ["config", "set", "--secret", key];
}

export function lackingSecrets(secrets: readonly PlannedSecret[]): PlannedSecret[] {
  return secrets.filter(({ value, configured }) => value !== undefined && !configured);
}

/** Writes secrets into the stack configuration. @throws UsageError, InterruptedError */
export async function configure(stack: ProjectStack, secrets: readonly PlannedSecret[], out: Output): Promise<void> {
  const lacking = lackingSecrets(secrets);
  for (const [i, { key, value }] of lacking.entries()) {
    out.progress(`Setting secret ${i + 1} of ${lacking.length} in the configuration of stack ${stack.name}`);
    // The command passes the value on standard input, because other processes can see arguments. The engine removes the line break after
    // the value.
    const run = await stack.run(configArguments(key), { input: `${value}\n` });
    if (run.interrupted) throw interruption(`Interrupted. ${filesWritten}`, run);
    if (run.code !== 0) throw engineError(`Setting ${key} in the configuration of stack ${stack.name} failed`, run);
  }
}

/** Imports an import file with the engine. @throws UsageError, InterruptedError */
export async function importInto(stack: ProjectStack, file: string, count: number, out: Output): Promise<void> {
  let done = 0;
  out.progress(`Importing ${counted(count, "resource")} into stack ${stack.name}`);
  const counting = ({ op }: UpdateStep): void => {
    if (op === "import") out.count((done += 1), count);
  };
  const { run, failures } = await carryOut(stack, importArguments(file), counting, writesStateOnce);
  if (run.interrupted) throw await withLock(stack, run, interruption(`Interrupted. ${filesWritten}`, run));
  if (run.code === 0) return;
  const reasons = failures.map(({ reason }) => reason).join("; ");
  const error = new UsageError(`The files were written, but the import into stack ${stack.name} failed: ${reasons}`, "work");
  throw await withLock(stack, run, error);
}

/** Adds the path of the stack's lock file to an import error, because the lock would block the next run. */
async function withLock(stack: ProjectStack, { interrupted }: EngineRun, error: Error): Promise<Error> {
  const [lock] = (await FileBackend.of(stack.project))?.locks(stack.name) ?? [];
  if (lock === undefined) return error;
  const cancel = commandLine(["cancel", "--yes"], stack.name);
  const locked = `Stack ${stack.name} is locked by ${lock}: if no other pulumi uses it, unlock it with \`${cancel}\`, then run the command again`;
  const message = `${error.message.replace(/\.?$/, ".")} ${locked}`;
  return interrupted ? new InterruptedError(message) : new UsageError(message, "work");
}
