import type { z } from "zod";
import type { agentSelection, testRequest } from "../../api/schemas";
import type { MeasurementPlan } from "../measure/measure";
import type { Target } from "../measure/targets";
import { Problem } from "../problem";
import { type Collection, membersOf, type Store } from "../store";

type TestSelection = z.output<z.ZodObject<typeof agentSelection>>;
export type RequestedTest = z.output<z.ZodObject<typeof testRequest>>;

/** A stored test of any type, which contains the flattened request, the defaults, and the members that the service adds. */
export type StoredTest = Required<Omit<RequestedTest, keyof TestSelection>> &
  TestSelection & {
    agentSelectorType: NonNullable<TestSelection["agentSelectorType"]>;
    maxMachines: number;
    tcpProbeMode: string;
    isEnabled: boolean;
    networkMeasurements: boolean;
    hasPathTraceInSession: boolean;
    createdDate: string;
    modifiedDate: string;
  };

export interface ModelTestKind<T extends StoredTest, R extends { testId: string }> {
  readonly collection: Collection<T>;
  readonly path: string;
  /** Path prefix of the test results. The emulator appends the test's id to the prefix. */
  readonly results: string;
  /** HTTP status of the error for a duplicate name, if test names must be unique. */
  readonly duplicateName: 400 | 409;
  own(test: T): Omit<R, "testId">;
  restored(record: R): Omit<T, keyof StoredTest>;
  /**
   * Returns the measurements that an agent performs for a test in a round.
   *
   * @param sessions connections that the agent's applications have opened
   */
  plans(test: T, sessions: readonly Target[]): readonly MeasurementPlan[];
}

const testMembers = membersOf<StoredTest>({
  testName: true,
  ipVersion: true,
  isPrioritized: true,
  interval: true,
  protocol: true,
  agentSelectorType: true,
  maxMachines: true,
  tcpProbeMode: true,
  isEnabled: true,
  networkMeasurements: true,
  hasPathTraceInSession: true,
  createdDate: true,
  modifiedDate: true,
});

/** @param members members that this type of test requires, in addition to the members that all types require */
export function testCollection<T extends StoredTest>(
  name: string,
  members: readonly Exclude<keyof T & string, keyof StoredTest>[] = [],
): Collection<T> {
  return { name, series: "tests", firstId: 281_474_976_710_656, needs: [...testMembers, ...members] };
}

export function instantOf<T extends StoredTest>(collection: Collection<T>): Collection<T> {
  return { ...collection, name: `instant-${collection.name}` };
}

export function findTest<T extends StoredTest>(store: Store, collection: Collection<T>, id: string, aid?: string) {
  return store.get(collection, id, aid) ?? store.get(instantOf(collection), id, aid);
}

/** For each agent selector, the name of the required list of agents, labels or tags (docs/service/tests.md, Requests and responses). */
export const selectors: Record<StoredTest["agentSelectorType"], { companion?: "agents" | "endpointAgentLabels" | "tagIds" }> = {
  "all-agents": {},
  "specific-agents": { companion: "agents" },
  "agent-labels": { companion: "endpointAgentLabels" },
  "agent-tags": { companion: "tagIds" },
};

export const testNotFound = () => new Problem(404, "No such test in this account group.");
