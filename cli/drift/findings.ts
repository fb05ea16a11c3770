import { EndpointMonitoringError } from "../../api";
import type { Output } from "../output";
import type { Elsewhere } from "./also";
import { unseenProperties } from "./records";
import type { DriftReport, UnmanagedRecord } from "./report";
import type { Look, Scope } from "./stacks";
import { unmanagedRecords } from "./unmanaged";

/**
 * What was found, as it is reported.
 *
 * @param unmanagedScope of what is unmanaged; nothing where that is not asked for
 * @throws the client's errors where there is nothing else to report
 */
export async function reportOf(
  looks: readonly Look[],
  elsewhere: Elsewhere,
  unmanagedScope: Scope | undefined,
  out: Output,
): Promise<DriftReport> {
  const failures = looks.flatMap(({ stack, error }) =>
    error ? [`stack ${stack.name} could not be looked at: ${error.message}`] : [],
  );
  let unmanaged: UnmanagedRecord[] | undefined;
  // A stack whose state is not known may manage any of them.
  const unread = [
    ...looks.flatMap(({ stack, resources }) => (resources === undefined ? [stack.name] : [])),
    ...elsewhere.unread,
  ];
  if (unmanagedScope && unread.length > 0) {
    out.warn(`what is unmanaged can't be told: it is not known what ${unread.join(", ")} manages`);
  } else if (unmanagedScope) {
    out.progress("Looking for what is unmanaged");
    try {
      unmanaged = await unmanagedRecords(looks, elsewhere.held, unmanagedScope);
    } catch (error) {
      const sawNothing = looks.every(({ held }) => held.length === 0);
      if (!(error instanceof EndpointMonitoringError) || sawNothing) throw error;
      failures.push(`what is unmanaged could not be told: ${error.message}`);
    }
  }
  const stacks = looks.map(({ drift }) => drift);
  const drifted = stacks.some(({ changed, missing }) => changed.length + missing.length > 0);
  return {
    drift: drifted || (unmanaged ?? []).length > 0,
    stacks,
    ...(unmanaged ? { unmanaged } : {}),
    unseen: unseenProperties(looks),
    failures,
  };
}
