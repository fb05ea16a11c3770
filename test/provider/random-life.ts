/**
 * Random lives of two stacks, on the engine model or on Pulumi: refactorings, fronts, providers, targets, replacements,
 * failures at any request, killed engines, records of others, reads that lag, reshaped values, two host names, stacks that
 * start together. After each operation, the service's records must match the states. After a failure, the stack must
 * recover. A seed determines a life, and fewer steps are the beginning of the same life.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { reshaping } from "../support/variations/reshaping";
import { records, type RecordKindName } from "../../provider/registry";
import { isObject, type Properties, sameValue, stable } from "../../provider/values";
import type { Review } from "../../plan/judge/review";
import { random } from "../support/amount";
import { changeInPlace, changeThatReplaces, kindCases, operationsOf, recordKinds, type Toggle } from "../support/kinds";
import { type Declared, EngineModel, type Held, Killed, type Operation, pathOf, type Program } from "./engine-model";
import type { Front } from "./engine-processes";
import { disagreements, type Observed } from "./foreseen";
import { isThere, keyOf, type Seen, type ServiceView } from "./service-view";

/** Faults by type, each with its seed and step. Empty lists mean success. */
export interface Wrongs {
  /** A state refers to a missing record, or a managed record was deleted. */
  lost: string[];
  /** A record in no state, or identical records of two stacks without a report of both. */
  doubled: string[];
  /** A record of another stack or user was changed, deleted or adopted without permission. */
  foreign: string[];
  /** Two resources of one stack manage one record. */
  shared: string[];
  /** Service, state and program differ after a successful operation. */
  different: string[];
  /** No recovery from a failure, or a failed destroy. */
  stuck: string[];
  /** An update differs from its review. */
  disagreed: string[];
}

export interface Tally {
  wrong: Wrongs;
  /** How often reviews made each statement about resources and records. */
  counts: Record<string, number>;
  /** Duplicates that an update reported, and those that lagging reads hid. */
  reported: number;
  /** Adoptions of a deleted record that reads still showed. */
  adoptedDead: number;
  unseen: number;
  lives: number;
  operations: number;
  failed: number;
  /** How often each step ran. */
  tried: Record<string, number>;
}

export function noTally(): Tally {
  return {
    wrong: { lost: [], doubled: [], foreign: [], shared: [], different: [], stuck: [], disagreed: [] },
    counts: {},
    reported: 0,
    adoptedDead: 0,
    unseen: 0,
    lives: 0,
    operations: 0,
    failed: 0,
    tried: {},
  };
}

type SlotKind = RecordKindName | "endpointAgent";

/** A resource of a program, under all its names. */
interface Slot {
  key: string;
  name: string;
  kind: SlotKind;
  args: Properties;
  front: Front;
  provider?: string | undefined;
  parent?: string | undefined;
  alias: string[];
  adopt: boolean;
  retainOnDelete: boolean;
  deleteBeforeReplace: boolean | undefined;
  replaceOnChanges: string[];
  trigger: string;
  /** Slots with the labels that it refers to. */
  labels: string[];
}

/** The engine as a life uses it: the model, or Pulumi itself. */
export interface Engine extends Pick<
  EngineModel,
  "all" | "entries" | "failures" | "printed" | "providers" | "up" | "refresh" | "forget" | "taint" | "import"
> {
  readonly state: ReadonlyMap<string, Held>;
  destroy(): Promise<void>;
  /** Reviews the next update. @returns the error if the preview fails */
  review?(program: Program, operation: Operation): Promise<Review | string>;
}

type Settings = Record<string, string | undefined>;

/** The environment of a life: its engines, and the lag of its reads. */
export interface World {
  /** @param settings the stack's settings, which change during its life */
  engineOf(stack: "dev" | "prod", settings: Settings): Engine;
  /** `readLag` for a service with lagging reads. @defaultValue the provider's default */
  readLag?: string;
  maxLagSeconds: number;
  /** Seconds after which reads show all writes. */
  settledSeconds: number;
  /** Whether the service and the engine work without failures, so that each update must match its review. */
  isCalm?: boolean;
  /** Number of changes in a step. @defaultValue 1 */
  changes?: number;
}

/** Lives on the model, with the default `readLag`. */
function modelWorld(service: ServiceView): World {
  return { engineOf: (_, engineSettings) => new EngineModel(service, engineSettings), maxLagSeconds: 115, settledSeconds: 125 };
}

interface Stack {
  name: string;
  engine: Engine;
  settings: Record<string, string | undefined>;
  slots: Slot[];
  /** Settings of explicit providers are the stack's own. */
  agents: string[];
}

const groups = ["group-a", "group-b"];
const anotherProvider = [undefined, undefined, "east", "west"];
const kindsOfDice: readonly SlotKind[] = [...recordKinds, "label", "agentToServerTest", "endpointAgent"];
const refersToLabels = (kind: SlotKind): boolean =>
  kind !== "endpointAgent" && Object.values(records[kind].refersTo).includes("label");

const inPlace = (kind: SlotKind): Toggle =>
  kind === "endpointAgent" ? { property: "agentName", from: "Desk", to: "Kiosk" } : changeInPlace(kind);
const replacing = (kind: SlotKind): Toggle =>
  (kind === "endpointAgent" ? undefined : changeThatReplaces(kind)) ?? inPlace(kind);

/**
 * Seconds that a provider waits after a create with unknown outcome. By then the service has stored the record, or never
 * will.
 */
const settings = { accountGroupId: "1001", createOutcomeTimeout: "0.2", timeout: "5" };

/** Milliseconds by which the clocks of the service's machines may differ. */
const clockToleranceMs = 10_000;

/**
 * Updates until the first write of each resource has happened. A first write partly fails if the service returns another
 * form.
 */
const firstWrites = 9;

