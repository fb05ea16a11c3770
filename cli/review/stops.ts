import { records } from "../../provider/registry";
import { nameOfUrn } from "../engine/state";
import { ofAgents, ofLoad } from "./fleet-stops";
import { joined, ours, phrase, type Phrase, strong, word } from "./phrase";
import type { Planned } from "./planned";
import { ofReach, ofTouched } from "./reach-stops";
import type { ReviewedResource } from "./report";
import { type StopWord, stopWords } from "./stop-words";
import { type Analysed, type Insight, type Stop, stopOn, subject, subjectOf } from "./stop";

/** All things worth stopping for, the most serious kinds first. */
export function stopsIn(changes: readonly Analysed[], insight: Insight | undefined): Stop[] {
  const found = [
    ...changes.flatMap(ofEngine),
    ...(insight ? changes.flatMap((one) => ofReach(one, insight)) : []),
    ...(insight ? ofTouched(changes, insight) : []),
    ...(insight?.load ? ofLoad(insight.load, insight.names) : []),
    ...(insight ? ofAgents(insight) : []),
  ];
  const order = Object.keys(stopWords);
  return found.toSorted((a, b) => order.indexOf(a.word) - order.indexOf(b.word));
}

/** What the preview alone tells. */
function ofEngine({ planned, resource }: Analysed): Stop[] {
  const { op, refused, kindName } = planned;
  const stops: Stop[] = [];
  const add = (...rest: [StopWord, one: Phrase, many: Phrase]): void => void stops.push(stopOn(subjectOf(planned), ...rest));
  // Other kinds keep nothing in the service that could be lost.
  const isRecord = Object.hasOwn(records, kindName);
  if (refused) {
    add(
      "protected",
      phrase` is ${strong("protected")}: the engine refuses to ${ours(op)} it until it is unprotected`,
      phrase` are ${strong("protected")}, so the engine refuses to ${ours(op)} them until they are unprotected`,
    );
  }
  // The engine refuses to delete a protected resource, though the service would keep its record.
  if (planned.from?.refused) {
    stops.push(
      stopOn(
        subjectOf(planned.from),
        "protected",
        phrase` is ${strong("protected")}: the engine refuses to drop it until it is unprotected, though ${planned.name} adopts its record`,
        phrase` are ${strong("protected")}, so the engine refuses to drop them until they are unprotected`,
      ),
    );
  }
  if (op === "delete" && isRecord && resource.forgotten === undefined) {
    add("deletes", phrase` is ${strong("deleted")}`, phrase` are ${strong("deleted")}`);
  }
  if (op === "replace" && isRecord) {
    const [why, cost] = [whyReplaced(resource), ours(resource.cost ?? "")];
    add(
      "replacements",
      phrase` is ${strong("replaced")}${why}: ${cost}`,
      phrase` are ${strong("replaced")}${why} (of each, ${cost})`,
    );
  }
  return op === "create" ? stops : [...stops, ...secretsOf(planned, resource)];
}

/** ` because of isPrioritized, endpointAgentLabels ("office" gets a new id)` */
export function whyReplaced(resource: ReviewedResource): Phrase {
  const reasons = reasonsOf(resource);
  if (reasons.length > 0) return phrase` because of ${reasons}`;
  return ours(resource.asked ? ", as somebody asked for it" : ", as the engine says");
}

/** `isPrioritized, endpointAgentLabels ("office" gets a new id)` */
export function reasonsOf({ replaces }: ReviewedResource): Phrase {
  const reasons = replaces.map(({ property, because = [] }) => {
    const recreated = joined(
      because.map((urn) => phrase`${nameOfUrn(urn)}`),
      ", ",
    );
    const gets = because.length > 1 ? "get new ids" : "gets a new id";
    return because.length > 0 ? phrase`${word(property)} (${recreated} ${ours(gets)})` : phrase`${word(property)}`;
  });
  return joined(reasons, ", ");
}

function secretsOf(planned: Planned, { changes, hidden, ...resource }: ReviewedResource): Stop[] {
  const one = subjectOf(planned);
  const stop = (text: Phrase, said: Phrase): Stop => ({ word: "secrets", urn: planned.urn, text, alike: { ...one, said } });
  const told = changes
    .filter(({ secret }) => secret)
    .map(({ property, how }) =>
      stop(
        phrase`secret ${word(property)} of ${subject(planned)} is ${strong(how)}`,
        phrase` have a secret ${word(property)} that is ${strong(how)}`,
      ),
    );
  if (hidden.length === 0) return told;
  // Nobody could rely on a gate that lets through what it cannot see.
  const [verb, doubt] = onlySecrets({ changes, hidden, ...resource })
    ? [strong("changes"), phrase``]
    : [strong("may change"), phrase`, too: the preview does not tell`];
  const what = oneOf(hidden);
  return [...told, stop(phrase`${what} of ${subject(planned)} ${verb}${doubt}`, phrase` of which ${what} ${verb}${doubt}`)];
}

/** Whether an update can be about nothing but secrets that a mask hides. */
export function onlySecrets({ op, changes, hidden, unfinished }: ReviewedResource): boolean {
  return op === "update" && changes.length === 0 && hidden.length > 0 && !unfinished;
}

/** Secrets of which one changes, or may. */
export function oneOf(hidden: readonly string[]): Phrase {
  const properties = joined(
    hidden.map((property) => phrase`${word(property)}`),
    ", ",
  );
  return hidden.length > 1 ? phrase`one of the secrets ${properties}` : phrase`secret ${properties}`;
}
