import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ownManifest } from "../../api/manifest";
import type { Finding } from "../../common/finding";
import { phraseText } from "../../common/phrase";
import { printableJson } from "../../common/text";

/**
 * Returns a SARIF 2.1.0 log of the failures, with paths relative to the repository root.
 *
 * @param folder folder that the command runs in
 */
export function toSarif(findings: readonly Finding[], folder: string): string {
  const failed = findings.filter(({ level }) => level !== "passed" && level !== "skipped");
  const rules = [...new Set(failed.map(({ rule }) => rule))];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "endpoint-monitoring", version: ownManifest().version, rules: rules.map((id) => ({ id })) },
        },
        results: failed.map(({ rule, level, text, position }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level,
          message: { text: phraseText(text) },
          locations: [{ physicalLocation: locationOf(position, folder) }],
        })),
      },
    ],
  };
  return `${printableJson(log, 2)}\n`;
}

const projectFile = { file: "Pulumi.yaml", line: 1, column: 1 } as const;

/** GitHub code scanning requires a location for each finding, so the default location is the project file. */
function locationOf(position: Finding["position"], folder: string) {
  const isInside = position !== undefined && !pathFromRoot(position.file, folder).startsWith("../");
  const { file, line, column } = isInside ? position : projectFile;
  const uri = pathFromRoot(file, folder).split("/").map(encodeURIComponent).join("/");
  return { artifactLocation: { uri }, region: { startLine: line, ...(column > 0 && { startColumn: column }) } };
}

/** Returns a path relative to the repository root. The project may be above the folder that the command runs in. */
function pathFromRoot(file: string, folder: string): string {
  const base = nearestAbove(folder, file) ?? folder;
  return relative(nearestAbove(base, ".git") ?? base, join(base, file))
    .split(sep)
    .join("/");
}

function nearestAbove(folder: string, file: string): string | undefined {
  if (existsSync(join(folder, file))) return folder;
  return dirname(folder) === folder ? undefined : nearestAbove(dirname(folder), file);
}
