import { isDeepStrictEqual } from "node:util";
import { changesInLine, type NameOf } from "../../report/changes";
import type { TextMark } from "../../report/document";
import { article } from "../../../provider/explain";
import { few, fewNames, joined, ours, phrase, type Phrase, strong, word, words } from "../../../common/phrase";
import { count, counted } from "../../../common/text";
import type { Names } from "../../../plan/judge/names";
import type { Op, Creation } from "../../../plan/model";
import type { NamedAgents, Reach, ReviewedReach, ResourceOutcome, TouchedTest } from "../../../plan/judge/review";
import { oneOf, onlySecrets, whyReplaced } from "../../../plan/judge/findings";
import type { JudgedStep } from "../../../plan/judge/model";

const maxRecords = 5;
const maxNames = 10;
const maxTestAgents = 3;

export const outcomeMarks: Readonly<Record<ResourceOutcome, TextMark>> = {
  delete: { sign: "-", tone: "red" },
  forget: { sign: "-", tone: "yellow" },
  replace: { sign: "+-", tone: "magenta" },
  update: { sign: "~", tone: "yellow" },
  adopt: { sign: "=", tone: "green" },
  create: { sign: "+", tone: "green" },
  options: { sign: "~", tone: "dim" },
};

export function titlesIn(names: Names): NameOf {
  return (_property, value) => (typeof value === "string" ? names.titleOf(value) : undefined);
}

export function gist(step: JudgedStep, names: Names): Phrase {
  const { op, changes, hidden, asked, forgotten, unfinished } = step;
  if (forgotten !== undefined) return ours(forgotten);
  if (op === "delete" || op === "create") return creationNote(step);
  const nameOf = titlesIn(names);
  const forcing = changes.filter(({ replaces }) => replaces);
  const others = changes.filter((change) => !forcing.includes(change));
  const parts = [
    ...(op === "adopt" ? [adoptionNote(step)] : []),
    ...(forcing.length > 0 ? [phrase`because of ${changesInLine(forcing, nameOf)}`] : []),
    ...(asked ? [ours("on request")] : []),
    ...(others.length > 0
      ? [forcing.length > 0 ? phrase`also changed: ${changesInLine(others, nameOf)}` : changesInLine(others, nameOf)]
      : []),
    ...(hidden.length > 0 ? [onlySecrets(step) ? oneOf(hidden) : phrase`perhaps ${oneOf(hidden)}`] : []),
    ...(step.resets.length > 0 ? [resetNote(step, nameOf)] : []),
    ...(op === "update" && unfinished ? [ours("its last update did not finish")] : []),
  ];
  return joined(parts, "; ");
}

export function reachText({ op, reach }: JudgedStep): string {
  if (!reach) return "";
  const sides = sidesText(reach, op !== "create", op !== "delete");
  const { gained, lost } = reach;
  // If a resource gains and loses equal numbers of agents, the total does not change. Therefore, the string also shows gained and lost
  // agents.
  return gained && lost ? `${sides} (+${count(gained.count)}, −${count(lost.count)})` : sides;
}

/**
 * Returns a string such as `12 of 40 (3 unclear) → 25`. A dash in the string means that the resource does not exist. A question mark means
 * that the number is unknown.
 */
function sidesText({ before, after, gained, lost }: Reach, existed: boolean, exists: boolean): string {
  const side = (reached: ReviewedReach | undefined, isThere: boolean): string => {
    if (!reached) return isThere ? "?" : "–";
    const number = reached.of === undefined ? count(reached.count) : `${count(reached.count)} of ${count(reached.of)}`;
    return reached.unclear === undefined ? number : `${number} (${count(reached.unclear)} unclear)`;
  };
  const [now, then] = [side(before, existed), side(after, exists)];
  return now === then && !gained && !lost ? then : `${now} → ${then}`;
}

