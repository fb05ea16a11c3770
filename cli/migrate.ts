import { type ExitCode, UsageError } from "./command";
import type { Io } from "./io";
import { subjects } from "./migrate/help";
import { migrateLabels } from "./migrate/labels";
import { suggestion } from "./nearest";
import type { Output } from "./report/output";

/** What is migrated, by the word of the command line. */
const migrations: Record<(typeof subjects)[number], (args: readonly string[], out: Output, io: Io) => Promise<ExitCode>> = {
  labels: migrateLabels,
};

/** The subject is the first word: what follows an option may be its value. */
export async function runMigrate([given, ...args]: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const subject = subjects.find((one) => one === given);
  if (subject !== undefined) return migrations[subject](args, out, io);
  const known = subjects.join(", ");
  if (given === undefined || given.startsWith("-")) {
    throw new UsageError(`The first word is what to migrate: ${known}`);
  }
  throw new UsageError(`"${given}" cannot be migrated${suggestion(given, subjects)}. There is ${known}`);
}
