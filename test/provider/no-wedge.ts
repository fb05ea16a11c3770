/**
 * A failure at each request in the life of each resource type, on the engine model. Once the service works again, the stack
 * recovers. A healthy run discovers the requests of each operation, so no list of them can become outdated.
 */
import { allOperations } from "../../api/schemas";
import type { Fault } from "../../emulator/fault";
import { type KindName, type RecordKindName, registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { changeInPlace, changeThatReplaces, kindCases, recordKinds } from "../support/kinds";
import { type Declared, EngineModel, type Program } from "./engine-model";
import type { Front } from "./engine-processes";
import { isThere, keyOf, ServiceView } from "./service-view";

/** One operation of a life, with the program before and after. */
export interface Phase {
  kind: KindName;
  what: string;
  before: Program;
  after: Program;
  /** The command. @defaultValue up */
  run?: "up" | "refresh" | "destroy";
  settings?: Record<string, string>;
}

/** How a request fails, and how often, because the provider retries some requests. */
export const failures: Record<string, Omit<Fault, "operation">> = {
  "4xx": { kind: "status", status: 403 },
  "5xx": { kind: "status", status: 503, n: 20 },
  reset: { kind: "drop-before", n: 20 },
  truncated: { kind: "truncate", n: 20 },
  "accepted but unanswered": { kind: "drop-after", n: 20 },
};

export interface Cell extends Phase {
  front: Front;
  failure: string;
  /** The failing request: the service's operation, and its number in a healthy run. */
  operation: string;
  occurrence: number;
  /** The commands that the user runs next. */
  next: "refresh, up, destroy" | "destroy";
}

const writing = new Set(
  allOperations()
    .filter(({ writes }) => writes)
    .map(({ id }) => id),
);
const group = { accountGroupId: "1001" };
const named = (kind: RecordKindName, args: Properties = {}): Properties => ({ ...kindCases[kind].minimal, ...group, ...args });

function recordPhases(kind: RecordKindName): Phase[] {
  const [inPlace, replacing] = [changeInPlace(kind), changeThatReplaces(kind)];
  const args = named(kind, { [inPlace.property]: inPlace.from });
  const program = (more: Properties = {}, options: Partial<Declared> = {}): Program => ({
    subject: { kind, args: { ...args, ...more }, ...options },
  });
  const phases: Phase[] = [
    { kind, what: "create", before: {}, after: program() },
    { kind, what: "refresh", before: program(), after: program(), run: "refresh" },
    { kind, what: "update", before: program(), after: program({ [inPlace.property]: inPlace.to }) },
    { kind, what: "remove", before: program(), after: {} },
    { kind, what: "destroy", before: program(), after: {}, run: "destroy" },
    {
      kind,
      what: "rename and adopt",
      before: program(),
      after: { renamed: { kind, args: { ...args, [inPlace.property]: inPlace.to, adopt: true } } },
    },
    {
      kind,
      what: "move to the other front",
      before: program(),
      after: program({ [inPlace.property]: inPlace.to }, { front: "native" }),
    },
  ];
  if ("isEnabled" in registry[kind].properties) {
    phases.push({ kind, what: "create, then update", before: {}, after: program({ isEnabled: false }) });
  }
  for (const replaceOrder of replacing ? ["delete-first", "create-first"] : []) {
    const [from, to] = [replacing?.from, replacing?.to];
    const property = replacing?.property ?? "";
    phases.push({
      kind,
      what: `replace, ${replaceOrder}`,
      before: program({ [property]: from }),
      after: program({ [property]: to }),
      settings: { replaceOrder },
    });
  }
  return phases;
}

/** `agent N` is an agent of account group 1001. */
function agentPhases(): Phase[] {
  const kind = "endpointAgent";
  const args = { agentId: "agent 1", agentName: "Desk", licenseType: "advantage", enabled: true, ...group, transferTimeout: 2 };
  const program = (more: Properties = {}): Program => ({ subject: { kind, args: { ...args, ...more } } });
  const all = { agentName: "Kiosk", licenseType: "essentials", enabled: false, accountGroupId: "1002" };
  return [
    { kind, what: "adopt", before: {}, after: program(all) },
    { kind, what: "refresh", before: program(), after: program(), run: "refresh" },
    { kind, what: "update", before: program(), after: program(all) },
    { kind, what: "transfer", before: program(), after: program({ accountGroupId: "1002" }) },
    {
      kind,
      what: "another agent",
      before: program({ onDestroy: "delete" }),
      after: program({ agentId: "agent 2", onDestroy: "delete" }),
    },
    { kind, what: "delete", before: program({ onDestroy: "delete" }), after: {} },
    { kind, what: "disable", before: program({ onDestroy: "disable" }), after: {} },
  ];
}

function actionPhases(): Phase[] {
  const transfers = [1, 2].map((at) => ({ agentId: `agent ${at}`, fromAid: "1001", toAid: "1003" }));
  const test: Program = { test: { kind: "agentToServerTest", args: named("agentToServerTest") } };
  const instant = { testName: "Gate", server: "www.example.com" };
  const overHttp = { testName: "Gate", url: "https://www.example.com" };
  const run = (triggers: string[]): Program => ({
    ...test,
    subject: { kind: "testRun", args: { testId: { $id: "test" }, triggers } },
  });
  const alone = (kind: KindName, args: Properties): Program => ({ subject: { kind, args } });
  return [
    { kind: "agentTransfer", what: "transfer", before: {}, after: alone("agentTransfer", { transfers, transferTimeout: 2 }) },
    ...(
      [
        ["agentToServerInstantTest", instant],
        ["httpServerInstantTest", overHttp],
      ] as const
    ).flatMap(([kind, args]): Phase[] => [
      { kind, what: "run", before: {}, after: alone(kind, args) },
      { kind, what: "run again", before: alone(kind, args), after: alone(kind, { ...args, triggers: ["2"] }) },
    ]),
    { kind: "testRun", what: "run", before: test, after: run(["1"]) },
    { kind: "testRun", what: "run again", before: run(["1"]), after: run(["2"]) },
  ];
}

export const phases: readonly Phase[] = [...recordKinds.flatMap(recordPhases), ...agentPhases(), ...actionPhases()];

/** Returns all cells, after a healthy run of each phase on each front recorded its requests. */
export async function allCells(): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const front of ["dynamic", "native"] as const) {
    for (const phase of phases) {
      const count = new Map<string, number>();
      for (const operation of await requestsOf(phase, front)) {
        const occurrence = (count.get(operation) ?? 0) + 1;
        count.set(operation, occurrence);
        for (const failure of Object.keys(failures)) {
          for (const next of ["refresh, up, destroy", "destroy"] as const) {
            cells.push({ ...phase, front, failure, operation, occurrence, next });
          }
        }
      }
    }
  }
  return cells;
}

