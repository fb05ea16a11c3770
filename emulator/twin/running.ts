import { testKinds } from "../model/test-kinds";
import { agentsAssigned, agentsRunning } from "../selection";
import type { Service } from "../service";

/** Which agents a scheduled or dynamic test is assigned to, and which of them run it. */
export interface AgentsOfTest {
  readonly id: string;
  readonly aid: string;
  readonly testName: string;
  readonly isEnabled: boolean;
  /** Ids of agents. */
  readonly assigned: readonly string[];
  /** Ids of those whose license has room for it. */
  readonly running: readonly string[];
}

export function agentsOfTests(service: Service, aids: readonly string[]): AgentsOfTest[] {
  return testKinds.flatMap(({ collection }) =>
    aids.flatMap((aid) =>
      service.store.list(collection, aid).map((row) => ({
        id: row.id,
        aid,
        testName: row.body.testName,
        isEnabled: row.body.isEnabled,
        assigned: agentsAssigned(service, row).map(({ id }) => id),
        running: agentsRunning(service, row).map(({ id }) => id),
      })),
    ),
  );
}
