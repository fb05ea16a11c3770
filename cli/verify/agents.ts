import { EndpointMonitoringError } from "../../api";
import { AgentFinder } from "../../provider/resources/agent-finder";
import { describeMeasurement } from "../../provider/resources/measurements";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import type { Verdict } from "./run";

/** Agents that are told of a test that did not pass. */
const shown = 10;

/**
 * What agents measured of a test that did not pass: those that did not reach the target first. People know agents by their names, so
 * those are asked for; where that fails, the ids will do.
 */
export async function agentLines(session: Session, { outcome, measured, held }: Verdict): Promise<string[]> {
  if (outcome !== "failed" && outcome !== "late") return [];
  const worstFirst = measured.toSorted((a, b) => Number(a.available) - Number(b.available));
  const finder = AgentFinder.of(session);
  const aid = stringOf(held.outputs["accountGroupId"]);
  const lines = await Promise.all(
    worstFirst.slice(0, shown).map(async (m) => {
      const name = await nameOf(finder, m.agentId, aid);
      const details = m.errorDetails === undefined ? "" : `: ${m.errorDetails}`;
      return `${name}: ${describeMeasurement(m)}${details}`;
    }),
  );
  return measured.length > shown ? [...lines, `and ${measured.length - shown} more agents`] : lines;
}

async function nameOf(finder: AgentFinder, id: string, aid: string | undefined): Promise<string> {
  try {
    const agent = await finder.listed(id, aid);
    return agent?.name ?? agent?.computerName ?? id;
  } catch (error) {
    if (error instanceof EndpointMonitoringError) return id;
    throw error;
  }
}
