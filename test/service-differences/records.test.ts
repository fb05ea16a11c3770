/**
 * Runs the lifecycle of each record type with each variation of the API. A step succeeds, or fails clearly and can be undone.
 */
import { type Emulator, start } from "../../emulator";
import type { RecordKindName } from "../../provider/registry";
import { EngineModel, type Program } from "../provider/engine-model";
import type { Front } from "../provider/engine-processes";
import { amount, isLong, seed } from "../support/amount";
import { skipIdleTime } from "../support/idle-time";
import { bodyOf, changeInPlace, idOf, kindCases, recordKinds } from "../support/kinds";
import { type JsonValue, type Variation, VariedService } from "../support/varied-service";
import { control } from "./life";
import { variations } from "./variations";
import { headers } from "../support/call";

skipIdleTime();

const password = kindCases.httpServerTest.full["password"] as string;
const advice = /\b(run|set|check|give|choose|declare|look at|report it)\b|The next update accepts this value/i;

/** The lifecycle of a record. The API varies during each step, and no longer varies while a failed step is undone. */
class RecordLife {
  readonly failures: Record<string, string> = {};
  readonly faults: string[] = [];
  readonly engine: EngineModel;
  readonly #settings: Record<string, string | undefined> = { createOutcomeTimeout: "4" };

  constructor(
    private readonly emulator: Emulator,
    private readonly service: VariedService,
    private readonly variation: Variation,
    private readonly kind: RecordKindName,
  ) {
    this.engine = new EngineModel({ emulator: service }, this.#settings);
  }

  /** @param after the program after the step */
  async step(name: string, program: Program, work: () => Promise<void>, after = program): Promise<void> {
    this.service.vary(this.variation);
    try {
      await work();
      await this.#compare(name, after);
      return;
    } catch (error) {
      const { message, reasons = [] } = error as Error & { reasons?: string[] };
      this.failures[name] = [message, ...reasons].join("\n");
    }
    this.service.vary(undefined);
    await this.#undo(program).catch((error: Error) => this.faults.push(`${name} cannot be undone: ${error.message}`));
    await this.#compare(`${name}, undone`, program);
  }

  async #undo(program: Program): Promise<void> {
    if (Object.keys(program).length === 0) return this.engine.destroy();
    await this.engine.refresh();
    return this.engine.up(program).catch(async ({ message }: Error) => {
      if (!message.includes("endpoint-monitoring:adopt identical")) throw new Error(message);
      this.#settings["adopt"] = "identical";
      await this.engine.up(program);
      delete this.#settings["adopt"];
    });
  }

  async records(): Promise<JsonValue[]> {
    const { collection } = kindCases[this.kind];
    const { records = [] } = await control(this.emulator, `records/${collection}`);
    const read = async ({ id }: { id: string }): Promise<JsonValue> => {
      const { body } = await control(this.emulator, `records/${collection}/${id}`);
      return { ...(body as object), recordId: id };
    };
    return Promise.all(records.map(read));
  }

  /** Compares the service and the state with a program of one record or no record. */
  async #compare(step: string, program: Program): Promise<void> {
    const records = await this.records();
    const [resource] = this.engine.state.values();
    const ids = records.map(({ recordId }) => recordId);
    const [args, count] = [program["record"]?.args ?? {}, Object.keys(program).length];
    if (ids.length !== count || resource?.id !== ids[0]) this.faults.push(`${step}: ${ids.join()}, state ${resource?.id}`);
    const places: Record<string, JsonValue> = { service: { ...records[0], ...records[0]?.agentSelectorConfig } };
    // A refresh writes changed values from responses into the state.
    if (this.variation.fails === undefined) places["state"] = resource?.outputs;
    for (const [place, values] of Object.entries(places))
      for (const [name, value] of Object.entries(args).filter(([property]) => property !== "password"))
        if (JSON.stringify(values?.[name]) !== JSON.stringify(value))
          this.faults.push(`${step}: ${name} of the ${place} is ${JSON.stringify(values?.[name])}`);
  }

  judge(): void {
    const { fails } = this.variation;
    for (const [step, message] of Object.entries(this.failures)) {
      const isClear = advice.test(message) && !/\n\s+at |This is a bug|\[object/.test(message);
      if (!isClear || fails === undefined || !message.includes(fails)) this.faults.push(`${step} fails: ${message}`);
    }
    if ([...Object.values(this.failures), ...this.engine.printed].some((text) => text.includes(password)))
      this.faults.push("the password was printed");
  }
}

