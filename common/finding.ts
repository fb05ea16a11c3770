import { type Phrase, phraseText } from "./phrase";
import type { Position } from "./position";

/**
 * Findings with the level `error` or `warning` require a decision. A finding with the level `note` only informs the user. A
 * check without a problem has the level `passed`, or `skipped` if the check did not run.
 */
export type Level = "error" | "warning" | "note" | "passed" | "skipped";

/**
 * The result of a check, which is a problem, a decision for the user, or a passed or skipped check. SARIF and JUnit reports
 * contain one entry for each finding.
 */
export interface Finding<Rule extends string = string> {
  /**
   * Name of the check, such as `deletes` or `drift/changed`. The name of a check never changes in later versions of this
   * package.
   */
  readonly rule: Rule;
  readonly level: Level;
  /** The resource, provider or stack that the finding concerns; undefined for findings about the whole change. */
  readonly subject?: Subject;
  /** Path of the property with the problem, such as `filters[0].key`. */
  readonly property?: string;
  /** Position in the program's source. The path of the source file is relative to the project's folder. */
  readonly position?: Position;
  /** One-sentence description of the finding. Further lines of the description may add details. */
  readonly text: Phrase;
  /** The next step for the reader, as an imperative sentence that may contain a command. */
  readonly fix?: Phrase;
}

/** The resource or stack that a finding concerns. Reports show a resource as `HTTP server test "portal"`. */
export interface Subject {
  readonly noun: string;
  readonly name: string;
  readonly urn?: string;
}

export interface FindingData<Rule extends string = string> {
  rule: Rule;
  level: Level;
  /** URN of the resource; undefined for a stack, or for a resource that the program does not declare. */
  urn?: string;
  property?: string;
  /** Source file, relative to the project's folder; undefined if the source position is unknown. */
  file?: string;
  line?: number;
  /** Description of the finding as plain text, without Markdown. */
  text: string;
  /** The next step for the reader, as an imperative sentence. */
  fix?: string;
}

export function findingData<Rule extends string>({
  rule,
  level,
  subject,
  property,
  position,
  text,
  fix,
}: Finding<Rule>): FindingData<Rule> {
  return {
    rule,
    level,
    ...(subject?.urn !== undefined && { urn: subject.urn }),
    ...(property !== undefined && { property }),
    ...(position && { file: position.file, line: position.line }),
    text: phraseText(text),
    ...(fix && { fix: phraseText(fix) }),
  };
}

/** Returns a finding's resource or stack as the name of a JUnit test case: `HTTP server test portal`. */
export function subjectText({ subject, rule }: Finding): string {
  return subject ? `${subject.noun} ${subject.name}`.trim() : rule;
}
