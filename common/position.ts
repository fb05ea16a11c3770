/** A position in a program's source. Lines and columns count from 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

/** Returns a position as reports show it: `index.ts:12`. */
export function positionText({ file, line }: Position): string {
  return `${file}:${line}`;
}
