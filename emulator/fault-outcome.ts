import { setTimeout as delay } from "node:timers/promises";
import type { PreparedFault } from "./faults";
import type { LastAnswers } from "./last-answers";
import type { OperationMatch } from "./operation-runner";
import { standardStyle } from "./problem";
import { faultReply, json, type Reply } from "./reply";
import type { RawRequest } from "./request";

/**
 * Applies a fault to a request. Returns the response, or undefined if the connection ends without a response.
 *
 * @param answer executes the request
 * @param end signal that is aborted when the emulator closes, so that the emulator does not execute delayed requests
 */
export async function outcomeOf(
  fault: PreparedFault | undefined,
  { operation, handler }: OperationMatch,
  request: RawRequest,
  answer: () => Promise<Reply>,
  { lastAnswers, end }: { lastAnswers: LastAnswers; end: AbortSignal },
): Promise<Reply | undefined> {
  let carryOut = answer;
  if (fault?.storedAfterMs !== undefined) {
    const late = delay(fault.storedAfterMs, undefined, { signal: end }).then(answer);
    late.catch(() => undefined);
    const early = json(operation.status, "application/json", {});
    carryOut = fault.kind === "latency" ? () => late : () => Promise.resolve(early);
  }
  switch (fault?.kind) {
    case "latency":
      await delay(fault.ms ?? 1000, undefined, { signal: end });
      return carryOut();
    case "drop-before":
      return undefined;
    case "drop-after":
      await carryOut();
      return undefined;
    case "half-close":
      if (fault.after) await carryOut();
      return undefined;
    case "redirect":
      return { status: 307, headers: { location: new URL(request.target, fault.to).href } };
    case "status":
      if (fault.after) await carryOut();
      return faultReply(fault, handler?.style ?? standardStyle, request.pathname);
    case "stale":
      return lastAnswers.get(request.target) ?? carryOut();
    default:
      return carryOut();
  }
}
