import type { Block } from "./document";
import { findingsIn } from "./findings";
import { inlineCommand } from "../../common/text";

/** A report of JUnit: a test case a finding. Warnings fail, as errors do. */
export function toJUnit(blocks: readonly Block[]): string {
  const foundItems = findingsIn(blocks);
  const failed = foundItems.filter(({ level }) => level === "error" || level === "warning").length;
  const skipped = foundItems.filter(({ level }) => level === "skipped").length;
  const counts = `tests="${foundItems.length}" failures="${failed}" errors="0"`;
  const cases = foundItems.map(({ rule, level, name, text, position }) => {
    const head = `    <testcase classname="${inXml(rule)}" name="${inXml(name)}"`;
    const where = position ? `${position.file}:${position.line}\n` : "";
    if (level === "skipped") return `${head}><skipped message="${inXml(firstLine(text))}"/></testcase>`;
    if (level === "passed" || level === "note") return `${head}/>`;
    return `${head}><failure type="${level}" message="${inXml(firstLine(text))}">${inXml(where + text)}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="endpoint-monitoring" ${counts}>`,
    `  <testsuite name="endpoint-monitoring" ${counts} skipped="${skipped}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

/** Text in XML, which knows no control characters. What a terminal or a runner of CI would act on, if somebody prints it, is a reference. */
function inXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(inlineCommand, "#&#35;")
    .replace(/^(\s*):(?=:)/gm, "$1&#58;")
    .replace(/[\r\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) => `&#${character.codePointAt(0)};`);
}
