import type { z } from "zod";
import type { agentSelection, agentSelectorConfig, testRequest } from "../../api/schemas";
import type { Call } from "../handler";
import type { Plan } from "../measure/measure";
import type { Target } from "../measure/targets";
import { type FieldError, Problem, standardStyle } from "../problem";
import { type Service, timestamp } from "../service";
import type { Collection, Row, Store } from "../store";
import { labels } from "./labels";

type Selection = z.output<z.ZodObject<typeof agentSelection>>;
type Requested = z.output<z.ZodObject<typeof testRequest>>;

/** What every kind of test is stored with: its request, flat and filled up, and what the service adds. */
export type StoredTest = Required<Omit<Requested, keyof Selection>> &
  Selection & {
    agentSelectorType: NonNullable<Selection["agentSelectorType"]>;
    maxMachines: number;
    tcpProbeMode: string;
    isEnabled: boolean;
    networkMeasurements: boolean;
    hasPathTraceInSession: boolean;
    createdDate: string;
    modifiedDate: string;
  };

/** What sets one kind of test apart from the others. */
export interface TestKind<T extends StoredTest, R extends { testId: string }> {
  readonly collection: Collection<T>;
  readonly path: string;
  /** Path of the kind's results, below which a test's own lie. */
  readonly results: string;
  /** Status of a name in use, where names are to be unique. */
  readonly duplicateName: 400 | 409;
  /** Members of the answer that only this kind has. */
  own(test: T): Omit<R, "testId">;
  /** What an agent does in a round. @param sessions connections that the agent's applications have opened */
  plans(test: T, sessions: readonly Target[]): readonly Plan[];
}

/** One series for all kinds: a test id is never used twice. */
export function testCollection<T extends StoredTest>(name: string): Collection<T> {
  return { name, series: "tests", firstId: 281_474_976_710_656 };
}

/** Instant tests of a kind, beside its scheduled ones. */
export function instantOf<T extends StoredTest>(collection: Collection<T>): Collection<T> {
  return { ...collection, name: `instant-${collection.name}` };
}

/** A test of the kind, scheduled or instant. */
export function findTest<T extends StoredTest>(store: Store, collection: Collection<T>, id: string, aid?: string) {
  return store.get(collection, id, aid) ?? store.get(instantOf(collection), id, aid);
}

type AnyCall = Pick<Call, "aid" | "service" | "self" | "link">;
type OneCall = AnyCall & { readonly path: Readonly<Record<"testId", string>> };

export function listTests<T extends StoredTest, R extends { testId: string }>(call: AnyCall, kind: TestKind<T, R>) {
  const rows = call.service.store.list(kind.collection, call.aid);
  const tests = rows.map((row) => testRecord(call, kind, row, call.link(`${kind.path}/${row.id}`)));
  return { body: { tests, _links: { self: { href: call.self } } } };
}

/** @param own what the request says beyond the members of all kinds, filled up */
export function createTest<T extends StoredTest, R extends { testId: string }>(call: AnyCall, kind: TestKind<T, R>, test: T) {
  checkSelection(call, test);
  checkName(call, kind, test.testName);
  return storeTest(call, kind, kind.collection, test);
}

/** Stores a test that runs once: it is on no list, its name is free, and PATCH does not know it. */
export function createInstantTest<T extends StoredTest, R extends { testId: string }>(
  call: AnyCall,
  kind: TestKind<T, R>,
  test: T,
) {
  checkSelection(call, test);
  return storeTest(call, kind, instantOf(kind.collection), test);
}

function storeTest<T extends StoredTest, R extends { testId: string }>(
  call: AnyCall,
  kind: TestKind<T, R>,
  collection: Collection<T>,
  test: T,
) {
  const row = call.service.store.insert(collection, call.aid, () => test);
  const self = call.link(`${kind.path}/${row.id}`);
  return { body: testRecord(call, kind, row, self), headers: { location: self } };
}

export function getTest<T extends StoredTest, R extends { testId: string }>(call: OneCall, kind: TestKind<T, R>) {
  const row = findTest(call.service.store, kind.collection, call.path.testId, call.aid);
  if (!row) throw notFound();
  return { body: testRecord(call, kind, row, call.self) };
}

