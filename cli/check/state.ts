import { FileBackend } from "../engine/backend";
import { previewStack } from "../engine/preview";
import type { ProjectStack } from "../engine/stack";
import { counted } from "../report/text";
import { sameRecord, sameRecordText } from "../same-record";
import { type Checks, failed, ok, type Outcome, skipped, warning, withAdvice } from "./checks";

/** Checks the state of a stack as `drift` and `verify` read it, with its secrets opened, and its lock. @returns the check of the state */
export async function checkState(checks: Checks, stack: ProjectStack): Promise<Outcome> {
  const { name } = stack;
  const read = async () => {
    const held = await stack.managed();
    const [group, ...others] = sameRecord(held);
    if (group === undefined) return ok(`${counted(held.length, "resource")} of ours, and its secrets can be opened`);
    const { message, fix } = sameRecordText(group);
    return warning(others.length === 0 ? message : `${message}; and so in ${counted(others.length, "other case")}`, fix);
  };
  const advice = `pulumi stack export --show-secrets --stack ${name} must work; for a passphrase, export PULUMI_CONFIG_PASSPHRASE`;
  const closed = `the state of stack ${name} cannot be read with its secrets: `;
  const state = await checks.run("state", [], () => withAdvice(read, advice, closed));
  await checks.run("lock", [], async () => {
    const backend = await FileBackend.of(stack.project);
    if (backend === undefined) return skipped("not checked: the backend keeps its locks itself");
    if (backend.locks(name).length === 0) return ok("the stack is free");
    const message = `stack ${name} is locked: an update is under way, or one was killed`;
    return failed(message, `once no update is under way: pulumi cancel --stack ${name}`);
  });
  return state;
}

/** Previews a stack, as `review` and `pulumi up` begin: that starts the engine, its secrets, the provider and the program. */
export async function checkPreview(checks: Checks, stack: ProjectStack, needs: Outcome<unknown>[]): Promise<void> {
  const preview = async () => {
    await previewStack(stack, `stack ${stack.name} cannot be previewed`);
    return ok(`stack ${stack.name} can be previewed`);
  };
  const advice = "endpoint-monitoring validate lists the mistakes of the program; pulumi preview shows the rest";
  await checks.run("preview", needs, () => withAdvice(preview, advice));
}
