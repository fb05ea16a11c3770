import type { Kind } from "../../provider/kind";
import { type KindName, registry } from "../../provider/registry";
import { replacementItems } from "../drift/document";
import { positionText } from "../engine/state";
import { type Block, heading, list, type Medium, type Report, section, table, text } from "../report/document";
import { errorText, fewNames, ours, phrase, type Phrase, place, word, words } from "../report/phrase";
import { lostTitle } from "../operation/references";
import { inText } from "../report/terminal";
import { counted } from "../report/text";
import { type AgentsVerdict, verdictWords } from "./agents";
import type { LeftOver, MigratedTest, MigrationReport } from "./report";

const maxNames = 10;

/** A report of a migration as it is shown. */
export function migrationDocument(report: MigrationReport): Report {
  return {
    data: { ...report, references: report.references.map((one) => inText(one)) },
    blocks: (medium) => blocksOf(report, medium),
  };
}

function blocksOf(report: MigrationReport, medium: Medium): Block[] {
  const { tags, tests, labels, files, also, pending, left, shared, otherStacks, next } = report;
  const written = tests.length > 0 ? agentBlocks(tests) : [];
  const others = phrase`Stack ${words(otherStacks)} runs the same program: each step needs an update there, too.`;
  return [
    heading([summaryOf(report)], 2),
    ...section(["Changes of the program that wait for `pulumi up`"], list("change", pending, pendingPhrase)),
    ...section(
      [titleOf("Files", report)],
      list("file", files, (file) => [place(file)]),
    ),
    ...section(
      [titleOf("Tags", report)],
      table(
        "tag",
        ["Name", "Key", "Value"],
        tags.map(({ name, key, value }) => [[word(name)], [word(key)], [word(value)]]),
      ),
    ),
    ...(report.step === "tests"
      ? section(["Replaced by the next update"], list("kind", replacementItems(report.replaced)))
      : []),
    ...written,
    ...section(["Labels that the next update deletes"], labels.length > 0 ? list("label", [words(labels)]) : list("label", [])),
    ...section([lostTitle], list("line", report.references)),
    ...section(["The next update also changes what refers to these tests"], list("change", also, pendingPhrase)),
    ...section(
      [
        "May be one thing underneath: the tag's legacyId is the label's id. Managing both may make them fight, and deleting one delete both",
      ],
      list(
        "label",
        shared,
        ({ label, labelId, tagId, key, value }) =>
          phrase`label ${word(label)} (${word(labelId)}), tag ${word(`${key}: ${value}`)} (${word(tagId)})`,
      ),
    ),
    ...section(["Left as they are"], list("resource", left, leftPhrase)),
    ...(otherStacks.length > 0 && report.state !== "done" ? [text(others)] : []),
    ...(next.length > 0 ? [text(...next.map((line) => [medium === "markdown" ? `- ${line}` : line] as Phrase))] : []),
  ];
}

function summaryOf({ state, step, stack, tags, tests, labels, left, remaining, pending }: MigrationReport): string {
  const rest = left.length > 0 ? `; ${counted(left.length, "resource")} left` : "";
  const numbers: Record<string, string> = {
    tags: counted(tags.length, "tag"),
    tests: counted(tests.length, "test"),
    labels: counted(labels.length, "label"),
  };
  const what = step === undefined ? "" : `step ${step}, ${numbers[step]}`;
  if (state === "written") return `Written: ${what}${rest}`;
  if (state === "planned") return `Would be written: ${what}${rest}`;
  if (state === "waiting")
    return `Stack ${stack}: ${counted(pending.length, "change")} of the program ${pending.length === 1 ? "waits" : "wait"} for an update`;
  const { labels: held, tests: using } = remaining;
  const there = `stack ${stack} has ${counted(held, "label")}, and ${counted(using, "test")} selecting by ${using === 1 ? "it" : "them"}`;
  if (state === "blocked") return `Nothing could be written: ${there}${rest}`;
  return step === undefined || held === 0 ? `Nothing is left to migrate: ${there}` : `Step ${step} is done: ${there}`;
}

function titleOf(what: string, { state }: MigrationReport): string {
  return state === "planned" ? `${what} that would be written` : `${what} that were written`;
}

function pendingPhrase({ op, name }: { op: string; name: string }): Phrase {
  return phrase`${ours(op)} ${word(name)}`;
}

/** Blocks about the agents of tests: a line for each verdict, and details of tests whose agents change. */
function agentBlocks(tests: readonly MigratedTest[]): Block[] {
  const byVerdict = Map.groupBy(tests, ({ verdict }) => verdict);
  const verdicts = Object.keys(verdictWords) as AgentsVerdict[];
  const lines = verdicts.flatMap((verdict): Phrase[] => {
    const own = byVerdict.get(verdict) ?? [];
    if (own.length === 0) return [];
    const names = words(
      own.map(({ name }) => name),
      maxNames,
    );
    return [phrase`${ours(counted(own.length, "test"))}: ${ours(verdictWords[verdict])} (${names})`];
  });
  const details = tests.filter(({ verdict, atMost }) => verdict === "differ" || verdict === "unknown" || atMost !== undefined);
  return [
    ...section(["Agents that the tests select by tags"], list("verdict", lines)),
    ...section(["In detail"], list("test", details, agentsPhrase)),
  ];
}

function agentsPhrase({ kind, name, verdict, gained, lost, unclear, why, atMost, selected = 0 }: MigratedTest): Phrase {
  const parts: Phrase[] = [
    ...(gained.length > 0 ? [phrase`gains ${fewNames(gained, maxNames)}`] : []),
    ...(lost.length > 0 ? [phrase`loses ${fewNames(lost, maxNames)}`] : []),
    ...(verdict === "unknown"
      ? [ours(`cannot be determined${unclear > 0 ? ` of ${counted(unclear, "agent")}` : ""}: ${why ?? ""}`)]
      : []),
    ...(atMost === undefined
      ? []
      : [ours(`selects ${selected}, of which ${atMost} run it: which of them is the service's choice`)]),
  ];
  return phrase`${ours(nounOf(kind))} ${word(name)}: ${parts.flatMap((part, i) => (i === 0 ? part : ["; ", ...part]))}`;
}

function leftPhrase({ kind, name = "", id, position, reason, advice }: LeftOver): Phrase {
  const where = position ? phrase` at ${place(positionText(position))}` : [];
  const known = id === undefined ? [] : phrase` (${word(id)})`;
  return phrase`${ours(nounOf(kind))} ${word(name)}${known}${where} ${errorText(reason)}: ${errorText(advice)}`;
}

function nounOf(kind: KindName): string {
  const { noun }: Kind = registry[kind];
  return noun;
}
