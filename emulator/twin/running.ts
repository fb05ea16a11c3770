import { byPriority, maxTestsPerAgent } from "../../api/agent-selection";
import type { FleetAgent } from "../fleet/fleet";
import { testKinds } from "../model/test-kinds";
import type { StoredTest } from "../model/tests";
import { agentsAssigned } from "../selection";
import type { Service } from "../service";
import type { StoreRow } from "../store";

export interface AgentsOfTest {
  readonly id: string;
  readonly aid: string;
  readonly testName: string;
  readonly isEnabled: boolean;
  /** Ids of the agents that the test is assigned to. */
  readonly assigned: readonly string[];
  /** Ids of agents that run the test, regardless of the creation order of new tests. */
  readonly running: readonly string[];
  /** Ids of agents that run the test only if the test is created before other new tests. */
  readonly undecided: readonly string[];
}

/**
 * @param isNew function that decides whether a test is new. The engine creates several tests at the same time, so the order of creation is
 * unknown
 */
export function agentsOfTests(service: Service, aids: readonly string[], isNew: (id: string) => boolean): AgentsOfTest[] {
  const tests = testKinds.flatMap(({ collection }) =>
    aids.flatMap((aid) =>
      service.store.list(collection, aid).map((row): Assigned => ({ row, agents: agentsAssigned(service, row) })),
    ),
  );
  const assigned = new Map<string, StoreRow<StoredTest>[]>();
  for (const { row, agents } of tests.filter(({ row: { body } }) => body.isEnabled)) {
    for (const { id } of agents) assigned.set(id, [...(assigned.get(id) ?? []), row]);
  }
  return tests.map(({ row, agents }): AgentsOfTest => {
    const { id, aid, body } = row;
    const beside = (agent: FleetAgent): readonly StoreRow<StoredTest>[] => assigned.get(agent.id) ?? [];
    const order = (neighbor: StoreRow<StoredTest>): number =>
      byPriority(neighbor.body, body) || (isNew(neighbor.id) && isNew(id) ? 0 : neighbor.sequence - row.sequence);
    const room = (agent: FleetAgent): number => maxTestsPerAgent[agent.body.licenseType];
    const possible = body.isEnabled
      ? agents.filter((agent) => beside(agent).filter((neighbor) => order(neighbor) < 0).length < room(agent))
      : [];
    const certain = possible.filter((agent) => beside(agent).filter((neighbor) => order(neighbor) <= 0).length <= room(agent));
    return {
      id,
      aid,
      testName: body.testName,
      isEnabled: body.isEnabled,
      assigned: agents.map((agent) => agent.id),
      running: certain.map((agent) => agent.id),
      undecided: possible.filter((agent) => !certain.includes(agent)).map((agent) => agent.id),
    };
  });
}

interface Assigned {
  readonly row: StoreRow<StoredTest>;
  readonly agents: readonly FleetAgent[];
}
