/** Reads the data for all screens with the functions of the API handlers, so that the page does not duplicate the handlers' rules. */
import { type FleetAgent, fleetOf } from "../fleet/fleet";
import { labels, type StoredLabel } from "../model/labels";
import { type StoredTag, tags } from "../model/tags";
import { type AnyTestKind, testKinds } from "../model/test-kinds";
import { findTest, instantOf, type StoredTest } from "../model/tests";
import { whyNotMeasured } from "../measure/why";
import { agentsAssigned, agentsRunning } from "../selection";
import type { Service } from "../service";
import type { StoreRow } from "../store";

export { type FleetAgent, localAgent } from "../fleet/fleet";
export { lastSeen } from "../fleet/silent";
export { latestRounds, type TestRound } from "../rounds";
export { agentsAssigned, agentsOfLabel, agentsOfTag, testsRunBy } from "../selection";

export type PageLabel = StoreRow<StoredLabel>;
export type Tag = StoreRow<StoredTag>;

export interface ShownTest extends StoreRow<StoredTest> {
  /** The service's name for the type of the test. */
  readonly kind: string;
  /** API path of the scheduled tests with the same type. */
  readonly path: string;
  /** Whether the test is instant. The emulator runs an instant test once after its creation, and again on request. */
  readonly instant: boolean;
  readonly target: string;
  /** Returns the reason why this machine does not measure the test. */
  readonly idle: () => string | undefined;
}

export function testsOf(service: Service, aid: string): ShownTest[] {
  const { store } = service;
  const tests = testKinds.flatMap((kind) => [
    ...store.list(kind.collection, aid).map((row) => shown(service, kind, row, false)),
    ...store.list(instantOf(kind.collection), aid).map((row) => shown(service, kind, row, true)),
  ]);
  return tests.toSorted((a, b) => a.sequence - b.sequence);
}

export function testById(service: Service, id: string): ShownTest | undefined {
  const { store } = service;
  for (const kind of testKinds) {
    const row = findTest(store, kind.collection, id);
    if (row) return shown(service, kind, row, store.get(kind.collection, id) === undefined);
  }
  return undefined;
}

function shown(service: Service, kind: AnyTestKind, row: StoreRow<StoredTest>, instant: boolean): ShownTest {
  const target: { url?: string; application?: string; server?: string; port?: number } = kind.own(row.body);
  const { url, application, server = "", port } = target;
  const authority = server.includes(":") ? `[${server}]:${port}` : `${server}:${port}`;
  return {
    ...row,
    kind: kindName(kind),
    path: kind.path,
    instant,
    target: url ?? application ?? authority,
    idle: () => whyNotMeasured(service, kind, row, instant),
  };
}

export function kindName({ collection }: AnyTestKind): string {
  return collection.name.replace(/-tests$/, "");
}

/** Returns the agents that run a test. Licenses do not limit instant tests. */
export function agentsCarryingOut(service: Service, test: ShownTest): readonly FleetAgent[] {
  return test.instant ? agentsAssigned(service, test) : agentsRunning(service, test);
}

export function labelsOf({ store }: Service, aid: string): PageLabel[] {
  return store.list(labels, aid);
}

export function labelById({ store }: Service, id: string): PageLabel | undefined {
  return store.get(labels, id);
}

export function tagsOf({ store }: Service, aid: string): Tag[] {
  return store.list(tags, aid);
}

export function tagById({ store }: Service, id: string): Tag | undefined {
  return store.get(tags, id);
}

export function agentsOf(service: Service, aid: string): FleetAgent[] {
  return fleetOf(service)
    .list(aid)
    .filter(({ body }) => !body.deleted);
}

export function agentById(service: Service, id: string): FleetAgent | undefined {
  return fleetOf(service).get(id);
}

export function isAssigned(service: Service, test: ShownTest, agent: FleetAgent): boolean {
  return agentsAssigned(service, test).includes(agent);
}
