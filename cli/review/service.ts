import { EndpointMonitoringError, largePages, type AgentRecord } from "../../api";
import { agentExpands } from "../../api/schemas";
import { type AgentFacts, factsOf } from "../../api/label-match";
import type { Kind } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { Lifecycle } from "../../provider/lifecycle";
import { registry } from "../../provider/registry";
import type { Session } from "../../provider/session";

/** An agent as far as labels, tests and licences look at it. */
export interface Agent {
  id: string;
  name: string;
  aid: string;
  enabled: boolean;
  licenseType?: string;
  facts: AgentFacts;
}

/** A label or test of the service. */
export interface ServiceRecord {
  kind: Kind;
  id: string;
  aid: string;
  state: Properties;
}

/** What the service holds in some account groups. A list that could not be read is absent. */
export interface Holdings {
  /** By account group, in the order of the service. */
  agents: Map<string, Agent[]>;
  records: ServiceRecord[];
  /** Lists that are missing, as sentences. */
  missing: string[];
  /** Whether every list of labels and tests is there. */
  whole: boolean;
}

/** Reads labels, tests and agents of account groups: one list a kind and account group, all at once. */
export async function readHoldings(session: Session, aids: readonly string[]): Promise<Holdings> {
  const kinds = listedKinds();
  const failures: Failure[] = [];
  const attempt = async <T>(what: string, aid: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EndpointMonitoringError)) throw error;
      failures.push({ what, aid, error });
      return undefined;
    }
  };
  const lists = aids.flatMap((aid) =>
    kinds.map((kind) =>
      attempt(`${kind.noun}s`, aid, async () => {
        const found = (await new Lifecycle(kind, session).list(aid)) ?? [];
        return found.map(({ id, state }): ServiceRecord => ({ kind, id, aid, state }));
      }),
    ),
  );
  const agents = aids.map(async (aid) => [aid, await attempt("agents", aid, () => readAgents(session, aid))] as const);
  const records = await Promise.all(lists);
  return {
    agents: new Map((await Promise.all(agents)).flatMap(([aid, list]) => (list ? [[aid, list]] : []))),
    records: records.flatMap((list) => list ?? []),
    whole: records.every((list) => list !== undefined),
    missing: sentencesOf(failures),
  };
}

interface Failure {
  what: string;
  aid: string;
  error: EndpointMonitoringError;
}

/** Failures of one kind are told once: a service that is down fails every list. */
function sentencesOf(failures: readonly Failure[]): string[] {
  const byCode = Map.groupBy(failures, ({ error }) => error.code);
  return [...byCode.values()].flatMap((alike) => {
    const what = [...new Set(alike.map((failure) => failure.what))].toSorted().join(", ");
    const where = [...new Set(alike.map(({ aid }) => aid))].toSorted().join(", ");
    // Of those that failed together, the text of the first one in order is the same in every run.
    const [reason = ""] = alike.map(({ error }) => error.message).toSorted();
    return [`The ${what} of account group ${where} could not be read: ${reason}`];
  });
}

/** The kinds of label and of scheduled test: instant ones are on no list. */
function listedKinds(): Kind[] {
  const kinds: Kind[] = Object.values(registry);
  return kinds.filter(({ reach }) => reach?.means === "label" || (reach?.means === "test" && reach.scheduled));
}

async function readAgents(session: Session, aid: string): Promise<Agent[]> {
  const agents: Agent[] = [];
  for await (const page of largePages(session.client.agents.list, { query: { aid, expand: [...agentExpands] } })) {
    for (const record of page.agents) if (!record.deleted) agents.push(agentOf(record, aid));
  }
  return agents;
}

function agentOf(record: AgentRecord, aid: string): Agent {
  return {
    id: record.id,
    name: record.name ?? record.computerName ?? record.id,
    aid: record.aid ?? aid,
    enabled: record.status !== "disabled",
    licenseType: record.licenseType,
    facts: factsOf(record),
  };
}
