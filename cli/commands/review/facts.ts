import { joined, ours, phrase, type Phrase, word } from "../../../common/phrase";
import { count, counted } from "../../../common/text";
import { type OpenReach, outcomeWords, type Review } from "../../../plan/judge/review";

/** Returns a string such as `2 created, 1 replaced`. The string also contains the number of other providers' resources. */
export function headline({ summary, notPreviewed, resources, renames }: Review): string {
  if (notPreviewed) return "not previewed, because a preview would send the token";
  // A reader sees a rename as one change, although the engine deletes a resource and creates another resource.
  const [created, deleted] = [summary.created - renames.length, summary.deleted - renames.length];
  const moved = renames.filter(({ from, to }) => from.name === to.name).length;
  const parts = [
    ...(renames.length > moved ? [`${count(renames.length - moved)} renamed`] : []),
    ...(moved > 0 ? [`${count(moved)} moved`] : []),
    ...[numbersText({ ...summary, created, deleted })].filter((numbers) => numbers !== ""),
  ];
  const ownText = `${parts.join(", ")}${renames.some(({ fails }) => fails) ? ", the update will fail" : ""}`;
  const others = numbersText({ ...summary.others, adopted: 0 });
  const what = ownText === "" ? (resources.length > 0 ? "only resource options change" : "nothing changes") : ownText;
  return others === "" ? what : `${what} (and of other providers ${others})`;
}

function numbersText(numbers: Review["summary"]["others"] & { adopted: number }): string {
  const parts = (["created", "adopted", "updated", "replaced", "deleted", "forgotten"] as const).flatMap((what) =>
    numbers[what] > 0 ? [`${count(numbers[what])} ${what === "forgotten" ? outcomeWords.forget : what}`] : [],
  );
  return parts.join(", ");
}

export function factsOf(review: Review): Phrase[] {
  const { approval } = review;
  return [...addressFacts(review), ...agentsFacts(review), ...(approval ? [phrase`approval ${word(approval.digest)}`] : [])];
}

/** Returns phrases such as `agents affected: 12 (3 unclear) → 25`. */
function agentsFacts({ summary: { agents } }: Review): Phrase[] {
  if (!agents) return [];
  const side = (number: number, { unclear, unknown }: OpenReach = {}): string => {
    const open = [
      ...(unclear === undefined ? [] : [`${count(unclear)} unclear`]),
      ...(unknown === undefined ? [] : [`without ${counted(unknown, "resource")} with unknown agents`]),
    ];
    return open.length === 0 ? count(number) : `${count(number)} (${open.join("; ")})`;
  };
  const [before, after] = [side(agents.before, agents.open?.before), side(agents.after, agents.open?.after)];
  return [ours(`agents ${agents.chosen ? "selected" : "affected"}: ${before} → ${after}`)];
}

/** Returns phrases such as `service api.example.com (environment), account group 1001 (configuration), token (environment)`. */
function addressFacts({ address }: Review): Phrase[] {
  if (!address || address.settings.length === 0) return [];
  const nouns: Partial<Record<string, string>> = { baseUrl: "service", accountGroupId: "account group" };
  const facts = address.settings.map(({ name, from, value }) => {
    const shown = name === "baseUrl" ? address.host : value;
    return phrase`${ours(nouns[name] ?? name)}${shown === undefined ? [] : phrase` ${word(shown)}`} (${ours(from)})`;
  });
  return [joined(facts, ", ")];
}
