import { resolve } from "node:path";
import { writeWhole } from "../../common/files";
import type { Io } from "../../engine/io";
import type { Report } from "./document";
import { type FormatName, formats, type ReportFiles } from "./formats";
import type { Output } from "./output";
import { UsageError } from "../../common/errors";

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
 * @param noun names a long report, which is not printed as text where a Markdown file has it
 * @returns why a file could not be written: the report is printed all the same
 */
export function present(report: Report, given: ReportFiles, out: Output, io: Io, noun?: string): string | undefined {
  const failure = writeFiles(report, given, io);
  const printed = names.find((name) => given[name] === "-");
  if (printed !== undefined) out.result(report.data, () => textOf(report, printed, io));
  else if (noun !== undefined && given.markdown !== undefined && failure === undefined && !out.json) {
    out.note(`The ${noun} is in ${given.markdown}`);
  } else out.report(report);
  return failure;
}

/** Writes a report to the files that the command line names. @returns the reason why one could not be written */
function writeFiles(report: Report, given: ReportFiles, io: Io): string | undefined {
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
