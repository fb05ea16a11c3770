import { openedStack } from "../../../engine/stacks";
import type { ExitCode, Invocation } from "../../command";
import type { RehearseValues } from "./options";
import { licensesOf } from "../emulator/run";
import { Project } from "../../../engine/project";
import { onFirstInterrupt } from "../../../engine/io";
import { isWell, rehearsalReport } from "./report";
import { rehearse } from "./rehearsal";
import { checkFiles, present } from "../../report/present";

export async function run(values: RehearseValues, { out, io }: Invocation): Promise<ExitCode> {
  checkFiles(values);
  const facts = {
    uniqueTestNames: values["unique-test-names"],
    licenses: values.licenses === undefined ? undefined : licensesOf(values.licenses),
  };
  const stack = await openedStack(Project.open(io), values.stack);
  const { rehearsal, twin } = await rehearse(stack, facts, out, io);
  const unwritten = present(rehearsalReport(rehearsal), values, out, io);
  if (unwritten !== undefined) out.error(unwritten);
  if (values.keep) {
    const stopped = new Promise<void>((stop) => onFirstInterrupt(io, stop));
    out.note(`The copy is at ${twin.url} until Ctrl+C ends it.`);
    await stopped;
  }
  if (unwritten !== undefined || rehearsal.strayed) return 1;
  return isWell(rehearsal) ? 0 : 2;
}
