import { resolve } from "node:path";
import { UsageError } from "../command";
import { writeWhole } from "../files";
import type { Io } from "../io";
import type { Report } from "./document";
import { type FormatName, formats, type ReportFiles } from "./formats";
import type { Output } from "./output";

const names = Object.keys(formats) as FormatName[];

/** Refuses command lines by which two reports go to standard output. @throws UsageError */
export function checkFiles(given: ReportFiles): void {
  const printed = names.filter((name) => given[name] === "-");
  const [one, other] = [...(given.json ? ["--json"] : []), ...printed.map((name) => `--${name} -`)];
  if (one !== undefined && other !== undefined) {
    throw new UsageError(`${one} and ${other} both write to standard output: give a file to one of them`);
  }
}

/**
 * Prints a report, and writes it to the files that the command line names.
 *
 * @returns why a file could not be written: the report is printed all the same
 */
export function present(report: Report, given: ReportFiles, out: Output, io: Io): string | undefined {
  const failure = writeFiles(report, given, io);
  print(report, given, out, io);
  return failure;
}

/** The form whose file is `-`. */
export function printedForm(given: ReportFiles): FormatName | undefined {
  return names.find((name) => given[name] === "-");
}

/** Prints a report as text, or in the form whose file is `-`. */
export function print(report: Report, given: ReportFiles, out: Output, io: Io): void {
  const printed = printedForm(given);
  if (printed === undefined) out.report(report);
  else out.result(report.data, () => textOf(report, printed, io));
}

/** Writes a report to the files that a person names, from the folder the command runs in. @returns why one could not be written */
export function writeFiles(report: Report, given: ReportFiles, io: Io): string | undefined {
  // A command that was interrupted has no report: its requests have ended for that reason.
  if (io.signal?.aborted) return undefined;
  const failures = names.flatMap((name) => {
    const file = given[name];
    if (file === undefined || file === "-") return [];
    try {
      writeWhole(resolve(io.cwd, file), textOf(report, name, io), undefined, file);
      return [];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [error.message];
    }
  });
  return failures.length > 0 ? failures.join("; ") : undefined;
}

function textOf(report: Report, name: FormatName, { cwd }: Io): string {
  const { medium, write } = formats[name];
  return write(report.blocks(medium), cwd);
}
