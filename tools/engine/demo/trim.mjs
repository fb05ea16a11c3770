/**
 * What of the engine's output matters to somebody who watches: off a terminal it prints a line for everything it
 * begins, everything it ends and everything that stays as it is. What is shown is shown as it came.
 */

/** A resource's line: sign, type, name, what happens. */
const resource = /^ (?:\S {2}|\S\S | {3})pulumi\S* \S+ *(.*)$/;
const begun = /^(creating|updating|deleting|replacing|refreshing|running)\b/;
const unchanged = /^(refresh( \([^)]*\))?|\d+ messages?)?$/;
/** In `--diff` form: the properties that stay, and the stack around what changes. */
const context = /^ {8,}(?!\[urn=)[^\s~+-]|^ {4,}\[urn=\S+::pulumi:pulumi:Stack::|^ {2}pulumi:pulumi:Stack: \(same\)/;

// oxlint-disable-next-line no-control-regex -- color codes start with this character
const plain = (line) => line.replaceAll(/\x1b\[[\d;]*m/g, "");

/**
 * Makes a filter for the output of one command.
 * @param {string} command
 * @param {(line: string) => void} show
 * @returns {(line: string) => void} Takes each line as it comes.
 */
export function trimmer(command, show) {
  // These two preview, then do it: the same lines twice.
  let isPreview = /^pulumi (up|destroy)\b(?!.*--skip-preview)/.test(command);
  const shown = new Set();
  return (line) => {
    const text = plain(line).trimEnd();
    if (/^(Updating|Destroying) \(/.test(text)) isPreview = false;
    if (isPreview || text === "" || text.startsWith("@ ") || context.test(text)) return;
    const what = resource.exec(text)?.[1];
    if (what !== undefined && (begun.test(what) || unchanged.test(what) || shown.has(text))) return;
    shown.add(text);
    show(line.trimEnd());
  };
}
