import { type ExitCode, UsageError } from "./command";
import type { Io } from "./io";
import { migrateLabels } from "./migrate/labels";
import type { Output } from "./report/output";

/** What can be migrated, by the word of the command line. */
const subjects: Record<string, (args: readonly string[], out: Output, io: Io) => Promise<ExitCode>> = {
  labels: migrateLabels,
};

export async function runMigrate(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const at = args.findIndex((one) => Object.hasOwn(subjects, one));
  const subject = subjects[args[at] ?? ""];
  if (subject) return subject(args.toSpliced(at, 1), out, io);
  const given = args.find((one) => !one.startsWith("-"));
  const known = Object.keys(subjects).join(", ");
  throw new UsageError(
    given === undefined ? `What is to be migrated? There is ${known}` : `"${given}" cannot be migrated. There is ${known}`,
  );
}
