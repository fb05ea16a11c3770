import { type KindName } from "../../../provider/registry";
import { positionText } from "../../../common/position";
import type { Finding, Level } from "../../../common/finding";
import { changeLines, type NameOf } from "../../report/changes";
import {
  type Block,
  type ChangeEntry,
  entryText,
  heading,
  list,
  type Medium,
  type Report,
  type TableRow,
  section,
  text,
} from "../../report/document";
import { errorText, ours, phrase, type Phrase, place, strong, word, words } from "../../../common/phrase";
import { counted } from "../../../common/text";
import type { SharedRecord } from "../../../plan/shared-records";
import type { IgnoreEntry } from "./ignore-list";
import type { ChangedResource, DriftReport, Ignored, MissingResource, ResourceRef, StackDrift, UnmanagedRecord } from "./data";
import { recreatedText, outcomeBlocks, resourceOfStack, replacementItems, unseenItems, nounOf } from "./outcome-report";
import { maxNames } from "./outcome-report";

export type ReferenceNames = (kind: KindName, property: string, value: unknown) => string | undefined;

export function driftDocument(report: DriftReport, nameOf: ReferenceNames, details = false): Report {
  return {
    data: report,
    findings: driftFindings(report, nameOf),
    blocks: (medium) => blocksOf(report, nameOf, medium, details),
  };
}

function blocksOf(report: DriftReport, nameOf: ReferenceNames, medium: Medium, details: boolean): Block[] {
  const { stacks, unmanaged = [], shared = [], unread = [], unseen, failures, fixed, accepted } = report;
  const advice = adviceOf(report);
  // CI providers' lists of issues show only the beginning of a report, so failures and advice come first.
  const first =
    medium === "markdown" ? [...failures.map((failure) => phrase`**Failed:** ${errorText(failure)}`), ...advice] : [];
  return [
    heading([summaryOf(report)], 2),
    ...(first.length > 0 ? [text(...first)] : []),
    ...(fixed ? outcomeBlocks("Fixed", fixed, medium) : []),
    ...(accepted ? outcomeBlocks("Accepted", accepted, medium) : []),
    ...stacks.flatMap((stack) => stackBlocks(stack, nameOf)),
    ...section(["Records that several stacks manage, or that exist more than once"], list("record", shared, sharedText)),
    ...(unread.length > 0
      ? [text(phrase`The report does not include the following stacks, because they could not be read: ${words(unread)}`)]
      : []),
    ...section(["Unmanaged records: in the service, but in no stack"], {
      kind: "table",
      noun: "record",
      head: ["Kind", "Name", "Id", "Account group", "Last changed"],
      rows: unmanaged.map(unmanagedRow),
    }),
    ...ignoredBlocks(report, medium, details),
    ...section(["Properties that the service never returns (not compared)"], list("property", unseenItems(unseen))),
    ...(medium === "terminal" && advice.length > 0 ? [text(...advice)] : []),
  ];
}

function summaryOf(report: DriftReport): string {
  const { stacks, unmanaged = [], shared = [] } = report;
  const ignored = countIgnored(report);
  const sharedBy = (check: SharedRecord["check"]): number => shared.filter((record) => record.check === check).length;
  const sum = (of: "changed" | "missing"): number => stacks.reduce((total, stack) => total + stack[of].length, 0);
  const numbers: [number, string][] = [
    [sum("changed"), "changed"],
    [sum("missing"), "missing"],
    [unmanaged.length, "unmanaged"],
    [sharedBy("adopts-foreign"), "managed by several stacks"],
    [sharedBy("doubled"), "doubled"],
  ];
  const counts = numbers.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : [])).join(", ");
  const recent = stacks.reduce((total, stack) => total + (stack.recent?.length ?? 0), 0);
  const failed = stacks.filter(({ error }) => error).length;
  const unread = stacks.flatMap((stack) => stack.unread ?? []).reduce((total, group) => total + group.resources.length, 0);
  const resources = stacks.reduce((total, stack) => (stack.error ? total : total + stack.resources), 0) - unread;
  const where = `${counted(resources, "resource")} of ${counted(stacks.length - failed, "stack")}`;
  const summary = counts === "" ? `No drift: ${where} ${resources === 1 ? "is" : "are"} as declared` : `Drift: ${counts}`;
  return [
    summary,
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
    ...(unread > 0 ? [`${counted(unread, "resource")} could not be read`] : []),
    ...(recent > 0 ? [`${recent} changed too recently for a reliable comparison`] : []),
    ...(failed > 0 ? [`${counted(failed, "stack")} could not be compared`] : []),
  ].join("; ");
}