/** Returns a note such as `also resets a manual change: interval: 300 → 900`. */
function resetNote({ resets }: JudgedStep, nameOf: NameOf): Phrase {
  const manual = resets.length === 1 ? "a manual change" : "manual changes";
  return phrase`also ${strong("resets")} ${ours(manual)}: ${changesInLine(resets, nameOf)}`;
}

export function notes(step: JudgedStep, nameOf: NameOf): Phrase[] {
  const { op, hidden, cost, reach, touches = [], declared, state, forgotten, creation, kind } = step;
  const lines: Phrase[] = forgotten === undefined ? [] : [ours(forgotten)];
  if (op === "adopt") lines.push(adoptionNote(step));
  if (creation) lines.push(creationNote(step));
  if (op === "replace") lines.push(phrase`replaced${whyReplaced(step)}${cost === undefined ? [] : ours(`; ${cost}`)}`);
  if (hidden.length > 0) {
    lines.push(
      onlySecrets(step)
        ? phrase`${oneOf(hidden)} changes, but the preview hides its value`
        : phrase`${oneOf(hidden)} may also change, but the preview hides its value`,
    );
  }
  if (step.resets.length > 0) lines.push(resetNote(step, nameOf));
  if ((declared ?? state)?.protect) lines.push(ours("protected"));
  return [...lines, ...(reach ? reachNotes(op, reach) : []), ...touchNotes(touches, kind.noun)];
}

/** Returns a phrase such as `the resource adopts the record of "old" (id 12): id and history are kept`. */
export function adoptionNote({ name, from, state, kind, otherStack }: JudgedStep): Phrase {
  const id = state?.id ?? "";
  if (otherStack !== undefined) {
    return phrase`the resource ${strong("adopts")} a record that stack ${otherStack} manages (id ${word(id)}). Each stack will undo the other stack's changes. Destroying either stack deletes the record`;
  }
  const kept = ours(kind.reach?.means === "test" ? "id and history are kept" : "its id is kept");
  if (!from) {
    return phrase`the resource ${strong("adopts")} the existing record ${word(id)} in the service: ${kept}`;
  }
  const moves = ours(from.name === name ? ", which has another parent now" : "");
  return phrase`the resource ${strong("adopts")} the record of ${from.name}${moves} (id ${word(id)}): ${kept}`;
}

export function creationNote({ creation, kind: { noun }, renamedFrom }: JudgedStep): Phrase {
  if (!creation) return [];
  const ids = words(creation.ids ?? [], maxRecords);
  const properties = words(creation.properties ?? [], maxRecords);
  const fails = strong("the update will fail");
  const texts: Record<Creation["how"], Phrase> = {
    none: phrase`the service has no unmanaged ${ours(noun)} with this name, so the update creates a new ${ours(noun)} despite adopt: true`,
    unseen: phrase`the review did not check whether ${ours(article(noun))} with this name exists`,
    unclear: phrase`whether the resource adopts an existing record depends on a secret, or on a value that is known only after the update`,
    identical: phrase`${fails}: the service already has this record (id ${ids}). ${ours(renamedFrom ? "The alias keeps the record" : "To manage the record, set adopt: true")}`,
    managed: phrase`${fails}: another resource of the program already manages the record (id ${ids}). Delete or rename one of the two resources. With --target, the update may not detect that two resources manage the record`,
    several: phrase`${fails}: several records match (id ${ids}), but a resource can adopt only one record. Delete all but one of the matching records in the service, or import the record that the resource should manage`,
    differs: phrase`${fails}: the record to adopt (id ${ids}) differs in ${properties}, which can be set only at creation. Declare the existing record's values, or rename the resource or the record`,
  };
  return texts[creation.how];
}

