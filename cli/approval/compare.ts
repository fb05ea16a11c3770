import { sameValue, stable } from "../../provider/values";
import type { LoadedPackage } from "../operation/identity";
import { ours, phrase, type Phrase, strong, word, words } from "../report/phrase";
import { compareText } from "../report/text";
import { fleetWords, stopWords } from "../review/stop-words";
import type { Approval, ApprovedChange } from "./approval";
import { compareChange, membersOf } from "./compare-change";
import { compareReach, without } from "./compare-reach";
import { type Compared, type Comparison, type DifferenceKind, outcome, shown, subject } from "./differences";

/** Compares what is to happen now with what was approved. */
export async function compareApprovals(approved: Approval, now: Approval, given: Compared): Promise<Comparison> {
  const found: Comparison = { differences: [], passed: [] };
  general(approved, now, found);
  const skipped = new Set<string>();
  const done = new Map<string, string | undefined>();
  const pairs = paired(approved.changes, now.changes);
  for (const [before, after] of pairs) {
    if (!before || after) continue;
    const there = await given.unchanged(before);
    const { urn, op } = before;
    skipped.add(urn);
    if (there === "as approved" || (there === "absent" && (op === "delete" || op === "forget"))) {
      done.set(urn, given.idOf(urn));
      found.passed.push({ rule: "done", urn, text: phrase`${subject(urn)} is ${ours(outcome(op))} already, as approved` });
    } else found.differences.push({ what: "gone", urn, text: goneChange(before, there) });
  }
  for (const [before, after] of pairs) {
    if (!after) continue;
    if (!before) found.differences.push({ what: "new", urn: after.urn, text: newChange(after) });
    // A change that was not approved, or whose record was deleted, is reported once: its consequences are not.
    if (!before || compareChange(before, after, done, found)) skipped.add(after.urn);
  }
  compareReach(approved, now, given, skipped, found);
  compareStops(approved, now, skipped, found);
  return found;
}

/** The settings and the version. */
function general(approved: Approval, now: Approval, { differences }: Comparison): void {
  const add = (what: DifferenceKind, text: Phrase): void => void differences.push({ what, text });
  if (approved.version !== now.version) {
    const versions = phrase`${word(now.version)}, and was ${word(approved.version)} when this was approved`;
    add("version", phrase`pulumi-endpoint-monitoring is ${versions}`);
  }
  const [was, is] = [approved.package, now.package];
  if (!sameValue(was, is)) {
    const shownOf = (one: LoadedPackage | undefined): Phrase =>
      one ? phrase`${word(one.version)} (${word(one.integrity)})` : ours("none");
    add("version", phrase`the program loads ${shownOf(is)}, and this was approved with ${shownOf(was)}`);
  }
  for (const name of membersOf(approved.settings, now.settings)) {
    const [before, after] = [approved.settings[name], now.settings[name]];
    if (before !== after) add("setting", phrase`setting ${word(name)}: approved ${shown(before)}, now ${shown(after)}`);
  }
  for (const one of without(now.interrupted, approved.interrupted)) {
    add("new", phrase`an earlier update was interrupted, and left an outcome that is not known: ${word(one)}`);
  }
  const groups = without(now.accountGroups, approved.accountGroups);
  if (groups.length > 0) {
    const concerned = phrase`account group ${words(groups)}, and was approved for ${words(approved.accountGroups)}`;
    add("setting", phrase`the change concerns ${concerned}`);
  }
}

/** Changes of the same resource side by side. One that has two, as a delete beside a create, is matched by what happens. */
function paired(
  before: readonly ApprovedChange[],
  after: readonly ApprovedChange[],
): [ApprovedChange | undefined, ApprovedChange | undefined][] {
  // A deletion that an earlier update left is no change of the resource that has its name now.
  const keyOf = ({ urn, pending, id = "" }: ApprovedChange): string => (pending ? `${urn} ${id}` : urn);
  const [was, is] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  const urns = [...new Set([...was.keys(), ...is.keys()])].toSorted(compareText);
  return urns.flatMap((urn): [ApprovedChange | undefined, ApprovedChange | undefined][] => {
    const [own, other] = [was.get(urn) ?? [], is.get(urn) ?? []];
    if (own.length === 1 && other.length === 1) return [[own[0], other[0]]];
    const same = (a: ApprovedChange, b: ApprovedChange): boolean => a.op === b.op && a.id === b.id;
    const pairs = own.map((one): [ApprovedChange, ApprovedChange | undefined] => [one, other.find((two) => same(one, two))]);
    const rest = other.filter((two) => !own.some((one) => same(one, two)));
    return [...pairs, ...rest.map((two): [undefined, ApprovedChange] => [undefined, two])];
  });
}

function newChange(now: ApprovedChange): Phrase {
  const left = ours(now.pending ? `, as an earlier update left it (id ${now.id ?? ""})` : "");
  return phrase`${subject(now.urn)} would be ${strong(outcome(now.op))}${left}, which was not approved`;
}

function goneChange(approved: ApprovedChange, there: "as approved" | "otherwise" | "absent"): Phrase {
  const now =
    there === "absent" ? "the stack does not have it, and the program does not declare it" : "nothing of it would change now";
  return phrase`${subject(approved.urn)} was approved to be ${strong(outcome(approved.op))}: ${ours(now)}`;
}

function compareStops(
  approved: Approval,
  now: Approval,
  skipped: ReadonlySet<string>,
  { differences, passed }: Comparison,
): void {
  const beyond = (some: Approval["stops"], others: Approval["stops"]) => {
    const known = new Set(others.map(stable));
    return some.filter((stop) => !skipped.has(stop.urn ?? "") && !known.has(stable(stop)));
  };
  for (const { word: stop, ...on } of beyond(now.stops, approved.stops)) {
    const text = phrase`${about(on.urn)}${word(stop)} was not found when this was approved: ${ours(stopWords[stop])}`;
    if (fleetWords.has(stop) && hasSameRules(approved, now, on.urn)) passed.push({ rule: "agents", ...on, text });
    else differences.push({ what: "stop", ...on, text });
  }
  for (const { word: stop, ...on } of beyond(approved.stops, now.stops)) {
    passed.push({ rule: "stops", ...on, text: phrase`${about(on.urn)}${word(stop)} is no longer found` });
  }
}

/** Whether agents are selected as approved: by a label, tag or test, or by all of them where a stop is about none. */
function hasSameRules(approved: Approval, now: Approval, urn: string | undefined): boolean {
  const rules = ({ reach }: Approval): string[] =>
    reach.flatMap(({ of, rule }) => (urn === undefined || of === urn ? [`${of} ${rule}`] : []));
  return rules(now).length > 0 && sameValue(rules(approved), rules(now));
}

function about(urn: string | undefined): Phrase {
  return urn === undefined ? [] : phrase`${subject(urn)}: `;
}
