import { EndpointMonitoringError } from "../../api";
import type { Session } from "../../provider/session";
import { UsageError } from "../command";
import type { Output } from "../output";
import type { Analysis } from "./analyse";
import type { Told } from "./told";
import { type Phrase, phrase, said } from "./phrase";
import type { Planned } from "./planned";
import { checkBySearch, type Checked } from "./search-check";
import { readHoldings } from "./service";
import { keyAfter, keyBefore } from "./stand-ins";
import { concerned, needsFallback } from "./worlds";

/** What the service told, or why it told nothing. */
export type Answer = { told: Told; session: Session } | { why: Phrase };

/** Whether a change means anything to agents, so that the service has to be asked. */
export function isOfInterest(planned: readonly Planned[]): boolean {
  return planned.some(({ op, kind }) => op !== "same" && kind.reach !== undefined);
}

/** Reads what the account groups concerned hold. Whatever fails is told, not thrown: a review without reach is one, too. */
export async function askService(connect: () => Promise<Session>, planned: readonly Planned[], out: Output): Promise<Answer> {
  try {
    const session = await connect();
    const fallback = needsFallback(planned) ? await session.accountGroupId() : undefined;
    const aids = concerned(planned, fallback);
    if (aids.length === 0)
      return { why: phrase`it is not known in which account group: set endpoint-monitoring:accountGroupId` };
    out.progress(`Reading labels, tests and agents of account group ${aids.join(", ")}…`);
    return { told: { holdings: await readHoldings(session, aids), aids, fallback }, session };
  } catch (error) {
    if (error instanceof EndpointMonitoringError || error instanceof UsageError) return { why: phrase`${said(error.message)}` };
    throw error;
  } finally {
    out.endProgress();
  }
}

/** Holds the evaluation of all labels that the report speaks of against the service's own search. */
export async function checkLabels(session: Session, { holdings }: Told, analysis: Analysis): Promise<Phrase[]> {
  const { worlds, names, changes } = analysis;
  if (!worlds) return [];
  const keys = new Set(
    changes.flatMap(({ planned }) =>
      [keyBefore(planned), keyAfter(planned)].flatMap((key = "") => [
        key,
        ...(worlds.after.tests.get(key)?.schedule.value?.endpointAgentLabels ?? []),
      ]),
    ),
  );
  const checked = [...keys].flatMap((key): Checked[] =>
    [worlds.before.labels.get(key), worlds.after.labels.get(key)].flatMap((label): Checked[] => {
      const known = names.of(key);
      if (!label?.rule.value || label.aid === undefined || !known || !holdings.agents.has(label.aid)) return [];
      return [{ name: known.name, aid: label.aid, rule: label.rule.value }];
    }),
  );
  return checkBySearch(session, checked, holdings.agents);
}
