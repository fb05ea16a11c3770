import { records, type RecordKindName } from "../../../provider/registry";
import { caseLabels, changeThatReplaces, kindCases, recordKind, recordKinds } from "../../support/kinds";
import type { Program } from "../../provider/engine-model";
import type { Random } from "../row";
import { planted } from "./seen";

/** One change of a program, with writes that faults affect. */
export interface Change {
  title: string;
  /** HTTP methods of the writes that faults may affect. The operation, if other operations use the same method. */
  writes: readonly [string, ...string[]];
  operation?: string;
  before: Program;
  after: Program;
  settings?: Record<string, string>;
  /** Whether each request stores a new run, because the service has no list of runs. */
  run?: boolean;
}

type Values = Record<string, unknown>;

const anchor: Program = { anchor: { kind: "label", args: { ...caseLabels["label-a"], name: "Anchor" } } };
/** Placeholder for the id of an agent in `agents` of a change. */
const agentAt = (at: number): string => `agent ${at}`;

function record(kind: RecordKindName): Values {
  const { minimal } = kindCases[kind];
  const secret = kind === "httpServerTest" ? { authType: "basic", username: "probe", password: planted.password } : {};
  return { ...minimal, ...secret, accountGroupId: "1001" };
}

/** Returns a change of one property, which replaces the resource or not. */
function changed(kind: RecordKindName, replacing: boolean, random: Random): { from: Values; to: Values } {
  const { createOnly, writeOnly } = records[kind] as { createOnly: readonly string[]; writeOnly: readonly string[] };
  const all = Object.entries(kindCases[kind].changes).filter(
    ([property, { from, to }]) =>
      createOnly.includes(property) === replacing &&
      !writeOnly.includes(property) &&
      property !== "accountGroupId" &&
      !["authType", "username"].includes(property) &&
      !JSON.stringify([from, to]).includes("$id"),
  );
  const [first, ...others] = all.map(([, { from = {}, to }]) => ({ from, to }));
  if (!first) throw new Error(`${kind} has no property to change`);
  return random.pick([first, ...others]);
}

const kinds = recordKinds;
/** The types that a create enables, and the types with a property that replaces. */
const enabled = kinds.filter((kind) => recordKind(kind).updateOnly.includes("isEnabled"));
const replaceable = kinds.filter((kind) => changeThatReplaces(kind) !== undefined);

/** Each changing operation, created by a seed. */
export const changes: readonly ((random: Random) => Change)[] = [
  ...kinds.map((kind) => (): Change => ({
    title: `create ${kind}`,
    writes: ["POST"],
    before: anchor,
    after: { ...anchor, subject: { kind, args: record(kind) } },
  })),
  ...enabled.map((kind) => (): Change => ({
    title: `create ${kind}, disabled`,
    writes: ["POST", "PATCH"],
    before: anchor,
    after: { ...anchor, subject: { kind, args: { ...record(kind), isEnabled: false } } },
  })),
  ...kinds.map((kind) => (random: Random): Change => {
    const { from, to } = changed(kind, false, random);
    const args = { ...record(kind), ...from };
    return {
      title: `update ${kind} (${Object.keys(to).join()})`,
      writes: ["PATCH"],
      before: { ...anchor, subject: { kind, args } },
      after: { ...anchor, subject: { kind, args: { ...args, ...to } } },
    };
  }),
  ...kinds.map((kind) => (): Change => ({
    title: `delete ${kind}`,
    writes: ["DELETE"],
    before: { ...anchor, subject: { kind, args: record(kind) } },
    after: anchor,
  })),
  ...replaceable.map((kind) => (random: Random): Change => {
    const { from, to } = changed(kind, true, random);
    const first = random.chance();
    const args = { ...record(kind), ...from };
    return {
      title: `replace ${kind} (${Object.keys(to).join()}), ${first ? "deleting" : "creating"} first`,
      writes: ["POST", "DELETE"],
      before: { ...anchor, subject: { kind, args, deleteBeforeReplace: first } },
      after: { ...anchor, subject: { kind, args: { ...args, ...to }, deleteBeforeReplace: first } },
      settings: { replaceOrder: first ? "delete-first" : "create-first" },
    };
  }),
  ...(
    [
      ["rename an agent", "agents.update", {}, { agentName: "Kiosk" }],
      ["disable an agent", "agents.disable", { enabled: true }, { enabled: false }],
      ["enable an agent", "agents.enable", { enabled: false }, { enabled: true }],
      ["transfer an agent", "agents.transfer", { accountGroupId: "1001" }, { accountGroupId: "1002" }],
    ] as const
  ).map(([title, operation, from, to]) => (): Change => {
    const args = { agentId: agentAt(1), agentName: "Desk", transferTimeout: 5, ...from };
    return {
      title,
      operation,
      writes: [operation === "agents.update" ? "PATCH" : "POST"],
      before: { ...anchor, subject: { kind: "endpointAgent", args } },
      after: { ...anchor, subject: { kind: "endpointAgent", args: { ...args, ...to } } },
    };
  }),
  (): Change => {
    const transfers = [1, 2].map((at) => ({ agentId: agentAt(at), fromAid: "1001", toAid: "1003" }));
    return {
      title: "transfer agents in bulk",
      operation: "agents.transferBulk",
      writes: ["POST"],
      before: anchor,
      after: { ...anchor, subject: { kind: "agentTransfer", args: { transfers, transferTimeout: 5 } } },
    };
  },
  (): Change => ({
    title: "instant test of a server",
    operation: "tests.agentToServer.instant",
    writes: ["POST"],
    before: anchor,
    after: { ...anchor, subject: { kind: "agentToServerInstantTest", args: { testName: "Gate", server: "www.example.com" } } },
    run: true,
  }),
  (): Change => ({
    title: "instant test over HTTP",
    operation: "tests.httpServer.instant",
    writes: ["POST"],
    before: anchor,
    after: {
      ...anchor,
      subject: { kind: "httpServerInstantTest", args: { testName: "Gate", url: "https://www.example.com" } },
    },
    run: true,
  }),
  (): Change => {
    const test: Program = { test: { kind: "agentToServerTest", args: record("agentToServerTest") } };
    return {
      title: "run a test",
      operation: "tests.run",
      writes: ["POST"],
      before: test,
      after: { ...test, subject: { kind: "testRun", args: { testId: { $id: "test" } } } },
      run: true,
    };
  },
];

/** Returns a program with the ids of the emulator's agents. */
export function withAgents(program: Program, ids: readonly string[]): Program {
  const put = (value: unknown): unknown => {
    if (typeof value === "string") return /^agent \d$/.test(value) ? ids[Number(value.slice(6))] : value;
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
  };
  return put(program) as Program;
}