function countIgnored({ stacks, ignoredUnmanaged = [] }: DriftReport): number {
  return stacks.reduce((total, { ignored = [] }) => total + ignored.length, ignoredUnmanaged.length);
}

function ignoredBlocks(report: DriftReport, medium: Medium, details: boolean): Block[] {
  const { stacks, ignoredUnmanaged = [], ignoreList: { expired, unused } = { expired: [], unused: [] } } = report;
  const why = ({ reason, until }: Ignored): Phrase =>
    phrase`: ${errorText(reason)}${ours(until === undefined ? "" : ` (until ${until})`)}`;
  const items = list("item", [
    ...stacks.flatMap(({ ignored = [] }) =>
      ignored.map((ignoredDrift): Phrase => {
        const what = ignoredDrift.isMissing
          ? ours(" is missing")
          : phrase` (${words(ignoredDrift.properties.map(({ property }) => property))})`;
        return [...resourceOfStack(ignoredDrift), ...what, ...why(ignoredDrift)];
      }),
    ),
    ...ignoredUnmanaged.map((record): Phrase => [
      ...phrase`unmanaged ${ours(nounOf(record.kind))} ${word(record.name)}`,
      ...why(record),
    ]),
  ]);
  const title = [`Ignored by drift.ignore: ${countIgnored(report)}`];
  const ignored: Block[] = details
    ? [heading(title), items]
    : medium === "markdown"
      ? [{ kind: "folded", summary: title, blocks: [items] }]
      : [text([`${title[0] ?? ""} (--details lists them)`])];
  const entry = ({ place: at, resource, property }: IgnoreEntry): Phrase =>
    phrase`${place(at)} (${words([resource, ...(property === undefined ? [] : [property])])})`;
  return [
    ...(items.items.length > 0 ? ignored : []),
    ...section(
      ["Entries of drift.ignore to check"],
      list("entry", [
        ...expired.map(
          (ignoreEntry) => phrase`${entry(ignoreEntry)} expired on ${errorText(ignoreEntry.until ?? "")} and no longer applies`,
        ),
        ...unused.map((ignoreEntry) => phrase`${entry(ignoreEntry)} matches no drift`),
      ]),
    ),
  ];
}

function stackBlocks(
  { stack, changed, missing, notes, recent = [], fixReplaces = [] }: StackDrift,
  nameOf: ReferenceNames,
): Block[] {
  const entries = (changedResources: readonly ChangedResource[]): ChangeEntry[] =>
    changedResources.map((resource) => changedEntry(resource, nameOf));
  return [
    ...section(phrase`Drift in stack ${word(stack)} (declared value → value in the service)`, {
      kind: "entries",
      noun: "resource",
      entries: [...entries(changed), ...missing.map(missingEntry)],
    }),
    ...section(phrase`Changed properties in stack ${word(stack)} that the program omits or ignores (not drift)`, {
      kind: "entries",
      noun: "resource",
      entries: entries(notes),
    }),
    ...section(
      phrase`Resources in stack ${word(stack)} that changed too recently for a reliable comparison`,
      list("resource", recent, (resource) => phrase`${resourceOfStack(resource)}: ${errorText(resource.reason)}`),
    ),
    ...section(phrase`${word("--fix")} replaces, in stack ${word(stack)}`, list("kind", replacementItems(fixReplaces))),
  ];
}

function changedEntry(resource: ChangedResource, nameOf: ReferenceNames): ChangeEntry {
  const { kind, properties, replacementCost, modified } = resource;
  const names: NameOf = (property, value) => nameOf(kind, property, value);
  const atCreation = properties.filter(({ replaces }) => replaces).map(({ property }) => property);
  return {
    ...headOf("changed", resource, modified === undefined ? [] : phrase`last changed ${errorText(modified)}`),
    mark: { sign: "~", tone: "yellow" },
    changes: changeLines(properties, names),
    notes: [
      ...(atCreation.length > 0 ? [phrase`${words(atCreation)} can be set only at creation`] : []),
      ...(replacementCost === undefined ? [] : [phrase`${word("--fix")} replaces the record: ${ours(replacementCost)}`]),
    ],
  };
}

