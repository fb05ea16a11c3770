import type { ExitCode } from "./command";
import { carryOut, planFor } from "./import/carry-out";
import { readOptions } from "./import/options";
import { dataOf, textOf } from "./import/report";
import { readSecrets } from "./import/secrets";
import { targetOf } from "./import/target";
import type { Io } from "./io";
import type { Output } from "./output";

/** Runs the command. */
export async function runImport(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const asked = readOptions(args);
  const given = asked.secrets === undefined ? new Map<string, string>() : readSecrets(asked.secrets, io.cwd);
  const target = await targetOf(asked, out, io);
  const outcome = await carryOut(await planFor(asked, given, target, out, io), asked, target, out, io);
  out.result(dataOf(outcome), () => textOf(outcome, io));
  for (const problem of outcome.problems ?? []) out.error(problem);
  if (outcome.problems?.length) return 1;
  return outcome.plan.items.some(({ fate }) => fate === "inexpressible") ? 2 : 0;
}
