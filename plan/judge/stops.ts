import type { Insight, JudgedStep, Stop, Subject } from "./model";
import { records } from "../../provider/registry";
import { nameOfUrn } from "../../engine/state";
import { addressDangers } from "../address";
import type { PlannedOperation, Step } from "../model";
import { optionChanges } from "../options";
import { errorText, few, fewNames, joined, ours, phrase, type Phrase, strong, word, words } from "../../common/phrase";
import { compareText, counted } from "../../common/text";
import type { ServiceAgent } from "../../provider/reach/holdings";
import { isDerivedReplacement } from "../../provider/compare";
import { lossSentence } from "../../provider/references/references";
import type { Limits, StopWord } from "./rules";

const maxAgentNames = 5;

export function subjectOf({ kind, name, urn }: Step): Subject {
  return { noun: kind.noun, name, urn };
}

/** A stop about a resource. @param sentence what follows the resource's name */
export function stopOn(about: Subject, on: StopWord, sentence: Phrase): Stop {
  const { noun, name, urn } = about;
  return { word: on, ...(urn !== undefined && { urn }), text: phrase`${ours(noun)} ${name}${sentence}`, about };
}

/** Returns all stops of an operation except those for the agents that labels and tests reach. */
export function ofOperation(
  operation: PlannedOperation,
  changes: readonly JudgedStep[],
  limits: Limits,
  insight: Insight | undefined,
): Stop[] {
  return [
    ...addressDangers(operation, limits.allowUnknown).map((addressDanger): Stop => ({ word: "address", ...addressDanger })),
    ...ofEarlierUpdates(operation),
    ...changes.flatMap((change) => [...ofEngine(change), ...ofUnknown(change, limits), ...ofReferences(change)]),
    ...(insight ? [...ofLoad(insight), ...ofAgents(insight), ...insight.unasked.map(ofUnasked)] : []),
  ];
}

/** Returns stops for what an earlier update left: deletions by other providers, and operations whose outcome the engine does not know. */
function ofEarlierUpdates({ pendingOthers, interrupted }: PlannedOperation): Stop[] {
  return [
    ...pendingOthers.map(({ urn, type, id = "" }): Stop => {
      const text = phrase`${ours(type)} ${nameOfUrn(urn)} (id ${word(id)}) is ${strong("deleted")}: an earlier update left that`;
      return { word: "pending", urn, text };
    }),
    ...interrupted.map(({ urn, type }): Stop => {
      const text = phrase`an earlier update was ${strong("interrupted")} while ${ours(type)} ${nameOfUrn(urn)}: run ${word("pulumi refresh")} first, which finds out what became of it`;
      return { word: "pending", urn, text };
    }),
  ];
}

/** Returns stops for values that may become anything in the update, which the bare id of a new resource may not. */
function ofUnknown(step: JudgedStep, { allowUnknown = [] }: Limits): Stop[] {
  return step.unknown
    .filter(({ property, idsOf }) => !idsOf && !allowUnknown.includes(`${step.name}.${property}`))
    .map(({ property, from }) => {
      const made = from.length === 0 ? [] : phrase`, made from ${fewNames(from.map(nameOfUrn), maxAgentNames)}`;
      const when = phrase`${strong("known only during the update")}${made}, so nobody can review it`;
      return stopOn(subjectOf(step), "unknown-value", phrase`: ${word(property)} is ${when}`);
    });
}

function ofEngine(step: JudgedStep): Stop[] {
  const { op, refused, kindName, from, name, forgotten, cost } = step;
  const stops: Stop[] = [];
  const add = (on: StopWord, sentence: Phrase): void => void stops.push(stopOn(subjectOf(step), on, sentence));
  // Other kinds keep nothing in the service that could be lost.
  const isRecord = Object.hasOwn(records, kindName);
  if (refused) {
    add("protected", phrase` is ${strong("protected")}: the engine refuses to ${ours(op)} it until it is unprotected`);
  }
  if (step.pending) {
    const verb = forgotten === undefined ? "deleted" : "dropped from the state";
    const id = word(step.state?.id ?? "");
    add("pending", phrase` (id ${id}) is ${strong(verb)}: an earlier update replaced it and left that`);
  }
  // The engine refuses to delete a protected resource, though the service would keep its record.
  if (from?.refused) {
    const refusal = phrase`the engine refuses to drop it until it is unprotected, though ${name} adopts its record`;
    stops.push(stopOn(subjectOf(from), "protected", phrase` is ${strong("protected")}: ${refusal}`));
  }
  if (step.otherStack !== undefined) {
    const id = word(step.state?.id ?? "");
    add("adopts-foreign", phrase` ${strong("adopts a record")} that stack ${word(step.otherStack)} manages (id ${id})`);
  }
  if (op === "delete" && isRecord && forgotten === undefined) add("deletes", phrase` is ${strong("deleted")}`);
  if (op === "replace" && isRecord) {
    add("replacements", phrase` is ${strong("replaced")}${whyReplaced(step)}: ${ours(cost ?? "")}`);
    if (!step.asked && isDerivedReplacement(step.changes)) {
      const properties = words(step.changes.flatMap(({ property, derived }) => (derived ? [property] : [])));
      add(
        "derived-replacement",
        phrase`: the service returns a value of ${properties} that ${strong("no program can declare")}`,
      );
    }
  }
  const changed = optionChanges(step.options).map(({ property, how }) => phrase`${word(property)} ${ours(how)}`);
  if (changed.length > 0) add("options", phrase` gets ${strong("other options")}: ${joined(changed, ", ")}`);
  return op === "create" ? stops : [...stops, ...secretStops(step)];
}

