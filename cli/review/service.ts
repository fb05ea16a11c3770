import { type AgentRecord, EndpointMonitoringError, largePages } from "../../api";
import { type AgentFacts, factsOf } from "../../api/label-match";
import { agentExpands } from "../../api/schemas";
import type { Kind } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import { registry } from "../../provider/registry";
import type { Session } from "../../provider/session";
import type { Properties } from "../../provider/values";
import { UsageError } from "../command";
import type { Output } from "../report/output";
import { errorText, type Phrase, phrase } from "../report/phrase";
import type { PlannedStep } from "./planned";
import { concerned, needsDefaultAccountGroup } from "./worlds";

/** An agent as far as labels, tests and licences look at it. */
export interface Agent {
  id: string;
  name: string;
  accountGroupId: string;
  enabled: boolean;
  licenseType?: string;
  facts: AgentFacts;
}

/** A label or test of the service. */
export interface ServiceRecord {
  kind: Kind;
  id: string;
  accountGroupId: string;
  state: Properties;
}

/** What the service holds in some account groups. A list that could not be read is absent. */
export interface Holdings {
  /** By account group, in the order of the service. */
  agents: Map<string, Agent[]>;
  records: ServiceRecord[];
  /** Lists that are missing, as sentences. */
  missing: string[];
  /** Whether every list of labels and tests was read. */
  isComplete: boolean;
}

/** What a review knows of the service. */
export interface ServiceView {
  holdings: Holdings;
  /** Account groups that the change concerns. */
  accountGroupIds: string[];
  /** Account group of resources that name none. */
  defaultAccountGroupId: string | undefined;
}

export type ServiceAnswer = { service: ServiceView; session: Session } | { why: Phrase };

/** Whether a change means anything to agents, so that the service has to be asked. */
export function concernsAgents(planned: readonly PlannedStep[]): boolean {
  return planned.some(({ op, kind }) => op !== "same" && kind.reach !== undefined);
}

/** Reads what the account groups concerned hold. A failure is returned: a review without reach is one, too. */
export async function askService(
  connect: () => Promise<Session>,
  planned: readonly PlannedStep[],
  out: Output,
): Promise<ServiceAnswer> {
  try {
    const session = await connect();
    const defaultAccountGroupId = needsDefaultAccountGroup(planned) ? await session.accountGroupId() : undefined;
    const accountGroupIds = concerned(planned, defaultAccountGroupId);
    if (accountGroupIds.length === 0) {
      return { why: phrase`it is not known in which account group: set endpoint-monitoring:accountGroupId` };
    }
    out.progress(`Reading labels, tests and agents of account group ${accountGroupIds.join(", ")}…`);
    const holdings = await readHoldings(session, accountGroupIds);
    return { service: { holdings, accountGroupIds, defaultAccountGroupId }, session };
  } catch (error) {
    if (error instanceof EndpointMonitoringError || error instanceof UsageError) return { why: [errorText(error.message)] };
    throw error;
  } finally {
    out.endProgress();
  }
}

/** Reads labels, tests and agents of account groups: one list a kind and account group, all at once. */
async function readHoldings(session: Session, accountGroupIds: readonly string[]): Promise<Holdings> {
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
        const found = (await new Lifecycle(kind, session).list(accountGroupId)) ?? [];
        return found.map(({ id, state }): ServiceRecord => ({ kind, id, accountGroupId, state }));
      }),
    ),
  );
  const agents = accountGroupIds.map(async (id) => [id, await attempt("agents", id, () => readAgents(session, id))] as const);
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

/** Failures of one kind are reported once: a service that is down fails every list. */
function sentencesOf(failures: readonly ListFailure[]): string[] {
  const byCode = Map.groupBy(failures, ({ error }) => error.code);
  return [...byCode.values()].flatMap((alike) => {
    const what = [...new Set(alike.map((failure) => failure.what))].toSorted().join(", ");
    const where = [...new Set(alike.map(({ accountGroupId }) => accountGroupId))].toSorted().join(", ");
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

async function readAgents(session: Session, accountGroupId: string): Promise<Agent[]> {
  const agents: Agent[] = [];
  for await (const page of largePages(session.client.agents.list, {
    query: { aid: accountGroupId, expand: [...agentExpands] },
  })) {
    for (const record of page.agents) if (!record.deleted) agents.push(agentOf(record, accountGroupId));
  }
  return agents;
}

function agentOf(record: AgentRecord, accountGroupId: string): Agent {
  return {
    id: record.id,
    name: record.name ?? record.computerName ?? record.id,
    accountGroupId: record.aid ?? accountGroupId,
    enabled: record.status !== "disabled",
    licenseType: record.licenseType,
    facts: factsOf(record),
  };
}