/** Matches a message about new records that may be the outcome of a create, or equal to it, and an id in it. */
const namesNew = /Several new records match|The new .* has this name but other values|has the same name and content as/;
const anyId = /\b(?:\d{15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/g;

/** Matches an error of the engine that depends on the order in which the program registers untargeted resources. */
const racingProviders = /change of providers mixed with --target/;

/** Runs one life on a reset emulator. */
export async function live(
  seed: number,
  steps: number,
  service: ServiceView,
  tally: Tally,
  world = modelWorld(service),
): Promise<void> {
  service.reset();
  await new Life(seed, service, tally, world).run(steps);
  tally.lives += 1;
}

class Life {
  readonly #dice: () => number;
  readonly #stacks: [Stack, Stack];
  /** Completed steps, to repeat the life. */
  readonly #done: string[] = [];
  /** Records created by hand that no resource adopted. */
  readonly #byHand = new Set<string>();
  /**
   * Records that two resources or two stacks knew at the same time. If one deletes the record, the other keeps a stale entry.
   */
  readonly #known = new Set<string>();
  /** Records that the engine retained. */
  readonly #retained = new Set<string>();
  /** Records that were deleted outside of Pulumi. */
  readonly #gone = new Set<string>();
  /** Ids in messages: records that may be the outcome of a lost create, or duplicates. */
  readonly #named = new Set<string>();
  /** Agents whose resource with `onDestroy` left the program. */
  readonly #givenUp = new Set<string>();
  /** Whether reads lag behind writes. */
  readonly #lags: boolean;
  /** Whether the service returns values in another form, so that each first write partly fails. */
  readonly #reshapes: boolean;
  /** The second host name of the service, if a provider uses it. */
  readonly #otherHost: string | undefined;
  #isSettled = false;
  #made = 0;

  constructor(
    private readonly seed: number,
    private readonly service: ServiceView,
    private readonly tally: Tally,
    private readonly world: World,
  ) {
    this.#dice = random(seed);
    const agents = [...service.records().values()].filter(({ kind, aid }) => kind === "endpointAgent" && aid === "1001");
    const ids = agents.map(({ id }) => id).slice(1);
    const { isCalm = false } = world;
    this.#lags = !isCalm && this.#chance(0.4);
    this.#reshapes = !isCalm && this.#chance(0.4);
    const { url } = service.emulator;
    this.#otherHost = !isCalm && this.#chance(0.4) ? url.replace("127.0.0.1", "localhost") : undefined;
    const lag = this.#lags ? [`lag=${1 + this.#below(world.maxLagSeconds)}s`] : [];
    const forms = this.#reshapes ? [this.#pick(reshaping), this.#pick(reshaping)].map((form) => form?.name ?? "") : [];
    const differences = [...new Set([...lag, ...forms])];
    service.answerAs(differences);
    const movedFrom = this.#chance(0.5) ? url : undefined;
    this.#done.push(`as ${differences.join(", ")}; other host: ${this.#otherHost}, moved from ${movedFrom}`);
    for (const difference of differences) this.#tried(difference.replace(/=.*/, ""));
    this.#tried(this.#otherHost ? "other host" : "one host");
    const stack = (name: "dev" | "prod", stackAgents: string[]): Stack => {
      const engineSettings: Settings = { ...settings, readLag: this.#lags ? world.readLag : "0" };
      const engine = world.engineOf(name, engineSettings);
      if (this.#otherHost) engine.providers["west"] = { baseUrl: this.#otherHost, ...(movedFrom && { movedFrom }) };
      return { name, settings: engineSettings, engine, slots: [], agents: stackAgents };
    };
    this.#stacks = [
      stack(
        "dev",
        ids.filter((_, at) => at % 2 === 0),
      ),
      stack(
        "prod",
        ids.filter((_, at) => at % 2 === 1),
      ),
    ];
  }

  async run(steps: number): Promise<void> {
    const [first, second] = this.#stacks;
    for (let i = 0, size = this.#changes * (2 + this.#below(4)); i < size; i += 1) this.#add(first);
    if ((await this.#up(first, "create all", {})) !== undefined) await this.#recover(first, first.slots, "create all");
    for (let step = 0; step < steps && !this.#isWrong(); step += 1) await this.#step(first);
    for (const stack of [second, first]) {
      if (this.#isWrong()) return;
      if (this.#lags) await this.#refreshSettled(stack);
      await this.#destroy(stack);
    }
  }

  /** Whether a fault occurred. A life ends with its first fault, because later faults would follow from it. */
  #isWrong(): boolean {
    const prefix = `seed ${this.seed}:`;
    return Object.values(this.tally.wrong).some((list: string[]) => list.some((text) => text.startsWith(prefix)));
  }

  async #step(stack: Stack): Promise<void> {
    if (this.#chance(0.4)) await this.#settle();
    const before = structuredClone(stack.slots);
    const operation: Operation = {
      refresh: this.#chance(this.#lags ? 0.4 : 0.1),
      parallel: this.#chance(0.5),
      continueOnError: this.#chance(0.3),
    };
    const changes: string[] = [];
    for (let n = 0; n < this.#changes; n += 1) changes.push(this.#tried(await this.#change(stack, operation)));
    const what = changes.join("; ");
    const trouble = !this.world.isCalm && this.#chance(0.25) ? this.#trouble(stack, operation) : "";
    const failed = await this.#up(stack, `${what}${trouble}`, operation);
    this.service.well();
    if (failed !== undefined) await this.#recover(stack, before, what);
    if (this.#chance(0.15)) await this.#secondStack();
    if (this.#chance(0.15) && !this.#isWrong()) await this.#startTogether();
  }

  get #changes(): number {
    return this.world.changes ?? 1;
  }

  #tried(what: string): string {
    this.tally.tried[what] = (this.tally.tried[what] ?? 0) + 1;
    return what;
  }

  /** Waits until reads show all writes. */
  async #settle(): Promise<void> {
    if (!this.#lags) return;
    this.#done.push("settled");
    await sleep(this.world.settledSeconds * 1_000);
  }

  /** After `readLag`, a refresh finds each deletion. */
  async #refreshSettled(stack: Stack): Promise<void> {
    await this.#settle();
    if (this.#otherHost) this.#unite();
    await this.#refresh(stack);
    const now = this.service.records();
    for (const { name, kind, id } of stack.engine.entries)
      if (!isThere(now.get(keyOf(kind, id)))) this.#wrong("lost", `${name} says ${kind} ${id} after a settled refresh`);
    this.#isSettled = true;
    if ((await this.#up(stack, "the same after a settled refresh", {})) !== undefined)
      await this.#recover(stack, stack.slots, "a settled refresh");
    this.#isSettled = false;
  }

  /** Declares that both host names are one service. */
  #unite(): Operation {
    for (const { settings: stackSettings, engine } of this.#stacks) {
      stackSettings["movedFrom"] = [this.service.emulator.url, this.#otherHost]
        .filter((host) => host !== (stackSettings["baseUrl"] ?? this.service.emulator.url))
        .join(",");
      if (engine.providers["west"]) engine.providers["west"]["movedFrom"] = this.service.emulator.url;
    }
    return {};
  }

  /** Runs a user's steps after a failure: the same again, the previous program, a refresh first, the recommended remedy. */
  async #recover(stack: Stack, before: Slot[], what: string): Promise<void> {
    const bad = stack.slots.find(({ key }) => key === "bad");
    if (bad) stack.slots = stack.slots.filter((slot) => slot !== bad);
    type Attempt = [string, () => Operation | Promise<Operation>];
    const again: Attempt = ["the same again", () => ({})];
    const attempts: Attempt[] = [
      ...Array.from({ length: this.#reshapes ? firstWrites : 1 }, () => again),
      ...(this.#lags ? [["settled", async () => (await this.#settle(), {})] as Attempt] : []),
      ...(this.#otherHost === undefined ? [] : [["hosts united", () => this.#unite()] as Attempt]),
      ["taken back", () => this.#takeBack(stack, before)],
      ["refreshed", async () => (await this.#refresh(stack), {})],
      [
        "adopted",
        () => {
          for (const slot of stack.slots) slot.adopt = slot.kind !== "endpointAgent";
          return {};
        },
      ],
      ...Array.from({ length: this.#reshapes ? firstWrites : 1 }, (): Attempt => [
        "declared as returned",
        () => this.#declareAsReturned(stack),
      ]),
      ...(this.#reshapes ? Array.from({ length: firstWrites }, () => again) : []),
      [
        "renamed in the service",
        () => {
          const known = new Set([...stack.engine.state.values()].map(({ name }) => name));
          for (const { name, kind, args } of stack.slots)
            if (kind !== "endpointAgent" && !known.has(name)) args[records[kind].nameProperty] = `Renamed ${name}`;
          return {};
        },
      ],
      ["declared once", () => this.#declareOnce(stack)],
      ["retained ones deleted by hand", () => this.#deleteRetained()],
      [
        "deleted first",
        () => {
          Object.assign(stack.settings, { replaceOrder: undefined });
          // The resource classes set it so.
          for (const slot of stack.slots) slot.deleteBeforeReplace = true;
          return {};
        },
      ],
      // A create-first replacement would adopt the record that it replaces, if adopt is true.
      ...Array.from({ length: this.#reshapes ? 2 * firstWrites : 1 }, (): Attempt => [
        "replaced as advised",
        () => ({
          replace: stack.engine.failures.filter(({ error }) => textOf(error).includes("--replace")).map(({ name }) => name),
        }),
      ]),
      [
        "untainted",
        async () => {
          for (const { urn, isTainted } of stack.engine.state.values()) if (isTainted) await stack.engine.taint(urn, false);
          return {};
        },
      ],
    ];
    let last: unknown;
    for (const [how, prepare] of attempts) {
      const operation = await prepare();
      last = await this.#up(stack, `${how} after ${what}`, operation);
      if (last === undefined) return;
      if (this.#isWrong()) return;
    }
    this.#wrong("stuck", `no way out: ${textOf(last)}`);
  }

  /** Follows the advice for values that the service returns in another form, in each failed resource. */
  #declareAsReturned({ engine, slots }: Stack): Operation {
    for (const { name, error } of engine.failures) {
      // The next update accepts the value without an edit.
      if (textOf(error).includes("The next update accepts this value")) continue;
      const [, property, value = "null"] = /declare (\w+): (.+?)(?:;|\. |$)/.exec(textOf(error)) ?? [];
      const slot = slots.find((declared) => declared.name === name);
      if (!slot || property === undefined) continue;
      slot.args[property] = JSON.parse(value);
      // Ids of labels arrive with the others, as text.
      if (property === "endpointAgentLabels")
        Object.assign(slot, { labels: [], args: { ...slot.args, agentSelectorType: "agent-labels" } });
    }
    return {};
  }

  /**
   * Follows the advice for two resources that manage one record: one of them leaves the program and, by `state delete`, the
   * state. If two declare the same name, one leaves the program.
   */
  async #declareOnce(stack: Stack): Promise<Operation> {
    const seen = new Set<string>();
    // The resource that the program still declares keeps the record.
    const names = new Set(stack.slots.map(({ name }) => name));
    const declaredFirst = [...stack.engine.state.values()].toSorted(
      (a, b) => Number(names.has(b.name)) - Number(names.has(a.name)),
    );
    for (const { urn, name, kind, id } of declaredFirst) {
      const key = keyOf(kind, id);
      if (seen.has(key)) {
        await stack.engine.forget(urn);
        stack.slots = stack.slots.filter((slot) => slot.name !== name);
      }
      seen.add(key);
    }
    const nameOf = ({ kind, args }: Slot): string =>
      JSON.stringify(kind === "endpointAgent" ? args["agentId"] : [kind, args[records[kind].nameProperty]]);
    stack.slots = stack.slots.filter((slot, at) => stack.slots.findIndex((other) => nameOf(other) === nameOf(slot)) === at);
    for (const slot of stack.slots) slot.labels = slot.labels.filter((label) => stack.slots.some(({ key }) => key === label));
    return {};
  }

  /** Follows the advice for several matching records: deletes those in no state from the service. */
  #deleteRetained(): Operation {
    const managed = new Set(this.#stacks.flatMap(({ engine }) => engine.entries.map(({ kind, id }) => keyOf(kind, id))));
    for (const kind of recordKinds)
      for (const [key, { id, kind: of }] of this.service.records())
        if (kind === of && (this.#retained.has(key) || this.#byHand.has(key)) && !managed.has(key)) {
          this.#byHand.delete(key);
          this.service.delete(kind, id);
        }
    return {};
  }

  /**
   * Restores the previous program, except the given-up resources. A record that was adopted under another name meanwhile may
   * have changed, which an update without a refresh does not see (docs/recovery.md).
   */
  async #takeBack(stack: Stack, before: Slot[]): Promise<Operation> {
    stack.slots = structuredClone(before).filter(({ key }) => key !== "bad");
    const keys = stack.engine.entries.map(({ kind, id }) => keyOf(kind, id));
    if (new Set(keys).size === keys.length) return {};
    // Two declared resources share a record. An update that replaces the first one would delete the record before the engine
    // names the second, so users follow the message's advice first.
    const declared = new Set(stack.slots.map(({ name }) => name));
    const kept = [...stack.engine.state.values()].filter(({ name }) => declared.has(name));
    if (new Set(kept.map(({ kind, id }) => keyOf(kind, id))).size < kept.length) await this.#declareOnce(stack);
    return { refresh: true };
  }

  async #change(stack: Stack, operation: Operation): Promise<string> {
    const slot = this.#pick(stack.slots);
    if (!slot) {
      this.#add(stack);
      return "add";
    }
    const { name } = slot;
    const identified = (alias: boolean, adopt: boolean, change: Partial<Slot>): void => {
      if (alias) slot.alias = [...slot.alias, pathOf(name, slot)];
      Object.assign(slot, adopt && { adopt: slot.kind !== "endpointAgent" }, change);
    };
    const renamed = (alias: boolean, adopt = false): void => identified(alias, adopt, { name: this.#newName() });
    const moved = (alias: boolean, adopt = false): void =>
      identified(alias, adopt, { parent: slot.parent === undefined ? this.#pick(groups) : undefined });
    const toggleAny = (): void => {
      const other = this.#pick(stack.slots);
      if (other) toggle(other, inPlace(other.kind));
    };
    const otherFront = (): void => void (slot.front = slot.front === "dynamic" ? "native" : "dynamic");
    const otherProvider = (): void => void (slot.provider = this.#pick(anotherProvider));
    const changes: [number, string, () => unknown][] = [
      [2, "rename with alias", () => renamed(true)],
      [2, "rename without alias", () => renamed(false)],
      [4, "rename, adopt", () => renamed(false, true)],
      [2, "move with alias", () => moved(true)],
      [3, "move without alias", () => moved(false)],
      [3, "move, adopt", () => moved(false, true)],
      [2, "other front", otherFront],
      [2, "other front, rename with alias", () => (otherFront(), renamed(true))],
      [4, "other front, rename, adopt", () => (otherFront(), renamed(false, true))],
      [2, "other provider", otherProvider],
      [4, "other provider, rename, adopt", () => (otherProvider(), renamed(false, true))],
      [2, "other front and provider, rename", () => (otherFront(), otherProvider(), renamed(false))],
      [3, "all renamed to the other front, adopt", () => this.#moveAll(stack, true)],
      [2, "all to the other front", () => this.#moveAll(stack, false)],
      [2, "adopt on or off", () => void (slot.adopt = slot.kind !== "endpointAgent" && !slot.adopt)],
      [2, "adopt: identical on", () => void Object.assign(stack.settings, { adopt: "identical" })],
      [1, "adopt: identical off", () => void Object.assign(stack.settings, { adopt: undefined })],
      [3, "--replace", () => void (operation.replace = [...(operation.replace ?? []), name])],
      [3, "taint", () => this.#taint(stack, slot)],
      [2, "trigger", () => void (slot.trigger += "x")],
      [
        3,
        "--target new name, adopt",
        () => {
          renamed(false, true);
          if (this.#chance(0.5)) otherProvider();
          if (this.#chance(0.3)) otherFront();
          toggleAny();
          operation.target = [slot.name];
        },
      ],
      [3, "--target what is left", () => void (operation.target = this.#leftOver(stack) ?? [name])],
      [3, "--target beside another change", () => (toggleAny(), void (operation.target = [name]))],
      [1, "retainOnDelete", () => void (slot.retainOnDelete = canBeRetained(slot.kind) && !slot.retainOnDelete)],
      [1, "deleteBeforeReplace", () => void (slot.deleteBeforeReplace = this.#pick([undefined, true, false]))],
      [3, "remove", () => this.#remove(stack, slot)],
      [2, "add", () => this.#add(stack)],
      [2, "delete behind the back", () => void (operation.refresh = this.#deleteBehind(stack, slot) && this.#chance(0.7))],
      [2, "create-first", () => void Object.assign(stack.settings, { replaceOrder: "create-first" })],
      [1, "delete-first", () => void Object.assign(stack.settings, { replaceOrder: undefined })],
      [2, "change in place", () => toggle(slot, inPlace(slot.kind))],
      [3, "change that replaces", () => toggle(slot, replacing(slot.kind))],
      [
        3,
        "replaceOnChanges",
        () => {
          slot.replaceOnChanges = [inPlace(slot.kind).property];
          toggle(slot, inPlace(slot.kind));
        },
      ],
      [3, "copied, adopt", () => this.#copy(stack, slot)],
      [2, "another agent", () => this.#otherAgent(stack)],
      [2, "agents swapped", () => this.#swapAgents(stack)],
      [2, "a resource that fails beside a rename, adopt", () => (this.#addBad(stack), renamed(false, true))],
      [
        2,
        "a resource that fails beside a change that replaces",
        () => (this.#addBad(stack), toggle(slot, replacing(slot.kind))),
      ],
      [2, "a resource that fails beside another agent", () => (this.#addBad(stack), this.#otherAgent(stack))],
      [2, "imported, then changed", () => this.#import(stack)],
      [2, "created by hand alike, then declared", () => this.#byHandAlike(stack, false)],
      [
        this.#otherHost ? 3 : 0,
        "other host of the stack",
        () => {
          const { url } = this.service.emulator;
          stack.settings["baseUrl"] = stack.settings["baseUrl"] === this.#otherHost ? url : this.#otherHost;
          this.#unite();
        },
      ],
      [2, "created by hand alike, then adopted", () => this.#byHandAlike(stack, true)],
    ];
    let at = this.#dice() * changes.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, what, apply] of changes) {
      at -= weight;
      if (at >= 0) continue;
      await apply();
      if (this.#chance(0.2)) toggle(slot, inPlace(slot.kind));
      return what;
    }
    return "nothing";
  }

  /** Adds a failure at some request, a killed engine, or an engine that ends before its deletes. @returns a description */
  #trouble(stack: Stack, operation: Operation): string {
    const which = this.#below(10);
    if (which < 2) operation.killedBeforeDeletes = true;
    else if (which < 4) operation.killedAfter = this.#below(4);
    else {
      const kind = this.#pick(stack.slots)?.kind ?? "label";
      const verb = this.#pick(["create", "update", "delete", "list"] as const) ?? "create";
      const target = kind === "endpointAgent" ? "agents.update" : operationsOf(kind)[verb].id;
      const fault = this.#pick([
        { kind: "status", status: 403 },
        { kind: "status", status: 400 },
        { kind: "drop-after" },
        { kind: "drop-before" },
        { kind: "truncate" },
      ] as const) ?? { kind: "status", status: 403 };
      this.service.fault({ operation: target, ...fault });
      return `, ${JSON.stringify(fault)} at ${target}`;
    }
    return operation.killedBeforeDeletes ? ", killed before deletes" : `, killed after ${operation.killedAfter}`;
  }

  /**
   * Names in the state that the program does not declare, except those with a record that another resource adopted. A target
   * that deletes such a record is the known limit in docs/recovery.md.
   */
  #leftOver({ engine, slots }: Stack): string[] | undefined {
    const names = new Set(slots.map(({ name }) => name));
    const managed = new Set(
      [...engine.state.values()].flatMap(({ name, kind, id }) => (names.has(name) ? [keyOf(kind, id)] : [])),
    );
    const undeleted = [...engine.state.values()]
      .filter(({ name, kind, id }) => !names.has(name) && !managed.has(keyOf(kind, id)))
      .map(({ name }) => name);
    return undeleted.length > 0 ? undeleted : undefined;
  }

  #moveAll(stack: Stack, renamed: boolean): void {
    for (const slot of stack.slots) {
      slot.front = slot.front === "dynamic" ? "native" : "dynamic";
      if (!renamed) continue;
      slot.name = this.#newName();
      slot.adopt = slot.kind !== "endpointAgent";
    }
  }

  #add(stack: Stack, kind: SlotKind = this.#pick(kindsOfDice) ?? "label"): Slot | undefined {
    const name = this.#newName();
    const args = this.#argsOf(stack, kind, name);
    if (!args) return undefined;
    const labels = stack.slots.filter((slot) => slot.kind === "label").map(({ key }) => key);
    const slot: Slot = {
      key: name,
      name,
      kind,
      args,
      front: this.#chance(0.5) ? "native" : "dynamic",
      provider: this.#pick(anotherProvider),
      alias: [],
      adopt: false,
      retainOnDelete: canBeRetained(kind) && this.#chance(0.07),
      deleteBeforeReplace: undefined,
      replaceOnChanges: [],
      trigger: "",
      labels: refersToLabels(kind) && labels.length > 0 && this.#chance(0.4) ? [this.#pick(labels) ?? ""] : [],
    };
    stack.slots.push(slot);
    return slot;
  }

  #argsOf(stack: Stack, kind: SlotKind, name: string): Properties | undefined {
    if (kind === "endpointAgent") {
      const agentId = stack.agents.pop();
      const onDestroy = this.#pick(["forget", "delete", "delete"]);
      return agentId === undefined ? undefined : { agentId, agentName: "Desk", onDestroy };
    }
    const { property, from } = inPlace(kind);
    return { ...kindCases[kind].minimal, [records[kind].nameProperty]: `Record ${name}`, [property]: from };
  }

  /** Adds a resource that the service rejects, because its label does not exist. */
  #addBad(stack: Stack): void {
    const slot = this.#add(stack, "agentToServerTest");
    if (!slot) return;
    slot.key = "bad";
    slot.labels = [];
    slot.args = { ...slot.args, agentSelectorType: "agent-labels", endpointAgentLabels: ["4711"] };
  }

  #remove(stack: Stack, slot: Slot): void {
    stack.slots = stack.slots.filter((other) => other !== slot);
    for (const other of stack.slots) other.labels = other.labels.filter((key) => key !== slot.key);
    if (slot.kind === "endpointAgent" && slot.args["onDestroy"] !== "delete") stack.agents.push(String(slot.args["agentId"]));
  }

  #deleteBehind({ engine }: Stack, slot: Slot): boolean {
    const entry = engine.entries.find(({ name }) => name === slot.name);
    if (!entry || slot.kind === "endpointAgent") return false;
    this.service.delete(slot.kind, entry.id);
    this.#gone.add(keyOf(entry.kind, entry.id));
    return true;
  }

  async #taint({ engine }: Stack, slot: Slot): Promise<void> {
    const entry = [...engine.state.values()].find(({ name }) => name === slot.name);
    if (entry) await engine.taint(entry.urn, true);
  }

  /** Declares the same resource again, perhaps on the other front or with another provider. */
  #copy(stack: Stack, slot: Slot): void {
    const name = this.#newName();
    const adopt = slot.kind !== "endpointAgent" && this.#chance(0.7);
    const copy = { ...structuredClone(slot), key: name, name, adopt, alias: [], provider: this.#pick(anotherProvider) };
    if (this.#chance(0.5)) copy.front = slot.front === "dynamic" ? "native" : "dynamic";
    // Before or after the resource that manages the record.
    if (this.#chance(0.5)) stack.slots.unshift(copy);
    else stack.slots.push(copy);
  }

  #otherAgent(stack: Stack): void {
    const slot = this.#pick(stack.slots.filter(({ kind }) => kind === "endpointAgent"));
    const agentId = slot && stack.agents.pop();
    if (!slot || agentId === undefined) return void this.#add(stack, "endpointAgent");
    slot.args = { ...slot.args, agentId };
  }

  #swapAgents(stack: Stack): void {
    const [first, other] = stack.slots.filter(({ kind }) => kind === "endpointAgent");
    if (!first || !other) return void this.#add(stack, "endpointAgent");
    const [a, b] = [first.args["agentId"], other.args["agentId"]];
    first.args = { ...first.args, agentId: b };
    other.args = { ...other.args, agentId: a };
  }

  /** Another user creates the record that a new resource declares, and the stack imports it. */
  async #import(stack: Stack): Promise<void> {
    const { slot, id } = await this.#makeAlike(stack);
    await this.#settle();
    const declared = this.#programOf(stack)[slot.name];
    if (declared) await stack.engine.import(slot.name, declared, id);
    toggle(slot, inPlace(slot.kind));
  }

  /** Another user creates the record that a new resource declares. */
  async #byHandAlike(stack: Stack, adopt: boolean): Promise<void> {
    const { slot, id } = await this.#makeAlike(stack);
    slot.adopt = adopt;
    this.#byHand.add(keyOf(slot.kind, id));
  }

  async #makeAlike(stack: Stack): Promise<{ slot: Slot; id: string }> {
    const kind = this.#pick(recordKinds) ?? "label";
    const slot = this.#add(stack, kind);
    if (!slot) throw new Error(`${kind} has no arguments`);
    slot.labels = [];
    const id = await this.service.make(kind, slot.args);
    // An unanswered create cannot distinguish its record from an older hidden one without creation times, or if both were
    // created within the clock tolerance.
    if (this.world.isCalm) return { slot, id };
    if (records[kind].createdAt === undefined) await this.#settle();
    else await sleep(clockToleranceMs);
    return { slot, id };
  }

  /** The second stack runs the first stack's program, or its own resource. */
  async #secondStack(): Promise<void> {
    const [first, second] = this.#stacks;
    const same = this.#chance(0.6);
    const before = second.slots;
    if (same) {
      const copies = first.slots.filter(({ kind, key }) => kind !== "endpointAgent" && key !== "bad");
      second.slots = structuredClone(copies).map((slot) => ({ ...slot, adopt: false, alias: [], retainOnDelete: false }));
    } else {
      const added = this.#add(second);
      // The record must still exist when the next program is reverted.
      if (added) added.retainOnDelete = false;
      if (added?.kind === "endpointAgent") added.args = { ...added.args, onDestroy: "forget" };
    }
    const what = this.#tried(same ? "second stack of the same program" : "second stack");
    const failed = await this.#up(second, what, { continueOnError: this.#chance(0.5) });
    if (failed === undefined) return;
    second.slots = before;
    await this.#settle();
    let again = await this.#up(second, "second stack taken back", {});
    // The first write of each reshaped value partly fails.
    for (let i = 0; i < firstWrites && this.#reshapes && again !== undefined; i += 1)
      again = await this.#up(second, "second stack once more", {});
    if (again !== undefined) this.#wrong("stuck", `the second stack: ${textOf(again)}`);
  }

  /**
   * Both stacks create equal records at the same time. Then the second one follows the advice and no longer declares them.
   */
  async #startTogether(): Promise<void> {
    const [first, second] = this.#stacks;
    const before = new Set(this.service.records().keys());
    const [slots, others] = [first.slots, second.slots];
    const shared = [0, 1].flatMap(() => this.#add(first, this.#pick(recordKinds)) ?? []);
    for (const slot of shared) Object.assign(slot, { labels: [], retainOnDelete: false });
    second.slots = [...others, ...structuredClone(shared)];
    for (const { engine, settings: stackSettings } of this.#stacks) {
      stackSettings["adopt"] = undefined;
      engine.printed.length = 0;
    }
    const what = this.#tried("both stacks start together");
    const operation = { parallel: true, continueOnError: true };
    await this.#operate(first, what, operation, async () => {
      const ups = this.#stacks.map((stack) => stack.engine.up(this.#programOf(stack), operation));
      for (const result of await Promise.allSettled(ups)) if (result.status === "rejected") throw result.reason;
    });
    const texts = this.#stacks.flatMap(({ engine }) => engine.printed);
    for (const { name, kind } of shared) {
      const created = this.#stacks.map(({ engine }) => engine.entries.find((entry) => entry.name === name)?.id);
      const [id, double] = created;
      if (id === undefined || double === undefined || created.some((each) => before.has(keyOf(kind, each ?? "")))) continue;
      if (texts.some((text) => text.includes(id) && text.includes(double))) this.tally.reported += 1;
      else if (this.#lags) this.tally.unseen += 1;
      else this.#wrong("doubled", `${kind} ${id} and ${double} of two stacks are equal, and no update reported it`);
    }
    second.slots = others;
    if ((await this.#up(second, "declared in the first stack only", {})) !== undefined)
      await this.#recover(second, others, "declared in the first stack only");
    if ((await this.#up(first, "the same again", {})) !== undefined) await this.#recover(first, slots, what);
  }

  #programOf({ slots }: Stack): Program {
    const names = new Map(slots.map(({ key, name }) => [key, name]));
    const labelsFirst = slots.toSorted((a, b) => Number(b.kind === "label") - Number(a.kind === "label"));
    return Object.fromEntries(
      labelsFirst.map((slot): [string, Declared] => {
        const { name, kind, args, adopt, labels, key: _, alias, deleteBeforeReplace, ...options } = slot;
        const ids = labels.flatMap((key) => (names.has(key) ? [{ $id: names.get(key) }] : []));
        const selection = ids.length > 0 ? { agentSelectorType: "agent-labels", endpointAgentLabels: ids } : {};
        return [
          name,
          { kind, args: { ...args, ...selection, ...(adopt && { adopt }) }, alias, deleteBeforeReplace, ...options },
        ];
      }),
    );
  }

  /** @returns the error of the update */
  async #up(stack: Stack, what: string, operation: Operation): Promise<unknown> {
    const program = this.#programOf(stack);
    const compare = await this.#review(stack, program, operation);
    const failed = await this.#operate(stack, what, operation, () => stack.engine.up(program, operation));
    compare?.(failed === undefined);
    const isWhole = failed === undefined && operation.target === undefined && !operation.killedBeforeDeletes;
    if (isWhole) this.#judgeProgram(stack, this.service.records());
    return failed;
  }

  /** Reviews an update. @returns a function that compares the review with the update */
  async #review(stack: Stack, program: Program, operation: Operation): Promise<((isDone: boolean) => void) | undefined> {
    if (!this.world.isCalm || !stack.engine.review) return undefined;
    const review = await stack.engine.review(program, operation);
    const before = this.#observed(stack);
    return (isDone) => {
      if (typeof review === "string") {
        if (isDone && !racingProviders.test(review)) this.#wrong("disagreed", `only the preview failed: ${review}`);
        return;
      }
      const result = { isDone, targeted: operation.target !== undefined, refreshed: operation.refresh === true };
      for (const text of disagreements(review, before, this.#observed(stack), result, this.tally.counts))
        this.#wrong("disagreed", text);
    };
  }

  #observed({ engine }: Stack): Observed {
    const existing = [...this.service.records().values()].filter(isThere);
    return { state: engine.all, records: new Map(existing.map(({ id, body }) => [id, stable(body)])) };
  }

  async #refresh(stack: Stack): Promise<void> {
    const failed = await this.#operate(stack, "refresh", {}, () => stack.engine.refresh());
    if (failed !== undefined) this.#wrong("stuck", `refresh: ${textOf(failed)}`);
  }

  async #destroy(stack: Stack): Promise<void> {
    stack.slots = [];
    let failed = await this.#operate(stack, "destroy", {}, () => stack.engine.destroy());
    if (failed !== undefined && (this.#lags || this.#otherHost)) {
      await this.#settle();
      if (this.#otherHost) this.#unite();
      failed = await this.#operate(stack, "destroy", {}, () => stack.engine.destroy());
    }
    if (failed !== undefined) this.#wrong("stuck", `destroy: ${textOf(failed)}`);
    else if (stack.engine.entries.length > 0) this.#wrong("stuck", "destroy left the state as it was");
  }

  async #operate(stack: Stack, what: string, operation: Operation, run: () => Promise<void>): Promise<unknown> {
    this.#done.push(`${stack.name}: ${what}${Object.keys(operation).length > 0 ? ` ${JSON.stringify(operation)}` : ""}`);
    this.tally.operations += 1;
    const before = this.service.records();
    for (const other of this.#stacks) this.#noteKnown(other);
    this.#noteGivenUp(stack);
    const failed = await run().then(
      () => undefined,
      (error: unknown) => error ?? new Error("nothing"),
    );
    const texts = this.#stacks.flatMap(({ engine }) => [
      ...engine.failures.map(({ error }) => textOf(error)),
      ...engine.printed,
    ]);
    for (const text of texts) if (namesNew.test(text)) for (const [id] of text.matchAll(anyId)) this.#named.add(id);
    if (failed !== undefined) {
      this.tally.failed += 1;
      this.#done.push(`  failed: ${textOf(failed).slice(0, 400)}`);
      if (isBug(failed)) this.#wrong("stuck", `a bug: ${failed instanceof Error ? failed.stack : textOf(failed)}`);
    }
    for (const other of this.#stacks) this.#noteKnown(other);
    this.#judge(stack, before);
    return failed;
  }

  /** Records the agents with `onDestroy: "delete"` that the program neither continues nor declares. */
  #noteGivenUp({ engine, slots }: Stack): void {
    const paths = new Set(slots.flatMap((slot) => [pathOf(slot.name, slot), ...slot.alias]));
    const agents = new Set(slots.map(({ args }) => args["agentId"]));
    for (const { name, kind, id, inputs, declared } of engine.entries) {
      const isLeft = kind === "endpointAgent" && !paths.has(pathOf(name, declared)) && !agents.has(id);
      if (isLeft && inputs["onDestroy"] === "delete") this.#givenUp.add(id);
    }
  }

  /** Records which records the states know, and which records several resources know. */
  #noteKnown({ engine, settings: { adopt } }: Stack): void {
    const holders = new Map<string, number>();
    for (const stack of this.#stacks)
      for (const { kind, id } of stack.engine.entries) {
        const key = keyOf(kind, id);
        holders.set(key, (holders.get(key) ?? 0) + 1);
      }
    for (const [key, count] of holders) if (count > 1) this.#known.add(key);
    for (const { kind, id, declared } of engine.entries) {
      const key = keyOf(kind, id);
      if (declared.retainOnDelete) this.#retained.add(key);
      if (declared.args["adopt"] === true || adopt === "identical") this.#byHand.delete(key);
    }
  }

  #judge(stack: Stack, before: Map<string, Seen>): void {
    const now = this.service.records();
    const declared = new Set(stack.slots.map(({ name }) => name));
    const managers = new Map<string, Held[]>();
    for (const { engine } of this.#stacks) {
      for (const entry of engine.entries)
        managers.set(keyOf(entry.kind, entry.id), [...(managers.get(keyOf(entry.kind, entry.id)) ?? []), entry]);
    }
    for (const entry of stack.engine.state.values()) {
      const key = keyOf(entry.kind, entry.id);
      if (entry.pendingReplacement || isThere(now.get(key)) || this.#gone.has(key)) continue;
      // Lagging reads show a deleted record, which a resource may adopt. The refresh at the end of the life drops it.
      if (this.#lags && !isThere(before.get(key))) {
        this.tally.adoptedDead += 1;
        this.#gone.add(key);
        continue;
      }
      // After the other resource gave up a shared record, the remaining entry refers to nothing.
      if (!declared.has(entry.name) && this.#known.has(key)) continue;
      this.#wrong("lost", `${entry.name} says ${key}, which is not in the service`);
    }
    for (const [key, { kind, id }] of now) {
      if (kind === "endpointAgent" || managers.has(key) || this.#byHand.has(key) || this.#retained.has(key)) continue;
      // The message advises a remedy, and `drift` and `check` report the record until then.
      if (this.#named.has(id)) continue;
      this.#wrong("doubled", `${key} is in the service, and nothing stands for it (${id})`);
    }
    this.#judgeForeign(stack, before, now, managers);
  }

  #judgeForeign(stack: Stack, before: Map<string, Seen>, now: Map<string, Seen>, managers: Map<string, Held[]>): void {
    const others = this.#stacks.filter((other) => other !== stack).flatMap(({ engine }) => engine.entries);
    const ofOthers = new Set(others.map(({ kind, id }) => keyOf(kind, id)));
    for (const [key, { kind, body }] of before) {
      const isAgent = kind === "endpointAgent";
      if (isAgent) {
        const id = key.slice(kind.length + 1);
        if (isThere(before.get(key)) && !isThere(now.get(key)) && !this.#givenUp.has(id)) {
          this.#wrong("lost", `the agent ${id} was deleted, though the program did not give it up`);
        }
        continue;
      }
      if (!(this.#byHand.has(key) || ofOthers.has(key)) || this.#known.has(key)) continue;
      const after = now.get(key);
      if (!after && this.#gone.has(key)) continue;
      if (!after) this.#wrong("foreign", `${key}, which is not of this stack, was deleted`);
      else if (!sameValue(after.body, body)) this.#wrong("foreign", `${key}, which is not of this stack, was changed`);
    }
    for (const key of this.#byHand)
      if (managers.has(key)) this.#wrong("foreign", `${key}, created by hand, was adopted unasked`);
  }

  /** Service = state = program. */
  #judgeProgram(stack: Stack, now: Map<string, Seen>): void {
    const living = [...stack.engine.state.values()].filter(({ pendingReplacement }) => !pendingReplacement);
    const ids = living.map(({ kind, id }) => keyOf(kind, id));
    for (const [at, key] of ids.entries()) if (ids.indexOf(key) !== at) this.#wrong("shared", `two resources manage ${key}`);
    const names = (list: readonly string[]): string => list.toSorted().join(" ");
    const [declared, inState] = [names(stack.slots.map(({ name }) => name)), names(living.map(({ name }) => name))];
    if (declared !== inState) return this.#wrong("different", `declared ${declared}, in state ${inState}`);
    for (const slot of stack.slots) {
      const entry = living.find(({ name }) => name === slot.name);
      const seen = entry && now.get(keyOf(entry.kind, entry.id));
      // A missing record counts as lost, unless it was deleted outside of Pulumi, which an update does not check.
      if (!seen) continue;
      const name = slot.kind === "endpointAgent" ? "name" : records[slot.kind].nameProperty;
      const wanted = slot.kind === "endpointAgent" ? slot.args["agentName"] : slot.args[name];
      const { property } = inPlace(slot.kind);
      const properties: [string, unknown][] = [[name, wanted]];
      // An adoption compares with a read, which may show older values. The update at the end of the life finds the
      // difference.
      if (slot.kind !== "endpointAgent" && !this.#mayBeOlder(stack, seen)) properties.push([property, slot.args[property]]);
      for (const [member, value] of properties) {
        if (sameValue(seen.body[member], value)) continue;
        this.#wrong(
          "different",
          `${slot.name} has ${member} ${JSON.stringify(seen.body[member])}, declared ${JSON.stringify(value)}`,
        );
      }
    }
  }

  #mayBeOlder({ slots, settings: { adopt } }: Stack, { kind, id }: Seen): boolean {
    if (!this.#lags || this.#isSettled) return false;
    // A refresh may show an older value if the record was written under another name, because only that resource's state has
    // the time of the write.
    return adopt === "identical" || slots.some((slot) => slot.adopt) || this.#known.has(keyOf(kind, id));
  }

  #wrong(what: keyof Wrongs, text: string): void {
    this.tally.wrong[what].push(`seed ${this.seed}: ${text}\n  ${this.#done.join("\n  ")}`);
  }

  #newName(): string {
    this.#made += 1;
    return `r${this.#made}`;
  }

  #chance(share: number): boolean {
    return this.#dice() < share;
  }

  #below(n: number): number {
    return Math.floor(this.#dice() * n);
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }
}

/**
 * Whether a record can be retained. A retained record's replacement is created next to it, which a service with unique names
 * rejects.
 */
function canBeRetained(kind: SlotKind): boolean {
  return kind !== "endpointAgent" && kindCases[kind].isUnique !== true;
}

function toggle(slot: Slot, { property, from, to }: Toggle): void {
  slot.args = { ...slot.args, [property]: sameValue(slot.args[property], from) ? to : from };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

/** Whether an error is a bug. A message for users has no stack trace. */
function isBug(error: unknown): boolean {
  if (error instanceof Killed || !isObject(error)) return false;
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
