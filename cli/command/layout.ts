const maxColumns = 110;
/** Maximum start column of a row's description. If the row's term is too long, the description starts on the next line. */
const maxTextColumn = 24;

export function rows(entries: readonly (readonly [string, string])[]): string {
  const column = Math.min(maxTextColumn, entries.reduce((most, [term]) => Math.max(most, term.length), 0) + 4);
  return entries
    .flatMap(([term, text]) => {
      const lines = wrapped(text, " ".repeat(column));
      const head = `  ${term}`.padEnd(column);
      return head.length > column || head === `  ${term}` ? [head, lines] : [head + lines.slice(column)];
    })
    .join("\n");
}

/** Wraps text to the width of the help. A line that begins with white space keeps its line break and its indent. */
export function wrapped(text: string, indent = ""): string {
  return text
    .replaceAll(/(?<=^\S.*)\n(?=\S)/gm, " ")
    .split("\n")
    .flatMap((line) => {
      const [head = ""] = /^\s+(?:- |\S+ {2,})?/.exec(line) ?? [];
      const [first = "", ...others] = filled(line.slice(head.length), maxColumns - indent.length - head.length);
      return [`${indent}${head}${first}`.trimEnd(), ...others.map((rest) => indent + " ".repeat(head.length) + rest)];
    })
    .join("\n");
}

function filled(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ /)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}
