import { type ExitCode, UsageError } from "./command";
import type { Io } from "./io";
import { migrateFront } from "./migrate/front";
import { subjects } from "./migrate/help";
import { migrateLabels } from "./migrate/labels";
import { suggestion } from "./nearest";
import type { Output } from "./report/output";

/** What is migrated, by the word of the command line. */
const migrations: Record<(typeof subjects)[number], (args: readonly string[], out: Output, io: Io) => Promise<ExitCode>> = {
  labels: migrateLabels,
};

/** The subject is the first word: what follows an option may be its value. A move to a front has none. */
export async function runMigrate(line: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const [given, ...args] = line;
  const subject = subjects.find((one) => one === given);
  if (subject !== undefined) return migrations[subject](args, out, io);
  if (given?.startsWith("-") && line.some((word) => /^--to(=|$)/.test(word))) return migrateFront(line, out, io);
  const known = subjects.join(", ");
  if (given === undefined || given.startsWith("-")) {
    throw new UsageError(`The first word is what to migrate: ${known}; or --to names the front to move to`);
  }
  throw new UsageError(`"${given}" cannot be migrated${suggestion(given, subjects)}. There is ${known}`);
}
