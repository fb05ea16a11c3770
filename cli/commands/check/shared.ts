import { readOtherManagers } from "../drift/other-managers";
import type { Session } from "../../../provider/session";
import type { ProjectStack } from "../../../engine/stack";
import type { Output } from "../../report/output";
import { few } from "../../../common/text";
import { sharedRecords } from "../../../plan/shared-records";
import { type Checks, failed, ok, type Outcome, warning } from "./checks";

const maxRecords = 5;

/** Checks that each record of a stack exists only once and that no other stack manages the record. */
export async function checkShared(
  checks: Checks,
  { stack, session }: { stack: ProjectStack; session: Session },
  needs: Outcome<unknown>[],
  out: Output,
): Promise<void> {
  const compare = async () => {
    const otherManagers = await readOtherManagers(stack.project, new Set([stack.name]), [], out);
    const shared = await sharedRecords([{ managed: await stack.managed(), session }], otherManagers.managed);
    const unread = otherManagers.unread.join(", ");
    const notRead =
      unread === "" ? "" : `. These stacks could not be read, so the check may have missed shared records: ${unread}`;
    if (shared.length > 0) {
      const records = few(
        shared.map(({ check, text }) => `${check}: ${text}`),
        maxRecords,
      );
      return failed(`${records}${notRead}`, "endpoint-monitoring drift lists all of them, with their stacks");
    }
    const message = `each record of stack ${stack.name} exists once, and no other stack manages it${notRead}`;
    if (unread === "") return ok(message);
    return warning(message, "make sure that pulumi stack export works for each stack of the project");
  };
  const fix = "make sure that pulumi stack export works for each stack of the project";
  await checks.run("shared records", needs, compare, fix);
}