/** ` because of isPrioritized, endpointAgentLabels ("office" gets a new id)` */
export function whyReplaced({ replaces, asked }: JudgedStep): Phrase {
  if (replaces.length === 0) return ours(asked ? ", as somebody asked for it" : ", as the engine says");
  const reasons = replaces.map(({ property, because = [] }) => {
    if (because.length === 0) return [word(property)];
    const gets = because.length > 1 ? "get new ids" : "gets a new id";
    return phrase`${word(property)} (${fewNames(because.map(nameOfUrn), because.length)} ${ours(gets)})`;
  });
  return phrase` because of ${joined(reasons, ", ")}`;
}

function secretStops(step: JudgedStep): Stop[] {
  const { changes, hidden } = step;
  const stop = (sentence: Phrase): Stop => stopOn(subjectOf(step), "secrets", phrase`: ${sentence}`);
  const secrets = changes.filter(({ secret }) => secret);
  const changed = secrets.map(({ property, how }) => stop(phrase`secret ${word(property)} is ${strong(how)}`));
  if (hidden.length === 0) return changed;
  // A gate must not let through a change that it cannot see.
  const verb = onlySecrets(step) ? strong("changes") : phrase`${strong("may change")}, too: the preview does not show it`;
  return [...changed, stop(phrase`${oneOf(hidden)} ${verb}`)];
}

/** Whether secrets that a mask hides are the only possible change of an update. */
export function onlySecrets({ op, changes, hidden, unfinished }: JudgedStep): boolean {
  return op === "update" && changes.length === 0 && hidden.length > 0 && !unfinished;
}

/** `secret password`, or `one of the secrets password, token` */
export function oneOf(hidden: readonly string[]): Phrase {
  return phrase`${ours(hidden.length > 1 ? "one of the secrets" : "secret")} ${words(hidden)}`;
}

function ofReferences(step: JudgedStep): Stop[] {
  const { kind, references = [] } = step;
  if (references.length === 0) return [];
  const names = namesInOrder(references.map(({ name }) => name));
  return [stopOn(subjectOf(step), "loses-references", phrase`: ${strong(lossSentence(kind, references))}: ${names}`)];
}

function ofUnasked(why: string): Stop {
  const text = phrase`who names what is deleted or replaced is ${strong("not known")}: ${errorText(why)}`;
  return { word: "loses-references", text };
}

function ofLoad({ load, names }: Insight): Stop[] {
  const worse = load?.over.filter((overloaded) => overloaded.worse) ?? [];
  if (worse.length === 0) return [];
  const agents = worse.map(({ agent, after, limit }) => phrase`${names.agent(agent)} (${after} of ${limit})`);
  const text = phrase`${ours(counted(worse.length, "agent"))} would have ${strong("more tests than the license runs")}: ${few(agents, maxAgentNames)}`;
  return [{ word: "over-license", text }];
}

function ofAgents({ worlds: { before, after }, names }: Insight): Stop[] {
  const later = new Map([...after.agents.values()].flat().map((agent) => [agent.id, agent]));
  const all = [...before.agents.values()].flat();
  const stop = (agents: readonly ServiceAgent[], what: string): Stop[] => {
    if (agents.length === 0) return [];
    const shown = namesInOrder(agents.map((agent) => names.agent(agent)));
    return [{ word: "agents-off", text: phrase`${ours(counted(agents.length, "agent"))} ${strong(what)}: ${shown}` }];
  };
  const disabled = all.filter(({ id, enabled }) => enabled && later.get(id)?.enabled === false);
  const left = all.filter(({ id, accountGroupId }) => later.get(id)?.accountGroupId !== accountGroupId);
  return [...stop(disabled, "disabled"), ...stop(left, "deleted or moved to another account group")];
}

export function namesInOrder(names: readonly string[]): Phrase {
  return fewNames(names.toSorted(compareText), maxAgentNames);
}
