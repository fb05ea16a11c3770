import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command";
import { writeWhole } from "../files";
import type { GeneratedFile } from "./generate";
import type { EngineResource } from "../engine/state";
import { replaceFile } from "../edit/edit-files";
import { holdsSecrets, importFileText, type ImportEntry } from "./import-file";

/** A file as it is to be, by its full path. */
export interface Written extends GeneratedFile {
  readonly full: string;
}

/** The files of the program with their full paths. @throws UsageError for one that is there and was not read */
export function located(root: string, files: readonly GeneratedFile[]): Written[] {
  return files.map((file) => {
    const full = join(root, file.path);
    if (file.before !== undefined || !existsSync(full)) return { ...file, full };
    throw new UsageError(
      `${full} is there and is no file of UTF-8 text, or is a link: move it, or name another folder with --out`,
      "work",
    );
  });
}

/**
 * Writes the program, then the import file: so that there is never an import file whose program is missing. Each is written
 * whole or not at all; a second run makes up for what an interruption left out.
 *
 * @param created what the next update would create, by URN: components that entries belong to are imported with them
 * @throws UsageError
 */
export function writeAll(
  files: readonly Written[],
  importFile: string,
  entries: readonly ImportEntry[],
  created?: ReadonlyMap<string, EngineResource>,
): void {
  for (const { full, before, text } of files) replaceFile(full, before, text);
  if (entries.length === 0) return;
  writeWhole(importFile, importFileText(entries, created), holdsSecrets(entries) ? 0o600 : undefined);
}
