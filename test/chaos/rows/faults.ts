/** Faults of the service during each changing operation, with the real provider, without an engine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { stable } from "../../../provider/values";
import { Bench } from "../../provider/bench";
import { EngineModel, type Program } from "../../provider/engine-model";
import { kindCases, recordKinds } from "../../support/kinds";
import { type CaseOutcome, caseSeed, type Order, type Outcome, Random, type Row, runCases, without } from "../row";
import { type Change, changes, withAgents } from "../support/operations";
import { Relay } from "../support/relay";
import { lookThrough, planted, writesOf } from "../support/seen";
import { unlessEnded } from "../support/waiting";
import { impatient, type Trouble, troubles } from "../support/trouble";

export const row: Row = {
  name: "faults",
  atLeast: 1_200,
  batch: 200,
  run: runAll,
};

/** Number of concurrent cases, which mostly wait. */
const parallel = 24;

const cells = changes.flatMap((change) => Object.keys(troubles).map((trouble) => ({ change, trouble })));
/** Duration of an accepted transfer in milliseconds. */
const transferDelayMs = 20;
/** Consecutive seeds are far apart in the table of operations and faults. All entries come once before any repeats. */
const stride = 7_919;

async function runAll(order: Order): Promise<Outcome> {
  const { log } = console;
  console.log = (...values: unknown[]) =>
    lookThrough(values.map(String).join(" "), "what the provider prints", caseSeed() ?? order.seed);
  try {
    return await runCases(order, parallel, runCase);
  } finally {
    console.log = log;
  }
}

async function runCase(seed: number): Promise<CaseOutcome> {
  const cell = cells[(seed * stride) % cells.length];
  if (!cell) return undefined;
  const random = new Random(seed);
  const change = cell.change(random);
  // Only this case uses it, so each request there is a finding of the case.
  const elsewhere = await Elsewhere.start();
  const trouble = troubles[cell.trouble]?.(change, random, elsewhere.url) ?? { faults: [] };
  const bench = await Bench.start({}, { agents: 12, transferDelayMs, clientSecret: planted.clientSecret });
  const relay = trouble.refuses && (await Relay.start(bench.emulator.url));
  try {
    const scene = new Scene(bench, change, trouble, relay || undefined, await agentsOf(bench));
    const outcome = await scene.run();
    if (outcome.error !== undefined) lookThrough(outcome.error, `an error under "${cell.trouble}"`, seed);
    const place = `${change.title}, ${cell.trouble} ${JSON.stringify(trouble.faults)}`;
    const strayed = elsewhere.requests;
    const wrong = strayed > 0 ? [...outcome.wrong, `${strayed} requests went to another host`] : outcome.wrong;
    return { reported: outcome.error !== undefined, wrong: wrong.map((problem) => `${place}: ${problem}`) };
  } finally {
    relay?.refuse();
    await Promise.all([bench.end(), elsewhere.end()]);
  }
}

/** One change with one trouble. */
class Scene {
  readonly #settings: Record<string, string | undefined>;
  readonly #engine: EngineModel;
  readonly #before: Program;
  readonly #after: Program;

  constructor(
    private readonly bench: Bench,
    private readonly change: Change,
    private readonly trouble: Trouble,
    private readonly relay: Relay | undefined,
    agents: readonly string[],
  ) {
    const client = { token: undefined, clientId: "emulator", clientSecret: planted.clientSecret };
    this.#settings = { ...change.settings, ...(trouble.tokenEnds ? client : {}) };
    this.#engine = new EngineModel(bench, this.#settings);
    this.#before = withAgents(change.before, agents);
    this.#after = withAgents(change.after, agents);
  }