async function requestsOf(phase: Phase, front: Front): Promise<string[]> {
  const scene = await Scene.start(phase, front);
  try {
    const from = scene.service.emulator.log().length;
    await scene.operate();
    return scene.service.emulator
      .log()
      .slice(from)
      .map(({ operation }) => operation);
  } finally {
    await scene.end();
  }
}

/** Runs one cell. @returns the faults */
export async function runCell(cell: Cell): Promise<string[]> {
  const scene = await Scene.start(cell, cell.front);
  try {
    return (await scene.fail(cell)).map((wrong) => `${titleOf(cell)}: ${wrong}`);
  } finally {
    await scene.end();
  }
}

export function titleOf({ kind, what, front, operation, occurrence, failure, next }: Cell): string {
  return `${kind}, ${what}, ${front}: ${failure} at ${operation} ${occurrence}, then ${next}`;
}

/** A stack on its own emulator, in the state before a phase. */
class Scene {
  private constructor(
    readonly service: ServiceView,
    private readonly engine: EngineModel,
    private readonly settings: Record<string, string | undefined>,
    private readonly phase: Phase,
    private readonly after: Program,
  ) {}

  static async start(phase: Phase, front: Front): Promise<Scene> {
    const service = await ServiceView.start();
    const agents = [...service.records().values()].filter(({ kind, aid }) => kind === "endpointAgent" && aid === "1001");
    const ids = agents.map(({ id }) => id);
    const settings: Record<string, string | undefined> = { ...group, createOutcomeTimeout: "0.1", ...phase.settings };
    const engine = new EngineModel(service, settings);
    const scene = new Scene(service, engine, settings, phase, onFront(phase.after, front, ids));
    try {
      await engine.up(onFront(phase.before, front, ids));
      return scene;
    } catch (error) {
      await service.emulator.close();
      throw error;
    }
  }

  end(): Promise<void> {
    return this.service.emulator.close();
  }

  operate(): Promise<void> {
    const { run = "up" } = this.phase;
    if (run === "up") return this.engine.up(this.after);
    return run === "refresh" ? this.engine.refresh() : this.engine.destroy();
  }

