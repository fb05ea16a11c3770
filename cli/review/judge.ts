import { askService, concernsAgents } from "../operation/service";
import type { OperationSource } from "../operation/source";
import type { Output } from "../report/output";
import { phrase } from "../report/phrase";
import { type Judgement, judgementOf } from "./judgement";
import { checkLabels } from "./search-check";
import type { Limits } from "./stop-words";

/**
 * Reviews an operation, with what the service holds.
 *
 * @param noReach leaves the service alone
 */
export async function judge(
  { operation, session }: OperationSource,
  noReach: boolean,
  limits: Limits,
  out: Output,
): Promise<Judgement> {
  if (noReach || !concernsAgents(operation.own)) return judgementOf(operation);
  const answer = await askService(session, operation.own, out);
  if ("why" in answer) {
    const judgement = judgementOf(operation, undefined, limits);
    judgement.warnings.push(phrase`Whom labels and tests reach could not be worked out: ${answer.why}`);
    return { ...judgement, isBlind: true };
  }
  try {
    const judgement = judgementOf(operation, answer.service, limits);
    judgement.warnings.push(...(await checkLabels(answer.session, answer.service, judgement)));
    return judgement;
  } finally {
    // Else the process would wait for its idle connections.
    await answer.session.client.close();
  }
}