  async run(): Promise<{ error?: string; wrong: string[] }> {
    const { bench, trouble } = this;
    await this.#engine.up(this.#before);
    await bench.door("requests/reset");
    const error = await this.#upInTrouble();
    await sleep((trouble.settledAfterMs ?? 0) + 3 * transferDelayMs);
    const wrong: string[] = [];
    if (error !== undefined && !(error instanceof Error && error.stack === "")) {
      wrong.push(`it failed by a bug: ${error instanceof Error ? error.stack : messageOf(error)}`);
    }
    // The documented step after a failed update: the same update again.
    Object.assign(this.#settings, { adopt: "identical" });
    if (error !== undefined) {
      const second = await this.#engine.up(this.#after).catch((failure: unknown) => failure ?? "nothing");
      if (second !== undefined) wrong.push(`the second up failed: ${messageOf(second)}; the first: ${messageOf(error)}`);
    }
    wrong.push(...(await this.#differences(error !== undefined)));
    return { error: error === undefined ? undefined : messageOf(error), wrong };
  }

  /** @returns the error of the update */
  async #upInTrouble(): Promise<unknown> {
    const { bench, trouble, relay } = this;
    if (relay) {
      Object.assign(this.#settings, { baseUrl: relay.url });
      if (trouble.refuses === "all") relay.refuse();
      else relay.refusesAt = /^(?:POST|PATCH|DELETE) /;
    }
    for (const fault of trouble.faults) await bench.fault(fault);
    Object.assign(this.#settings, impatient);
    const up = this.#engine.up(this.#after, { refresh: trouble.refresh }).then(
      () => undefined,
      (error: unknown) => error ?? new Error("nothing"),
    );
    if (trouble.tokenEnds) {
      await unlessEnded(up, () => Object.keys(writesOf(bench.emulator)).length > 0);
      await bench.door("tokens/revoke");
    }
    const error = await up;
    await bench.door("faults/reset");
    Object.assign(
      this.#settings,
      { baseUrl: bench.emulator.url },
      { timeout: undefined, deadline: undefined, createOutcomeTimeout: undefined },
    );
    return error;
  }

  /** Returns differences from the program. */
  async #differences(wasReported: boolean): Promise<string[]> {
    const wrong: string[] = [];
    const names = (program: object): string => Object.keys(program).toSorted().join();
    const stateNames = [...this.#engine.state.keys()].toSorted().join();
    if (stateNames !== names(this.#after)) wrong.push(`lost: the state has ${stateNames}, the program ${names(this.#after)}`);
    for (const [kind, collection] of collections) {
      const stored = (await this.bench.ids(collection)).toSorted();
      const known = [...this.#engine.state.values()].filter((resource) => resource.kind === kind).map(({ id }) => id);
      for (const id of without(known, stored)) wrong.push(`lost: ${kind} ${id} is not in the service`);
      for (const id of without(stored, known)) wrong.push(`duplicated or not deleted: ${kind} ${id}`);
    }
    // A run with an unknown outcome is reported, and another run starts, because the service lists no runs.
    const runs = (await Promise.all(runCollections.map((name) => this.bench.ids(name)))).flat().length;
    if (this.change.run && !wasReported && runs > 1) wrong.push(`duplicated: ${runs} runs without a reported error`);
    await this.bench.door("requests/reset");
    await this.#engine
      .up(this.#after, { refresh: true })
      .catch((error: unknown) => wrong.push(`a further up failed: ${messageOf(error)}`));
    const more = writesOf(this.bench.emulator);
    if (Object.keys(more).length > 0) wrong.push(`not as declared: a further up sent ${stable(more)}`);
    return wrong;
  }
}

const collections = recordKinds.map((kind) => [kind, kindCases[kind].collection] as const);
const runCollections = ["instant-agent-to-server-tests", "instant-http-server-tests"];

/** Returns the agents of the changed account group. */
async function agentsOf(bench: Bench): Promise<string[]> {
  const answer = await fetch(`${bench.emulator.url}/_emulator/records/agents`);
  const { records } = (await answer.json()) as { records: { id: string; aid: string }[] };
  return records.filter(({ aid }) => aid === "1001").map(({ id }) => id);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

/** Another host, which must never receive a request. */
class Elsewhere {
  requests = 0;
  readonly #server = createServer((_request, response) => {
    this.requests += 1;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });

  static async start(): Promise<Elsewhere> {
    const elsewhere = new Elsewhere();
    await new Promise<void>((resolve) => elsewhere.#server.listen(0, "127.0.0.1", resolve));
    return elsewhere;
  }

  get url(): string {
    // A listening TCP server has an address.
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  end(): Promise<unknown> {
    const ended = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    return ended;
  }
}
