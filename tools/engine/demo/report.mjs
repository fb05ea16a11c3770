/** Output of the demo. Color is for terminals; a log or a pipe gets plain text. */

/**
 * @typedef {object} Report
 * @property {boolean} color
 * @property {(title: string, expectation: string) => void} step A heading, and what to expect.
 * @property {(line: string) => void} command A command as a user types it.
 * @property {(line: string) => void} output A line of what a command printed.
 * @property {(line?: string) => void} say A line of the demo's own.
 * @property {(what: string) => void} proved A check that held.
 * @property {() => number} checks How many checks held.
 */

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {Report}
 */
export function reportTo(stream) {
  const color = stream.isTTY && !process.env.NO_COLOR;
  const paint = (code) => (line) => (color ? `\x1b[${code}m${line}\x1b[0m` : line);
  const [bold, green, cyan] = [paint(1), paint(32), paint(36)];
  const say = (line = "") => void stream.write(`${line}\n`);
  let checks = 0;
  return {
    color,
    say,
    step: (title, expectation) => say(`\n${bold(`== ${title}`)}\n   ${expectation}`),
    command: (line) => say(cyan(`$ ${line}`)),
    output: (line) => say(`    ${line}`),
    proved: (what) => {
      checks += 1;
      say(`  ${green("ok")} ${what}`);
    },
    checks: () => checks,
  };
}

/**
 * Requests by operation, a column a step. What did not happen is a dash, so that what did stands out.
 * @param {{ name: string, requests: Record<string, number> }[]} steps
 * @returns {string[]} Lines.
 */
export function costTable(steps) {
  const operations = [...new Set(steps.flatMap(({ requests }) => Object.keys(requests)))].toSorted();
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const counts = (operation) => steps.map(({ requests }) => requests[operation] ?? 0);
  const totals = steps.map(({ requests }) => sum(Object.values(requests)));
  const rows = [
    ["Requests", ...steps.map(({ name }) => name), "total"],
    ...operations.map((operation) => [
      operation,
      ...counts(operation).map((count) => (count === 0 ? "-" : String(count))),
      String(sum(counts(operation))),
    ]),
    ["total", ...totals.map(String), String(sum(totals))],
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "),
  );
}

/** What getting the engine took, which is no part of the demo's own time; nothing where it was there. */
export function engineTime({ source }, seconds) {
  const how = { built: "building", download: "downloading" }[source];
  return how === undefined ? "" : ` Before that, ${how} the Pulumi engine took ${seconds} s: it is in the cache now.`;
}
