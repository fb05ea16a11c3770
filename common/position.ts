/** A position in a program's source. Line and column numbers start at 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

/** Formats a source position for reports: `index.ts:12`. */
export function positionText({ file, line }: Position): string {
  return `${file}:${line}`;
}
