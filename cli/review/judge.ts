import type { Output } from "../report/output";
import { phrase } from "../report/phrase";
import { analyse, type Analysis } from "./analyse";
import { plannedIn } from "./planned";
import { checkLabels } from "./search-check";
import { askService, concernsAgents, type ServiceView } from "./service";
import type { PreviewSource } from "./source";
import type { Limits } from "./stop-words";

/** A review, as the command reports it and a policy pack judges by it. */
export interface Judgement {
  analysis: Analysis;
  /** Whether something of it is missing because the service could not be read. */
  isBlind: boolean;
  /** What the service holds, where the change concerns it. */
  service?: ServiceView;
}

/**
 * Reviews a preview, with what the service holds.
 *
 * @param noReach leaves the service alone
 */
export async function judge(
  { preview, session }: PreviewSource,
  noReach: boolean,
  limits: Limits,
  out: Output,
): Promise<Judgement> {
  const steps = plannedIn(preview);
  if (noReach || !concernsAgents(steps.planned)) return { analysis: analyse(preview, steps), isBlind: false };
  const answer = await askService(session, steps.planned, out);
  if ("why" in answer) {
    const analysis = analyse(preview, steps, undefined, limits);
    analysis.warnings.push(phrase`Whom labels and tests reach could not be worked out: ${answer.why}`);
    return { analysis, isBlind: true };
  }
  try {
    const analysis = analyse(preview, steps, answer.service, limits);
    analysis.warnings.push(...(await checkLabels(answer.session, answer.service, analysis)));
    return { analysis, isBlind: answer.service.holdings.missing.length > 0, service: answer.service };
  } finally {
    // Else the process would wait for its idle connections.
    await answer.session.client.close();
  }
}
