import { EndpointMonitoringError } from "../../api";
import { readService } from "../service";
import type { OperationSource } from "../read";
import { changingAgents } from "../worlds";
import type { Progress } from "../../common/progress";
import { errorText, phrase } from "../../common/phrase";
import { judgementOf } from "./judgement";
import { checkLabels } from "./search-check";
import type { Limits } from "./checks";
import { UsageError } from "../../common/errors";
import type { Judgement } from "./model";

export interface JudgeOptions {
  readonly offline?: boolean;
  readonly limits?: Limits;
}

/**
 * Reads the service's records and agents, and returns the effects and findings of an operation. If the service cannot be read, the
 * judgement contains a warning.
 */
export async function judge(
  { operation, session }: OperationSource,
  out: Progress,
  { offline = false, limits = {} }: JudgeOptions = {},
): Promise<Judgement> {
  if (offline || changingAgents(operation.own).length === 0) return judgementOf(operation, undefined, limits);
  try {
    const ownSession = await session();
    const service = await readService(ownSession, operation.own, out);
    const judgement = judgementOf(operation, service, limits);
    for (const warning of await checkLabels(ownSession, service, judgement)) judgement.warnings.push(warning);
    return judgement;
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError || error instanceof UsageError)) throw error;
    const judgement = judgementOf(operation, undefined, limits);
    judgement.warnings.push(phrase`The agents that labels and tests select are not known: ${errorText(error.message)}`);
    return { ...judgement, isBlind: true };
  } finally {
    out.endProgress();
  }
}
