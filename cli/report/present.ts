import { resolve } from "node:path";
import { UsageError } from "../command";
import { writeWhole } from "../files";
import type { Io } from "../io";
import type { Report } from "./document";
import { toMarkdown } from "./markdown";
import type { Output } from "./output";

/** The option `--markdown FILE`, where `-` is standard output. @throws UsageError */
export function markdownOption({ markdown, json }: { markdown?: string; json?: boolean }): string | undefined {
  if (markdown !== "-" || !json) return markdown;
  throw new UsageError("--json and --markdown - both write to standard output: give --markdown a file");
}

/**
 * Prints a report, and writes it to the file that `--markdown` names.
 *
 * @returns why the file could not be written: the report is printed all the same
 */
export function present(report: Report, markdown: string | undefined, out: Output, io: Io): string | undefined {
  const failure = markdown === undefined || markdown === "-" ? undefined : writeMarkdown(report, markdown, io);
  out.report(report, markdown === "-");
  return failure;
}

/** Writes a report to a file that a person names, from the folder the command runs in. @returns why it could not be written */
export function writeMarkdown(report: Report, file: string, io: Io): string | undefined {
  // There is no report of a command that was interrupted: its requests have ended for that reason.
  if (io.signal?.aborted) return undefined;
  try {
    writeWhole(resolve(io.cwd, file), toMarkdown(report.blocks("markdown")), undefined, file);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}
