import { resolve } from "node:path";
import { writeWhole } from "../../common/files";
import type { Io } from "../../engine/io";
import type { Report } from "./document";
import { type FormatName, formats, type ReportFiles } from "./formats";
import type { Output } from "./output";
import { UsageError } from "../../common/errors";

const names = Object.keys(formats) as FormatName[];

/** @throws UsageError if two reports would go to standard output */
export function checkFiles(files: ReportFiles): void {
  const printed = names.filter((name) => files[name] === "-");
  const [first, secondTarget] = [...(files.json ? ["--json"] : []), ...printed.map((name) => `--${name} -`)];
  if (first !== undefined && secondTarget !== undefined) {
    throw new UsageError(
      `${first} and ${secondTarget} both write to standard output. In \`${secondTarget}\`, replace - with a file name`,
    );
  }
}

/**
 * Prints a report, and also writes the report to the files that the options name. The function prints the report even if it cannot write a
 * file.
 *
 * @param noun name of a long report. The command does not print a long report if `--markdown` writes the report to a file
 * @returns the reason why a file could not be written
 */
export function present(report: Report, files: ReportFiles, out: Output, io: Io, noun?: string): string | undefined {
  const failure = writeFiles(report, files, io);
  const printed = names.find((name) => files[name] === "-");
  if (printed !== undefined) out.result(report.data, () => textOf(report, printed, io));
  else if (noun !== undefined && files.markdown !== undefined && failure === undefined && !out.json) {
    out.note(`The ${noun} is in ${files.markdown}`);
  } else out.report(report);
  return failure;
}

/**
 * Writes a report to the files that the options name.
 * @returns the reason why a file could not be written
 */
function writeFiles(report: Report, files: ReportFiles, io: Io): string | undefined {
  // An interrupted command does not have a complete report, because its requests were canceled.
  if (io.signal?.aborted) return undefined;
  const failures = names.flatMap((name) => {
    const file = files[name];
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
  return formats[name](report, cwd);
}
