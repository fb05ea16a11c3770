import type { HandlerCall } from "../handler";
import { type TestRound, rowsOfRounds } from "../rounds";
import type { AnyTestKind } from "../model/test-kinds";
import { testRecord } from "../model/test-record";
import { findTest, instantOf, type StoredTest, testNotFound } from "../model/tests";
import type { StoreRow } from "../store";
import type { Recorded } from "./asked";

export interface RecordedRound extends Recorded, TestRound {
  readonly aid: string;
}

type ResultsCall = Pick<HandlerCall, "aid" | "service" | "caller" | "self" | "link">;

export interface Tested {
  readonly kind: AnyTestKind;
  readonly row: StoreRow<StoredTest>;
}

/** @throws Problem 404 */
export function testOf({ service, aid }: ResultsCall, testId: string, kinds: readonly AnyTestKind[]): Tested {
  for (const kind of kinds) {
    const row = findTest(service.store, kind.collection, testId, aid);
    if (row) return { kind, row };
  }
  throw testNotFound();
}

/**
 * Returns the tests in the request's account group, or in all account groups of the caller.
 *
 * @param ids ids of the requested tests, or an empty list for all tests
 */
export function testsOf(
  { service: { store }, aid, caller }: ResultsCall,
  kinds: readonly AnyTestKind[],
  everywhere: boolean,
  ids: readonly string[] = [],
): StoreRow<StoredTest>[] {
  const groups = everywhere ? caller.accountGroups.map((group) => group.aid) : [aid];
  if (ids.length > 0) {
    const rows = [...new Set(ids)].flatMap((id) => kinds.map(({ collection }) => findTest(store, collection, id)));
    return rows.filter((row) => row !== undefined).filter((row) => groups.includes(row.aid));
  }
  const collections = kinds.flatMap(({ collection }) => [collection, instantOf(collection)]);
  return groups.flatMap((group) => collections.flatMap((collection) => store.list(collection, group)));
}

export function roundsOf({ service }: Pick<ResultsCall, "service">, { id, aid }: StoreRow<StoredTest>): RecordedRound[] {
  return rowsOfRounds(service, id, aid).map(({ body, sequence }) => ({
    ...body,
    aid,
    sequence,
    // The time is rounded to whole seconds, because dates in requests also have whole seconds.
    at: Math.floor(body.startedAt / 1000) * 1000,
  }));
}

/** Returns a test in the format of a response with test results. */
export function recordOf(call: ResultsCall, { kind, row }: Tested) {
  return testRecord(call, kind, row, call.link(`${kind.path}/${row.id}`));
}

export function resultRecord({ aid, testId, agentId, roundId, ...round }: RecordedRound, expand: readonly string[] = []) {
  const { serverIp, target, networkProfile, systemMetrics, platform, userProfile } = round;
  return {
    aid,
    testId,
    agentId,
    roundId,
    serverIp,
    networkProfile,
    systemMetrics,
    platform,
    ...(serverIp !== undefined && {
      originalTargetProfile: { protocol: "tcp", remoteIpAddress: serverIp, remotePort: target.port },
    }),
    ...(expand.includes("user-profile") && { userProfile }),
  };
}

/**
 * Returns the attributes of a round for comparison with search filters. The emulator does not know the attributes of network cards and
 * sessions.
 */
export function attributesOf({ agentId, testId, userProfile }: RecordedRound) {
  return { agentId: [agentId], testId: [testId], userPrincipalName: [userProfile?.userPrincipalName] };
}

/** Returns the machine's load in percent, because thresholds are probably percentages. */
export function loadOf({ systemMetrics }: RecordedRound): { cpu?: number; memory?: number } {
  const { cpuUtilization, physicalMemoryUsedBytes, physicalMemoryTotalBytes } = systemMetrics;
  return {
    cpu: cpuUtilization && cpuUtilization.mean * 100,
    memory: (physicalMemoryUsedBytes.mean / physicalMemoryTotalBytes) * 100,
  };
}