  async fail({ operation, occurrence, failure, next }: Cell): Promise<string[]> {
    const { service, engine, settings } = this;
    const agents = [...service.records().values()].filter(({ kind }) => kind === "endpointAgent").length;
    // The earlier requests succeed.
    if (occurrence > 1) service.fault({ operation, kind: "latency", ms: 0, n: occurrence - 1 });
    service.fault({ operation, ...failures[failure], kind: failures[failure]?.kind ?? "status" });
    const first = await errorOf(() => this.operate());
    service.well();
    if (isBug(first)) return [`a bug: ${stackOf(first)}`];
    // The service carried out a delete without a response, so no state can record it.
    const wrong = operation.endsWith(".delete") ? [] : this.#lost("after the failure");
    const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
      const error = await errorOf(work);
      if (error !== undefined) wrong.push(`${what} failed: ${textOf(error)}; first: ${textOf(first)}`);
    };
    if (next === "refresh, up, destroy") {
      await attempt("refresh", () => engine.refresh());
      // The message of an unanswered create recommends this setting.
      if (first !== undefined) Object.assign(settings, { adopt: "identical" });
      if (this.phase.run !== "destroy") {
        await attempt("up", () => engine.up(this.after));
        wrong.push(...this.#lost("after the up"), ...this.#leftOver("after the up"));
        await this.#expectNothingToDo(wrong);
      }
    }
    await attempt("destroy", () => engine.destroy());
    if (engine.entries.length > 0) wrong.push(`destroy left ${engine.entries.map(({ name }) => name).join()} in the state`);
    // The record of an unanswered create may exist after a destroy without an update. The error mentions it.
    const isUntold = first === undefined || next === "refresh, up, destroy";
    if (isUntold) wrong.push(...this.#leftOver("after the destroy"));
    const remaining = [...service.records().values()].filter(({ kind }) => kind === "endpointAgent").length;
    if (remaining !== agents) wrong.push(`${agents} agents were there, now ${remaining}`);
    return wrong;
  }

  async #expectNothingToDo(wrong: string[]): Promise<void> {
    const { service, engine } = this;
    const from = service.emulator.log().length;
    const error = await errorOf(() => engine.up(this.after, { refresh: true }));
    if (error !== undefined) wrong.push(`a further up failed: ${textOf(error)}`);
    const writes = service.emulator
      .log()
      .slice(from)
      .map(({ operation }) => operation)
      .filter((operation) => writing.has(operation));
    if (writes.length > 0) wrong.push(`a further up sent ${writes.join()}`);
    const [declared, inState] = [Object.keys(this.after), [...engine.state.values()].map(({ name }) => name)];
    if (declared.toSorted().join() !== inState.toSorted().join())
      wrong.push(`declared ${declared.join()}, in state ${inState.join()}`);
  }

  /** Returns resources in the state without a record. */
  #lost(when: string): string[] {
    const now = this.service.records();
    const kept = [...this.engine.state.values()].filter(({ pendingReplacement }) => !pendingReplacement);
    return kept
      .filter(({ kind, id }) => !isAction(kind) && !isThere(now.get(keyOf(kind, id))))
      .filter(({ name }) => name in this.after)
      .map(({ name, id }) => `${when} ${name} says ${id}, which is not in the service`);
  }

  #leftOver(when: string): string[] {
    const known = new Set(this.engine.entries.map(({ kind, id }) => keyOf(kind, id)));
    return [...this.service.records()]
      .filter(([key, { kind }]) => kind !== "endpointAgent" && !known.has(key))
      .map(([key]) => `${when} nothing stands for ${key}`);
  }
}

const isAction = (kind: KindName): boolean => registry[kind].origin === undefined;

/** Returns the program with all classes on a front, unless a class names another, and with agent ids. */
function onFront(program: Program, front: Front, agents: readonly string[]): Program {
  const put = (value: unknown): unknown => {
    if (typeof value === "string") return /^agent \d$/.test(value) ? agents[Number(value.slice(6))] : value;
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
  };
  const other: Front = front === "dynamic" ? "native" : "dynamic";
  return Object.fromEntries(
    Object.entries(program).map(([name, declared]) => {
      const moved = declared.front === undefined ? front : other;
      return [name, { ...declared, args: put(declared.args) as Properties, front: moved }];
    }),
  );
}

async function errorOf(work: () => Promise<void>): Promise<unknown> {
  return work().then(
    () => undefined,
    (error: unknown) => error ?? new Error("nothing"),
  );
}

function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error ?? null));
const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
