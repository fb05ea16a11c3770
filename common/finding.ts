import { type Phrase, phraseText } from "./phrase";
import type { Position } from "./position";

/**
 * `error` and `warning` need a decision; `note` is information; `passed` and `skipped` are results of checks without a problem.
 */
export type Level = "error" | "warning" | "note" | "passed" | "skipped";

/**
 * A problem, a decision that a user has to make, or a check that passed or was skipped. SARIF and JUnit reports consist of
 * findings.
 */
export interface Finding<Rule extends string = string> {
  /** Name of the check, such as `deletes` or `drift/changed`. Later versions do not rename it. */
  readonly rule: Rule;
  readonly level: Level;
  /** Absent if the finding concerns the whole change or the whole stack. */
  readonly subject?: Subject;
  /** Path of the property that the finding concerns, such as `filters[0].key`. */
  readonly property?: string;
  /** Place in the program, with the file relative to the project's folder. */
  readonly position?: Position;
  /** One sentence, or a sentence with the details below it. */
  readonly text: Phrase;
  /** The next step for the reader: an imperative, with a command if one helps. */
  readonly fix?: Phrase;
}

/** The resource or stack of a finding, as in `HTTP server test "portal"`. */
export interface Subject {
  readonly noun: string;
  readonly name: string;
  readonly urn?: string;
}

/** A finding in a command's JSON output. */
export interface FindingData<Rule extends string = string> {
  rule: Rule;
  level: Level;
  /** URN of the resource. Absent if the finding is not about a resource, or if the program does not declare the resource. */
  urn?: string;
  property?: string;
  /** File, relative to the project's folder. Absent if the position is not known. */
  file?: string;
  line?: number;
  /** Plain text, without Markdown. */
  text: string;
  /** The next step for the reader, as an imperative. */
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

/** The subject of a finding in a list of test cases: `HTTP server test portal`. */
export function subjectText({ subject, rule }: Finding): string {
  return subject ? `${subject.noun} ${subject.name}`.trim() : rule;
}
