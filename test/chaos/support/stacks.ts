/** Stacks of the harness. Each has the planted secrets, logs all requests, and is searched at its end. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../../emulator/faults";
import { Stack, type Program } from "../../real/support/stack";
import { lookThrough, lookThroughFolder, planted } from "./seen";
import { call } from "../../support/call";
import { without } from "../row";

/** The emulator's collection of each class. */
export const collections: Record<string, string> = {
  Label: "labels",
  AgentToServerTest: "agent-to-server-tests",
  HttpServerTest: "http-server-tests",
  DynamicTest: "dynamic-tests",
};

/** Runs work on a stack, then searches all its output and files for secrets. */
export async function withStack<T>(seed: number, work: (stack: Stack) => Promise<T>, example?: string): Promise<T> {
  const stack = await Stack.start({ agents: 0, clientSecret: planted.clientSecret }, example);
  const temporary = join(stack.folder, "temporary");
  mkdirSync(temporary);
  Object.assign(stack.environment, {
    ENDPOINT_MONITORING_LOG: "debug",
    ENDPOINT_MONITORING_LOG_FILE: join(stack.folder, "requests.log"),
    TMPDIR: temporary,
  });
  try {
    await stack.secret("password", planted.password);
    const result = await work(stack);
    lookThrough(stack.output, "what was printed", seed);
    lookThroughFolder(stack.folder, "a file", seed);
    return result;
  } finally {
    await stack.end();
  }
}

/** Returns a program with a record of each class, and some more labels. The same `version` gives the same values. */
export function fleet(names: string, version: number, labels = 2): Program {
  const label = (i: number): [string, Program[string]] => [
    `label-${i}`,
    {
      kind: "Label",
      args: { name: `${names} ${i}`, matchType: "or", filters: [{ key: "asn", values: [`${64_512 + version}`, `6450${i}`] }] },
    },
  ];
  const url = "https://www.example.com:443";
  const secret = { authType: "basic", username: "probe", password: { $secret: "password" } };
  const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "label-0" }] };
  return {
    ...Object.fromEntries(Array.from({ length: labels }, (_, i) => label(i))),
    gateway: {
      kind: "AgentToServerTest",
      args: { testName: `${names} gateway ${version}`, server: "vpn.example.com", isEnabled: false, ...byLabel },
    },
    portal: { kind: "HttpServerTest", args: { testName: `${names} portal ${version}`, url, ...secret } },
    calls: { kind: "DynamicTest", args: { testName: `${names} calls ${version}`, application: "zoom" } },
  };
}

/** Returns differences between program, state and service, for the stacks that share the service. */
export async function differences(stack: Stack, programs: Record<string, Program>): Promise<string[]> {
  const wrong: string[] = [];
  const known = new Map<string, string[]>();
  for (const [name, program] of Object.entries(programs)) {
    const state = stack.state(name);
    for (const [resource, { kind, args = {} }] of Object.entries(program)) {
      const id = state[resource]?.id;
      if (id === undefined) {
        wrong.push(`lost: ${resource} is not in the state of ${name}`);
        continue;
      }
      const collection = collections[kind] ?? "";
      known.set(collection, [...(known.get(collection) ?? []), id]);
      const stored: Record<string, unknown> = await stack.stored(collection, id).catch(() => ({}));
      wrong.push(...unlike(resource, args, stored));
    }
    for (const resource of without(Object.keys(state), Object.keys(program)))
      wrong.push(`not deleted: ${resource} in the state of ${name}`);
  }
  for (const collection of Object.values(collections)) {
    const [stored, ids] = [await stack.ids(collection), known.get(collection) ?? []];
    for (const id of without(ids, stored)) wrong.push(`lost: ${collection} ${id} is not in the service`);
    for (const id of without(stored, ids)) wrong.push(`duplicated or not deleted: ${collection} ${id}`);
    if (new Set(ids).size < ids.length) wrong.push(`two resources manage one record of ${collection}`);
  }
  return wrong;
}

/** Returns values that differ between a program and a record, for members that both have unchanged. */
function unlike(resource: string, args: object, stored: Record<string, unknown>): string[] {
  const plain = Object.entries(args).filter(([, value]) => ["string", "boolean", "number"].includes(typeof value));
  const wrong = plain
    .filter(([property, value]) => stored[property] !== value)
    .map(([property, value]) => `${resource}: ${property} is ${String(stored[property])}, not ${String(value)}`);
  const filters: unknown = Reflect.get(args, "filters");
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(valuesOf(a)) === JSON.stringify(valuesOf(b));
  return filters === undefined || same(filters, stored["filters"])
    ? wrong
    : [...wrong, `${resource}: filters are not as declared`];
}

function valuesOf(filters: unknown): unknown {
  return Array.isArray(filters) ? filters.map((filter: { values?: unknown }) => filter.values) : undefined;
}

export async function faults(stack: Stack, ...list: Fault[]): Promise<void> {
  for (const fault of list) await call(stack.emulator.url, "POST", "/_emulator/faults", fault);
}

export function noFaults(stack: Stack): Promise<unknown> {
  return call(stack.emulator.url, "POST", "/_emulator/faults/reset");
}

/** Whether an engine left its lock on the stack. */
export function isLocked(stack: Stack): boolean {
  const locks = join(stack.folder, "backend/.pulumi/locks");
  return existsSync(locks) && readdirSync(locks, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".json"));
}

/** Runs the steps of docs/recovery.md before the repeated operation. */
export async function recover(stack: Stack): Promise<void> {
  await unlock(stack);
  await stack.must("refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--suppress-progress");
  stack.configure({ adopt: "identical" });
}

/** Restores the backup of a state that a killed engine left empty, and removes its lock. */
export async function unlock(stack: Stack): Promise<void> {
  const state = join(stack.folder, `backend/.pulumi/stacks/test/${stack.selected}.json`);
  if (statSync(state).size === 0) {
    JSON.parse(readFileSync(`${state}.bak`, "utf8"));
    cpSync(`${state}.bak`, state);
  }
  if (isLocked(stack)) await stack.must("cancel", "--yes", "--stack", stack.selected);
}
