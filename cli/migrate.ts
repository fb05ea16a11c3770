import { type ExitCode, UsageError } from "./command";
import type { Io } from "./io";
import { subjects } from "./migrate/help";
import { migrateLabels } from "./migrate/labels";
import { suggestion } from "./nearest";
import type { Output } from "./report/output";

/** The subject is the first word: what follows an option may be its value. */
export async function runMigrate([given, ...args]: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const known = subjects.join(", ");
  if (given === undefined || given.startsWith("-")) throw new UsageError(`The first word is what to migrate: ${known}`);
  if (given !== "labels")
    throw new UsageError(`"${given}" cannot be migrated${suggestion(given, subjects)}. There is ${known}`);
  return migrateLabels(args, out, io);
}
