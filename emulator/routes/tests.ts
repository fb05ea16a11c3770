import { agentIdShape, tagIdShape } from "../../api/schemas";
import type { HandlerCall } from "../handler";
import { testRecord } from "../model/test-record";
import {
  findTest,
  instantOf,
  type RequestedTest,
  selectors,
  type StoredTest,
  type ModelTestKind,
  testNotFound,
} from "../model/tests";
import { labels } from "../model/labels";
import { type FieldError, Problem, standardStyle } from "../problem";
import { type Service, timestamp } from "../service";
import type { Collection, StoreRow } from "../store";

type TestCall = Pick<HandlerCall, "aid" | "service" | "self" | "link">;
type TestRecordCall = TestCall & { readonly path: Readonly<Record<"testId", string>> };

export function listTests<T extends StoredTest, R extends { testId: string }>(call: TestCall, kind: ModelTestKind<T, R>) {
  const rows = call.service.store.list(kind.collection, call.aid);
  const tests = rows.map((row) => testRecord(call, kind, row, call.link(`${kind.path}/${row.id}`)));
  return { body: { tests, _links: { self: { href: call.self } } } };
}

/** @param test the request body with defaults */
export function createTest<T extends StoredTest, R extends { testId: string }>(
  call: TestCall,
  kind: ModelTestKind<T, R>,
  test: T,
) {
  checkSelection(call, test);
  checkName(call, kind, test.testName);
  return storeTest(call, kind, kind.collection, test);
}

/**
 * Stores an instant test. Lists do not contain instant tests, and a PATCH request cannot change an instant test. Another test may have the
 * same name as an instant test.
 */
export function createInstantTest<T extends StoredTest, R extends { testId: string }>(
  call: TestCall,
  kind: ModelTestKind<T, R>,
  test: T,
) {
  checkSelection(call, test);
  return storeTest(call, kind, instantOf(kind.collection), test);
}

function storeTest<T extends StoredTest, R extends { testId: string }>(
  call: TestCall,
  kind: ModelTestKind<T, R>,
  collection: Collection<T>,
  test: T,
) {
  const row = call.service.store.insert(collection, call.aid, () => test);
  const self = call.link(`${kind.path}/${row.id}`);
  return { body: testRecord(call, kind, row, self), headers: { location: self } };
}

export function getTest<T extends StoredTest, R extends { testId: string }>(call: TestRecordCall, kind: ModelTestKind<T, R>) {
  const row = findTest(call.service.store, kind.collection, call.path.testId, call.aid);
  if (!row) throw testNotFound();
  return { body: testRecord(call, kind, row, call.self) };
}

/** Updates a test. A member that a request omits probably stays unchanged. */
export function updateTest<T extends StoredTest, R extends { testId: string }>(
  call: TestRecordCall,
  kind: ModelTestKind<T, R>,
  changes: Partial<T>,
) {
  const row = existing(call, kind);
  if (changes.testName !== undefined) checkName(call, kind, changes.testName, row.id);
  const body = { ...row.body, ...changes, modifiedDate: timestamp(call.service) };
  call.service.store.replace(kind.collection, row.id, body);
  return { body: testRecord(call, kind, { ...row, body }, call.self) };
}

export function deleteTest<T extends StoredTest, R extends { testId: string }>(
  call: TestRecordCall,
  kind: ModelTestKind<T, R>,
) {
  const { testId } = call.path;
  const deleted = [kind.collection, instantOf(kind.collection)].some((collection) =>
    call.service.store.delete(collection, testId, call.aid),
  );
  if (!deleted) throw testNotFound();
  return { body: undefined };
}

/** The default values come from docs/service/tests.md, Writable properties. */
export function filled(service: Service, requested: RequestedTest): StoredTest {
  const now = timestamp(service);
  const selector = requested.agentSelectorType ?? "all-agents";
  const { companion } = selectors[selector];
  return {
    testName: requested.testName,
    // The service's documentation does not mention a default, so the default comes from the documentation's samples.
    ipVersion: requested.ipVersion ?? "V4_ONLY",
    isPrioritized: requested.isPrioritized ?? false,
    interval: requested.interval ?? 60,
    protocol: requested.protocol ?? "icmp",
    agentSelectorType: selector,
    maxMachines: requested.maxMachines ?? 25,
    ...(companion && { [companion]: requested[companion] }),
    tcpProbeMode: "auto",
    isEnabled: true,
    networkMeasurements: true,
    hasPathTraceInSession: true,
    createdDate: now,
    modifiedDate: now,
  };
}

/** Documented formats of ids. The format of label ids is not documented, so the emulator accepts only the ids of existing labels. */
const shapes: Partial<Record<string, typeof agentIdShape>> = { agents: agentIdShape, tagIds: tagIdShape };

function checkSelection({ service, aid }: TestCall, test: StoredTest): void {
  const { companion } = selectors[test.agentSelectorType];
  if (!companion) return;
  const chosen = test[companion] ?? [];
  const errors: FieldError[] = [];
  const shape = shapes[companion];
  for (const [at, id] of chosen.entries()) {
    const message = shape?.safeParse(id).error?.issues[0]?.message;
    if (message !== undefined) errors.push({ code: "invalid", field: `${companion}[${at}]`, message: `must be ${message}` });
  }
  if (chosen.length === 0) errors.push({ code: "missing", field: companion, message: `${test.agentSelectorType} needs it` });
  if (companion === "endpointAgentLabels") {
    for (const [at, id] of chosen.entries()) {
      if (service.store.get(labels, id, aid)) continue;
      errors.push({ code: "unknown", field: `${companion}[${at}]`, message: "no such label in this account group" });
    }
  }
  if (errors.length > 0) throw standardStyle.invalid("body", errors);
}

function checkName<T extends StoredTest>(
  { service, aid }: TestCall,
  kind: Pick<ModelTestKind<T, never>, "collection" | "duplicateName">,
  name: string,
  except?: string,
): void {
  if (!service.settings.uniqueTestNames) return;
  const taken = service.store.list(kind.collection, aid).some(({ id, body }) => id !== except && body.testName === name);
  if (!taken) return;
  // The error text comes from a recorded response to a PUT request in a related API area.
  throw new Problem(kind.duplicateName, "A test with this name already exists.");
}

function existing<T extends StoredTest, R extends { testId: string }>(
  call: TestRecordCall,
  kind: ModelTestKind<T, R>,
): StoreRow<T> {
  const row = call.service.store.get(kind.collection, call.path.testId, call.aid);
  if (!row) throw testNotFound();
  return row;
}
