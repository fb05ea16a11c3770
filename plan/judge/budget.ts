import type { Finding } from "../../common/finding";
import { fewNames, phrase, type Phrase, strong, word } from "../../common/phrase";
import { count } from "../../common/text";
import type { CheckName, Limits } from "./checks";
import { findingOf } from "./findings";
import type { Costs, NamedCount } from "./review";

const maxNames = 5;

/** Returns a finding for each exceeded limit. If the load of the agents is unknown, it counts as too high. */
export function ofBudget(costs: Costs, { maxHistoriesLost, maxReplacements, maxLoad }: Limits): Finding<CheckName>[] {
  const over = (option: string, most: number | undefined, cost: NamedCount, what: string): Finding<CheckName>[] => {
    if (most === undefined || cost.count <= most) return [];
    const names = fewNames(cost.names, maxNames);
    return [
      findingOf("over-budget", phrase`${strong(`${count(cost.count)} ${what}`)} (${word(`${option} ${most}`)}): ${names}`),
    ];
  };
  return [
    ...over("--max-histories-lost", maxHistoriesLost, costs.histories, "tests lose their result history"),
    ...over("--max-replacements", maxReplacements, costs.replacements, "resources are replaced"),
    ...(maxLoad === undefined ? [] : ofLoadBudget(costs.rounds, maxLoad)),
  ];
}

function ofLoadBudget(rounds: Costs["rounds"], most: number): Finding<CheckName>[] {
  const limit = word(`--max-load ${most}`);
  const finding = (text: Phrase): Finding<CheckName>[] => [findingOf("over-budget", text)];
  if (!rounds) return finding(phrase`the test load is ${strong("not known")}, so ${limit} cannot be checked`);
  if (rounds.after <= most) return [];
  return finding(
    phrase`after the update, all tests together require ${strong(`${count(rounds.after)} rounds per hour`)} (${limit})`,
  );
}