function missingEntry(resource: MissingResource): ChangeEntry {
  const { referredToBy, recreated } = resource;
  const verb = referredToBy.length === 1 ? "refers" : "refer";
  return {
    ...headOf("missing", resource, ["no longer exists in the service"]),
    mark: { sign: "-", tone: "red" },
    changes: [],
    notes: [
      ...(referredToBy.length > 0 ? [phrase`${words(referredToBy, maxNames)} ${ours(verb)} to it`] : []),
      ...(recreated ? [recreatedText(recreated)] : []),
    ],
  };
}

/** Returns a finding for each stack and for each difference. A stack that could not be read gets a finding of level `error`. */
function driftFindings({ stacks, shared = [], unmanaged = [] }: DriftReport, nameOf: ReferenceNames): Finding[] {
  const ofStack = ({ stack, error, resources, changed, missing, notes }: StackDrift): Finding[] => {
    const sentence = error ? [errorText(error.message)] : [counted(resources, "resource")];
    const entries = (changedResources: readonly ChangedResource[], level: Level): Finding[] =>
      changedResources.map((resource) => resourceFinding("changed", level, resource, changedEntry(resource, nameOf)));
    return [
      { rule: "drift/stack", level: error ? "error" : "passed", subject: { noun: "stack", name: stack }, text: sentence },
      ...entries(changed, "error"),
      ...missing.map((resource) => resourceFinding("missing", "error", resource, missingEntry(resource))),
      ...entries(notes, "note"),
    ];
  };
  return [
    ...stacks.flatMap(ofStack),
    ...shared.map((record): Finding => {
      const { check, kind, name } = record;
      return { rule: `drift/${check}`, level: "error", subject: { noun: nounOf(kind), name }, text: sharedText(record) };
    }),
    ...unmanaged.map(({ kind, name, id }): Finding => {
      const sentence = phrase`no stack manages ${ours(nounOf(kind))} ${word(name)} (${word(id)})`;
      return { rule: "drift/unmanaged", level: "warning", subject: { noun: nounOf(kind), name }, text: sentence };
    }),
  ];
}

function resourceFinding(what: "changed" | "missing", level: Level, resource: ResourceRef, entry: ChangeEntry): Finding {
  const { kind, name, stack, position } = resource;
  const subject = { noun: nounOf(kind), name: `${name} of stack ${stack}` };
  return { rule: `drift/${what}`, level, subject, ...(position && { position }), text: entryText(entry) };
}

/** Returns the first line of a drift entry, such as `changed label office (id-office)`. */
function headOf(what: "changed" | "missing", resource: ResourceRef, fact: Phrase) {
  const { kind, name, id, position } = resource;
  const at = position ? [place(positionText(position))] : [];
  return {
    title: phrase`${strong(what)} ${ours(nounOf(kind))} ${word(name)} (${word(id)})`,
    facts: [at, fact].filter((phrases) => phrases.length > 0),
  };
}

function sharedText({ check, text: sentence }: SharedRecord): Phrase {
  return phrase`${word(check)}: ${errorText(sentence)}`;
}

function unmanagedRow({ kind, name, id, accountGroupId = "", modified = "" }: UnmanagedRecord): TableRow {
  return {
    cells: [[nounOf(kind)], [word(name)], [word(id)], [word(accountGroupId)], [errorText(modified)]],
  };
}

function adviceOf({ stacks, unmanaged = [], drift }: DriftReport): Phrase[] {
  if (!drift) return [];
  const differs = stacks.some(({ changed, missing }) => changed.length + missing.length > 0);
  const fix =
    "`endpoint-monitoring drift --fix` changes the service to match the program. `--accept` changes the program to match the service.";
  const adopt =
    "`endpoint-monitoring import` imports unmanaged records. `--managed-by` adds stacks of other projects, `--no-unmanaged` skips the search.";
  return [...(differs ? [[fix]] : []), ...(unmanaged.length > 0 ? [[adopt]] : [])];
}
