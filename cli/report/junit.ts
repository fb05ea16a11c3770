import { type Finding, subjectText } from "../../common/finding";
import { phraseText } from "../../common/phrase";
import { inlineCommand } from "../../common/text";

/** In a JUnit report, each finding is a test case, and a warning counts as a failure. */
export function toJUnit(findings: readonly Finding[]): string {
  const failed = findings.filter(({ level }) => level === "error" || level === "warning").length;
  const skipped = findings.filter(({ level }) => level === "skipped").length;
  const counts = `tests="${findings.length}" failures="${failed}" errors="0"`;
  const cases = findings.map((finding) => {
    const { rule, level, position } = finding;
    const text = phraseText(finding.text);
    const head = `    <testcase classname="${inXml(rule)}" name="${inXml(subjectText(finding))}"`;
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

/** Escapes text for XML. The function also escapes characters that a terminal or a CI provider would interpret. */
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
