import { addressDangers } from "../operation/address";
import type { Operation } from "../operation/operation";
import type { JudgedStep } from "./judgement";
import { ofReach, ofTouched } from "./reach-stops";
import { allStopWords, type Limits } from "./stop-words";
import {
  type Insight,
  ofAgents,
  ofEarlierUpdates,
  ofEngine,
  ofLoad,
  ofReferences,
  ofUnasked,
  ofUnknown,
  type Stop,
} from "./stops";

/** All things worth stopping for, the most serious kinds first. */
export function stopsIn(
  operation: Operation,
  changes: readonly JudgedStep[],
  limits: Limits,
  insight: Insight | undefined,
): Stop[] {
  const found = [
    ...addressDangers(operation).map((one): Stop => ({ word: "address", ...one })),
    ...ofEarlierUpdates(operation),
    ...changes.flatMap((change) => [...ofEngine(change), ...ofUnknown(change, limits)]),
  ];
  if (insight) {
    found.push(...changes.flatMap((change) => ofReach(change, insight)), ...ofTouched(changes, insight));
    if (insight.load) found.push(...ofLoad(insight.load, insight.names));
    found.push(...ofAgents(insight), ...changes.flatMap(ofReferences), ...insight.unasked.map(ofUnasked));
  }
  return found.toSorted((a, b) => allStopWords.indexOf(a.word) - allStopWords.indexOf(b.word));
}
