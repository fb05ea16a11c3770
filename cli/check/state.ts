import { UsageError } from "../command";
import { FileBackend } from "../engine/backend";
import { previewStack } from "../engine/preview";
import type { ProjectStack } from "../engine/stack";
import { counted } from "../report/text";
import { sameRecord, sameRecordText } from "../same-record";
import { type Checks, failed, ok, skipped, warning } from "./checks";

/** The state of the stack, read as `drift` and `verify` read it: with its secrets opened. */
export async function checkState(checks: Checks, stack: ProjectStack | undefined): Promise<void> {
  if (stack === undefined) return;
  await checks.run("state", ["stack"], async () => {
    try {
      const held = await stack.managed();
      const [group, ...others] = sameRecord(held);
      if (group === undefined) return ok(`${counted(held.length, "resource")} of ours, and its secrets can be opened`);
      const { message, fix } = sameRecordText(group);
      return warning(others.length === 0 ? message : `${message}; and so in ${counted(others.length, "other case")}`, fix);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const fix = `pulumi stack export --show-secrets --stack ${stack.name} must work; for a passphrase, export PULUMI_CONFIG_PASSPHRASE`;
      return failed(`the state of stack ${stack.name} cannot be read with its secrets: ${error.message}`, fix);
    }
  });
  await checks.run("lock", ["stack"], async () => {
    const backend = await FileBackend.of(stack.project);
    if (backend === undefined) return skipped("not checked: the backend keeps its locks itself");
    if (backend.locks(stack.name).length === 0) return ok("the stack is free");
    const message = `stack ${stack.name} is locked: an update is under way, or one was killed`;
    return failed(message, `once no update is under way: pulumi cancel --stack ${stack.name}`);
  });
}

/** A preview, as `review` and `pulumi up` begin: it starts the engine, its secrets, the provider and the program. */
export async function checkPreview(checks: Checks, stack: ProjectStack | undefined): Promise<void> {
  if (stack === undefined) return;
  await checks.run("preview", ["provider", "settings", "state", "base URL", "token", "account group"], async () => {
    try {
      await previewStack(stack, `stack ${stack.name} cannot be previewed`);
      return ok(`stack ${stack.name} can be previewed`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return failed(
        error.message,
        "endpoint-monitoring validate lists the mistakes of the program; pulumi preview shows the rest",
      );
    }
  });
}