async function live(variation: Variation, kind: RecordKindName, front: Front): Promise<RecordLife> {
  const { path, full, minimal } = kindCases[kind];
  const emulator = await start({ rateLimit: "off", agents: 3 });
  const service = await new VariedService(emulator.url, [path]).start();
  const send = (method: string, to = "", body?: object): Promise<Response> =>
    fetch(`${emulator.url}${path}${to}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const life = new RecordLife(emulator, service, variation, kind);
  const { engine } = life;
  const { accountGroupId: _, ...args } = full;
  const { property, to } = changeInPlace(kind);
  const created: Program = { record: { kind, front, args } };
  const updated: Program = { record: { kind, front, args: { ...args, [property]: to } } };
  try {
    await life.step("create", created, () => engine.up(created));
    await life.step("repeat", created, async () => {
      await engine.up(created);
      const changes = engine.calls.filter((call) => /^(create|update|delete) /.test(call));
      if (life.failures["create"] === undefined) life.faults.push(...changes.map((change) => `repeat: ${change}`));
    });
    await life.step("read", created, () => engine.refresh());
    await life.step("update", updated, () => engine.up(updated));
    await life.step("refresh", updated, () => engine.up(updated, { refresh: true }));
    // The record is deleted outside of Pulumi, and another record exists.
    const other = (await (await send("POST", "", bodyOf(kind, minimal))).json()) as object;
    for (const id of engine.ids()) await send("DELETE", `/${id}`);
    const refreshed = (): Promise<void> => engine.refresh().finally(() => send("DELETE", `/${idOf(kind, other)}`));
    await life.step("missing", updated, refreshed, {});
    await life.step("recreate", updated, () => engine.up(updated));
    await life.step("destroy", {}, () => engine.destroy());
    life.judge();
    return life;
  } finally {
    await service.close();
    await emulator.close();
  }
}

const every = Math.ceil(variations.length / amount(14, variations.length));
const chosen = variations.filter((_, at) => (at + seed(0)) % every === 0);
/** The three types of tests share their code. The short form runs one of them with each variation. */
const testKinds = recordKinds.filter((kind) => "testName" in kindCases[kind].full);
const kindsOf = (variation: Variation): RecordKindName[] => {
  const ownKind = testKinds[chosen.indexOf(variation) % testKinds.length];
  return recordKinds.filter((kind) => isLong || !testKinds.includes(kind) || kind === ownKind);
};
const counts = { tolerated: 0, "fails clearly": 0, wrong: 0 };

test("the suite tests at least 69 API variations with unique names", () => {
  expect(new Set(variations.map(({ name }) => name)).size).toBe(variations.length);
  expect(variations.length).toBeGreaterThanOrEqual(69);
});

describe.each(chosen)("the API variation $name", (variation) => {
  test.each(kindsOf(variation))("the lifecycle of a %s succeeds or fails with a clear message", async (kind) => {
    const fronts: Front[] = ["dynamic", "native"];
    const at = (variations.indexOf(variation) + recordKinds.indexOf(kind)) % 2;
    for (const front of fronts.slice(amount(at, 0), amount(at + 1, 2))) {
      const { faults, failures } = await live(variation, kind, front);
      counts[faults.length > 0 ? "wrong" : Object.keys(failures).length > 0 ? "fails clearly" : "tolerated"] += 1;
      expect({ front, faults }).toEqual({ front, faults: [] });
    }
  });
});

afterAll(() => process.stdout.write(`${JSON.stringify(counts)}\n`));
