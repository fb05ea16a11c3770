import { sameRecord, sameRecordText } from "../same-record";
import type { ProjectStack } from "../engine/stack";
import { counted } from "../report/text";
import { type Checks, ok, warning } from "./checks";

/** What the stack holds, as far as that tells of trouble. Secrets stay closed. */
export async function checkState(checks: Checks, stack: ProjectStack | undefined): Promise<void> {
  if (stack === undefined) return;
  await checks.run("state", ["stack"], async () => {
    const held = await stack.project.foreign(stack.name);
    const [group, ...others] = sameRecord(held);
    if (group === undefined) return ok(`${counted(held.length, "resource")} of ours`);
    const { message, fix } = sameRecordText(group);
    return warning(others.length === 0 ? message : `${message}; and so in ${counted(others.length, "other case")}`, fix);
  });
}