/** What is left out stays (inferred); members that only a create takes have been dropped by the schema. */
export function updateTest<T extends StoredTest, R extends { testId: string }>(
  call: OneCall,
  kind: TestKind<T, R>,
  changes: Partial<T>,
) {
  const row = existing(call, kind);
  if (changes.testName !== undefined) checkName(call, kind, changes.testName, row.id);
  const body = { ...row.body, ...changes, modifiedDate: timestamp(call.service) };
  call.service.store.replace(kind.collection, row.id, body);
  return { body: testRecord(call, kind, { ...row, body }, call.self) };
}

export function deleteTest<T extends StoredTest, R extends { testId: string }>(call: OneCall, kind: TestKind<T, R>) {
  const { testId } = call.path;
  const found = [kind.collection, instantOf(kind.collection)].some((one) => call.service.store.delete(one, testId, call.aid));
  if (!found) throw notFound();
  return { body: undefined };
}

/** The members of all kinds, with the service's defaults (shared/api/README.md, What can be written, when). */
export function filled(service: Service, requested: Requested): StoredTest {
  const now = timestamp(service);
  const selector = requested.agentSelectorType ?? "all-agents";
  const { companion } = selectors[selector];
  return {
    testName: requested.testName,
    // No default is stated: the samples' value.
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

/** Which member a selector kind needs beside it (shared/api/README.md, Requests and responses differ in shape). */
const selectors: Record<StoredTest["agentSelectorType"], { companion?: "agents" | "endpointAgentLabels" | "tagIds" }> = {
  "all-agents": {},
  "specific-agents": { companion: "agents" },
  "agent-labels": { companion: "endpointAgentLabels" },
  "agent-tags": { companion: "tagIds" },
};

function checkSelection({ service, aid }: AnyCall, test: StoredTest): void {
  const { companion } = selectors[test.agentSelectorType];
  if (!companion) return;
  const chosen = test[companion] ?? [];
  const errors: FieldError[] = [];
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
  { service, aid }: AnyCall,
  kind: Pick<TestKind<T, never>, "collection" | "duplicateName">,
  name: string,
  except?: string,
): void {
  if (!service.settings.uniqueTestNames) return;
  const taken = service.store.list(kind.collection, aid).some(({ id, body }) => id !== except && body.testName === name);
  if (!taken) return;
  const errors = [{ code: "not-unique", field: "testName", message: "is the name of another test" }];
  throw new Problem(kind.duplicateName, "A test of this name exists.", { errors });
}

function existing<T extends StoredTest, R extends { testId: string }>(call: OneCall, kind: TestKind<T, R>): Row<T> {
  const row = call.service.store.get(kind.collection, call.path.testId, call.aid);
  if (!row) throw notFound();
  return row;
}

export const notFound = () => new Problem(404, "No such test in this account group.");

/** The answer about a test. @param self URL of its self link */
export function testRecord<T extends StoredTest, R extends { testId: string }>(
  { link }: AnyCall,
  kind: TestKind<T, R>,
  { id, aid, body }: Row<T>,
  self: string,
) {
  const results = `${kind.results}/${id}`;
  return {
    ...kind.own(body),
    testId: id,
    aid,
    testName: body.testName,
    interval: body.interval,
    protocol: body.protocol,
    ipVersion: body.ipVersion,
    tcpProbeMode: body.tcpProbeMode,
    isEnabled: body.isEnabled,
    isPrioritized: body.isPrioritized,
    networkMeasurements: body.networkMeasurements,
    hasPathTraceInSession: body.hasPathTraceInSession,
    createdDate: body.createdDate,
    modifiedDate: body.modifiedDate,
    labels: [],
    agentSelectorConfig: selectorConfig(body),
    _links: {
      self: { href: self },
      // Samples write `pathvis` here, also where the operation's public path is `path-vis`.
      testResults: [{ href: link(`${results}/network/filter`) }, { href: link(`${results}/pathvis`) }],
    },
  };
}

function selectorConfig(test: StoredTest): z.output<typeof agentSelectorConfig> {
  const { agentSelectorType, maxMachines } = test;
  const { companion } = selectors[agentSelectorType];
  return { agentSelectorType, maxMachines, ...(companion && { [companion]: test[companion] }) };
}
