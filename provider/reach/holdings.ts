import { type AgentRecord, EndpointMonitoringError } from "../../api";
import { factsOf, reportedOf } from "../../api/label-match";
import type { KnownAgent } from "../../api/tag-match";
import { type AgentListing, pagesOfAgents } from "../agent-pages";
import type { Kind } from "../kind";
import { Lifecycle } from "../lifecycle";
import { registry } from "../registry";
import type { Session } from "../session";
import type { Properties } from "../values";

/** The properties of an agent that determine which labels, tags and tests apply to the agent. */
export interface ServiceAgent extends KnownAgent {
  id: string;
  name: string;
  accountGroupId: string;
  enabled: boolean;
  licenseType?: string;
  /** Whether the agent checked in during the last hour, if the service returned the check-in time. */
  seen?: boolean;
}

export interface ServiceRecord {
  kind: Kind;
  id: string;
  accountGroupId: string;
  state: Properties;
  /** UTC time of the record's last change, if the service returns this time. */
  modified?: string;
}

/** The records and agents of several account groups. Records and agents from failed list requests are missing. */
export interface Holdings {
  agents: Map<string, ServiceAgent[]>;
  records: ServiceRecord[];
  missing: string[];
  isComplete: boolean;
}

/** Reads the labels, tags, tests and agents of account groups with parallel requests. */
export async function readHoldings(
  session: Session,
  accountGroupIds: readonly string[],
  agentPages = (accountGroupId: string): AsyncIterable<AgentListing> => pagesOfAgents(session, accountGroupId),
): Promise<Holdings> {
  const kinds = listedKinds();
  const failures: ListFailure[] = [];
  const attempt = async <T>(what: string, accountGroupId: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EndpointMonitoringError)) throw error;
      failures.push({ what, accountGroupId, error });
      return undefined;
    }
  };
  const lists = accountGroupIds.flatMap((accountGroupId) =>
    kinds.map((kind) =>
      attempt(`${kind.noun}s`, accountGroupId, async () => {
        const readResources = (await new Lifecycle(kind, session).list(accountGroupId)) ?? [];
        return readResources.map(({ id, state, modified }): ServiceRecord => ({ kind, id, accountGroupId, state, modified }));
      }),
    ),
  );
  const agents = accountGroupIds.map(
    async (id) => [id, await attempt("agents", id, () => readAgents(session, id, agentPages(id)))] as const,
  );
  const records = await Promise.all(lists);
  return {
    agents: new Map((await Promise.all(agents)).flatMap(([id, list]) => (list ? [[id, list]] : []))),
    records: records.flatMap((list) => list ?? []),
    isComplete: records.every((list) => list !== undefined),
    missing: sentencesOf(failures),
  };
}

interface ListFailure {
  what: string;
  accountGroupId: string;
  error: EndpointMonitoringError;
}

/** Combines failures with the same error code into one sentence, because every list request fails if the service is down. */
function sentencesOf(failures: readonly ListFailure[]): string[] {
  const byCode = Map.groupBy(failures, ({ error }) => error.code);
  return [...byCode.values()].flatMap((alike) => {
    const what = [...new Set(alike.map((failure) => failure.what))].toSorted().join(", ");
    const where = [...new Set(alike.map(({ accountGroupId }) => accountGroupId))].toSorted().join(", ");
    // The messages are sorted so that every run reports the same message.
    const [reason = ""] = alike.map(({ error }) => error.message).toSorted();
    return [`The ${what} of account group ${where} could not be read: ${reason}`];
  });
}

/** Returns the resource types for labels, tags and scheduled tests. The service does not list instant tests. */
export function listedKinds(): Kind[] {
  const kinds: Kind[] = Object.values(registry);
  return kinds.filter(({ reach }) => reach?.means === "group" || (reach?.means === "test" && reach.scheduled));
}

async function readAgents(
  session: Session,
  accountGroupId: string,
  pages: AsyncIterable<AgentListing>,
): Promise<ServiceAgent[]> {
  const agents: ServiceAgent[] = [];
  for await (const page of pages) {
    const now = session.clock.earliest();
    for (const record of page.agents) if (!record.deleted) agents.push(agentOf(record, accountGroupId, now));
  }
  return agents;
}

/** Time without a check-in after which an agent loses its labels, in milliseconds (docs/service/labels.md, Filters). */
export const silentMs = 3_600_000;

function agentOf(record: AgentRecord, accountGroupId: string, now = NaN): ServiceAgent {
  const age = now - Date.parse(record.lastSeen ?? "");
  return {
    id: record.id,
    name: record.name ?? record.computerName ?? record.id,
    accountGroupId: record.aid ?? accountGroupId,
    enabled: record.status !== "disabled",
    licenseType: record.licenseType,
    ...(!Number.isNaN(age) && { seen: age <= silentMs }),
    facts: factsOf(record),
    reported: reportedOf(record),
  };
}