function reachNotes(op: Op, { before, after, gained, lost, unknown, off }: Reach): Phrase[] {
  // Agents do not run a disabled test, even if the test selects them.
  if (off) {
    return [ours("disabled: no agent runs it"), ...(before && before.count > 0 ? [phrase`now: ${agentsPhrase(before)}`] : [])];
  }
  const lines: Phrase[] = unknown === undefined ? [] : [ours(`the selected agents are not known: ${unknown}`)];
  // If it is unclear whether an agent is selected, the names can differ although no agent is gained or lost.
  const isSame =
    before &&
    after &&
    !gained &&
    !lost &&
    before.unclear === after.unclear &&
    before.count === after.count &&
    before.of === after.of &&
    isDeepStrictEqual(before.names, after.names);
  if (after && (isSame || op === "create")) return [...lines, phrase`selects ${agentsPhrase(after)}`];
  // If all agents are gained or lost, the line `now` or `afterwards` already lists the agents.
  const isChosen = before?.of !== undefined || after?.of !== undefined;
  const [gains, loses] = isChosen ? ["selects in addition", "no longer selects"] : ["gains", "loses"];
  if (gained && gained.count !== (after?.of ?? after?.count)) lines.push(phrase`${ours(gains)} ${agentsPhrase(gained)}`);
  if (lost && lost.count !== (before?.of ?? before?.count)) lines.push(phrase`${ours(loses)} ${agentsPhrase(lost)}`);
  if (before) lines.push(phrase`now: ${agentsPhrase(before)}`);
  if (after) lines.push(phrase`afterwards: ${agentsPhrase(after)}`);
  return lines;
}

/** Returns a string such as ` (82 seen within the hour)` if some agents did not check in. */
function seenNote(seen: number | undefined): string {
  return seen === undefined ? "" : ` (${count(seen)} seen within the hour)`;
}

/** Returns a phrase such as `3 agents (2 seen within the hour): "a", "b", "c"`. */
function agentsPhrase({ count: number, of = number, names, seen, unclear, why = "" }: ReviewedReach): Phrase {
  const numbers = of > number ? `${count(number)} of ${counted(of, "agent")}` : counted(number, "agent");
  const text = `${numbers}${seenNote(seen)}`;
  const certain = of === 0 ? ours("no agent") : phrase`${ours(text)}: ${fewNames(names, names.length, of)}`;
  if (unclear === undefined) return certain;
  return phrase`${of === 0 ? ours("no agent for certain") : certain}; unclear for ${ours(counted(unclear, "agent"))}: ${ours(why)}`;
}

/** Returns notes about tests that select agents by a label or tag. Tests with equal changes share one note. */
function touchNotes(touches: readonly TouchedTest[], noun: string): Phrase[] {
  if (touches.length === 0) return [];
  const alike = Map.groupBy(touches, (test) => JSON.stringify(touchedReach(test)));
  const tests = [...alike.values()].map((equalTests) => {
    const names = equalTests.map(({ name, urn }) => phrase`${name}${ours(urn === undefined ? " (not in this preview)" : "")}`);
    const [first] = equalTests;
    return phrase`${few(names, maxNames)}${first ? touchedReach(first) : []}`;
  });
  return [phrase`${ours(counted(touches.length, "test"))} by this ${ours(noun)}: ${few(tests, maxNames, "; ")}`];
}

/** Returns a phrase such as ` 17 (2 unclear) → 17, +15: "a", "b", "c" and 12 more`. */
function touchedReach(test: TouchedTest): Phrase {
  const { id, before, after, unknown, gained, lost } = test;
  if (!before && !after) return [];
  const isOpen = unknown !== undefined;
  const numbers = `${sidesText(test, isOpen && id !== undefined, isOpen)}${seenNote(after?.seen)}`;
  const isChosen = before?.of !== undefined || after?.of !== undefined;
  return phrase` ${ours(numbers)}${ours(isChosen && (gained || lost) ? ", selected" : "")}${signed("+", gained)}${signed("−", lost)}`;
}

function signed(sign: string, agents: NamedAgents | undefined): Phrase {
  if (!agents) return [];
  return phrase`, ${ours(`${sign}${count(agents.count)}`)}: ${fewNames(agents.names, maxTestAgents, agents.count)}`;
}
