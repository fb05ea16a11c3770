/**
 * Random refactorings of a program of both fronts on the real engine: a sequence of changes, an `up` after each, and after
 * each `up` an independent comparison of the service's records with state and program. A second stack of the same program
 * runs in between.
 */
import { random } from "../../support/amount";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "../../../api";
import { Lifecycle } from "../../../provider/lifecycle";
import { records, type RecordKindName } from "../../../provider/registry";
import { Session } from "../../../provider/session";
import { compact, sameValue, stable } from "../../../provider/values";
import { nativeToken, providerString, typeToken } from "../../../sdk/token";
import { changeInPlace, changeThatReplaces, kindCases, recordKinds, type Toggle } from "../../support/kinds";
import type { Review } from "../../../plan/judge/review";
import { disagreements, type Observed, type Said, type StateEntry } from "./foreseen";
import type { Declared, Front, Program, Run, Stack } from "./stack";

type Values = Record<string, unknown>;
type SlotKind = RecordKindName | "endpointAgent";

/** A resource of the program under all its names. */
interface Slot {
  key: string;
  /** Name in the program. */
  name: string;
  kind: SlotKind;
  args: Values;
  parent?: string;
  adopt: boolean;
  retainOnDelete: boolean;
  /** Previous URNs, as `aliases`. */
  aliases: string[];
  /** Slots with the labels that this test uses. */
  labels: string[];
  front: Front;
  /** Name of its explicit provider, if it has one. */
  provider?: string | undefined;
}

/** Faults by type as text. Empty lists mean success. */
export interface Counts {
  sequences: number;
  ups: number;
  refused: number;
  lost: string[];
  doubled: string[];
  /** A record of another stack, or one created by hand, was changed or deleted. */
  foreign: string[];
  /** Two resources of the stack manage one record. */
  shared: string[];
  notAsDeclared: string[];
  unforeseen: string[];
  /** Differences between a review and its update. */
  disagreed: string[];
  /** Failures that no remedy resolves. */
  stuck: string[];
  /** Number of changes that were reviewed before their update. */
  reviewed: number;
  /** How often reviews made each statement about resources and records. */
  said: Said;
  /** How often each type of change was tried. */
  tried: Record<string, number>;
}

export function noCounts(): Counts {
  return {
    sequences: 0,
    ups: 0,
    refused: 0,
    lost: [],
    doubled: [],
    foreign: [],
    shared: [],
    notAsDeclared: [],
    unforeseen: [],
    disagreed: [],
    stuck: [],
    reviewed: 0,
    said: {},
    tried: {},
  };
}

/** Number of sequences that share a program. */
const lanesOfARun = 30;
const agentsOfASequence = 5;
const secondStack = "second";

const previewWords = ["--json", "--show-sames", "--show-replacement-steps"];

/** Explicit providers of a resource. undefined means the front's default provider. */
const providers = [undefined, undefined, "east"];
/** Key of the failing resource of a sequence. */
const failing = "failing";

const refersToLabels = (kind: RecordKindName): boolean => Object.values(records[kind].refersTo).includes("label");
const classOf = (kind: SlotKind): string => (kind === "endpointAgent" ? "EndpointAgent" : kindCases[kind].className);

/** Returns a property of a type that changes in place, with two values. */
const inPlace = (kind: SlotKind): Toggle =>
  kind === "endpointAgent" ? { property: "licenseType", from: "advantage", to: "essentials" } : changeInPlace(kind);
/** Returns a property that replaces. A type with none except its account group changes in place. */
const replacing = (kind: SlotKind): Toggle =>
  (kind === "endpointAgent" ? undefined : changeThatReplaces(kind)) ?? inPlace(kind);

/** A sequence's part of the program before a change, to restore it. */
interface Kept {
  slots: Slot[];
  agents: string[];
}

/** One sequence: its part of the program, known facts about the service, and its random numbers. */
class Sequence {
  readonly #dice: () => number;
  #slots: Slot[] = [];
  #made = 0;
  /** Records created by hand, which no resource manages and which must stay. */
  readonly foreign = new Set<string>();
  /** Records that may or may not exist, because the engine retained them in one of two steps. */
  readonly tolerated = new Set<string>();
  /** Records that were deleted outside of Pulumi. */
  readonly deleted = new Set<string>();
  /** Agents that left the program with `onDestroy: "delete"`. */
  readonly givenUp = new Set<string>();
  #agents: string[];
  /** Flags of the next `up` for this sequence. */
  flags: string[] = [];
  /** Settings that the sequence requests for the stack. */
  settings: Record<string, string | null> = {};

  constructor(
    private readonly stack: Stack,
    readonly seed: number,
    agents: readonly string[],
  ) {
    this.#dice = random(seed);
    this.#agents = [...agents];
    const size = 3 + this.#below(6);
    for (let i = 0; i < size; i += 1) this.#addSlot();
  }

  get slots(): readonly Slot[] {
    return this.#slots;
  }

  keep(): Kept {
    return structuredClone({ slots: this.#slots, agents: this.#agents });
  }

  takeBack(kept: Kept): void {
    ({ slots: this.#slots, agents: this.#agents } = structuredClone(kept));
  }

  /** Whether the next `up` continues after a failed resource of this sequence. */
  goesOn = true;

  /** Removes a resource that the service rejects. @returns whether there was one */
  dropFailing(): boolean {
    const before = this.#slots.length;
    this.#slots = this.#slots.filter(({ key }) => key !== failing);
    return this.#slots.length < before;
  }

  /** Gives up all resources, as a destroy does. */
  giveUpAll(): void {
    for (const slot of this.#slots) this.#giveUp(slot);
  }

  /** Runs a user's steps after a failure: reverts the change, or follows the message's advice. */
  afterRefusal(kept: Kept): void {
    if (this.#dice() < 0.4) this.takeBack(kept);
    else for (const slot of this.#slots) slot.adopt = slot.kind !== "endpointAgent";
  }

  #below(n: number): number {
    return Math.floor(this.#dice() * n);
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }

  #newName(): string {
    this.#made += 1;
    return `s${this.seed}-${this.#made}`;
  }

  #addSlot(kind: SlotKind = this.#anyKind()): Slot | undefined {
    const name = this.#newName();
    const args = this.#argsOf(kind, name);
    if (args === undefined) return undefined;
    const labels = this.#slots.filter((slot) => slot.kind === "label").map(({ key }) => key);
    const refers = kind !== "endpointAgent" && refersToLabels(kind) && labels.length > 0 && this.#dice() < 0.3;
    const slot: Slot = {
      key: name,
      name,
      kind,
      args,
      adopt: false,
      retainOnDelete: this.#dice() < 0.1,
      aliases: [],
      labels: refers ? [this.#pick(labels) ?? ""] : [],
      front: this.#pick(["dynamic", "native"] as const) ?? "dynamic",
      provider: this.#pick(providers),
    };
    this.#slots.push(slot);
    return slot;
  }

  #anyKind(): SlotKind {
    return this.#dice() < 0.12 && this.#agents.length > 0 ? "endpointAgent" : (this.#pick(recordKinds) ?? "label");
  }

  #argsOf(kind: SlotKind, name: string): Values | undefined {
    if (kind === "endpointAgent") {
      const agentId = this.#agents.pop();
      const onDestroy = this.#pick(["forget", "delete"]);
      return agentId === undefined ? undefined : { agentId, agentName: `Agent ${name}`, onDestroy };
    }
    const { property, from } = inPlace(kind);
    return { ...kindCases[kind].minimal, [records[kind].nameProperty]: `Record ${name}`, [property]: from };
  }

  /** Changes the program, the settings, the state or the service in one way. @returns a description */
  async change(): Promise<string> {
    const slot = this.#pick(this.#slots);
    if (!slot) {
      this.#addSlot();
      return "add";
    }
    const urn = this.#urnOf(slot);
    const changes: [number, string, () => unknown][] = [
      [3, "rename with alias", () => this.#rename(slot, urn)],
      [5, "rename without alias", () => this.#rename(slot, undefined)],
      [4, "rename without alias, adopt", () => ((slot.adopt = slot.kind !== "endpointAgent"), this.#rename(slot, undefined))],
      [2, "move with alias", () => this.#move(slot, urn)],
      [3, "move without alias", () => this.#move(slot, undefined)],
      [3, "move without alias, adopt", () => ((slot.adopt = slot.kind !== "endpointAgent"), this.#move(slot, undefined))],
      [2, "adopt on or off", () => (slot.adopt = slot.kind !== "endpointAgent" && !slot.adopt)],
      [2, "adopt: identical on", () => (this.settings = { adopt: "identical" })],
      [1, "adopt: identical off", () => (this.settings = { adopt: null })],
      [4, "--replace", () => urn && (this.flags = ["--replace", urn])],
      [3, "taint", () => urn && this.stack.run("state", "taint", urn, "--yes")],
      [3, "--target", () => this.#target(slot, urn)],
      [1, "retainOnDelete", () => (slot.retainOnDelete = !slot.retainOnDelete)],
      [3, "remove", () => this.#remove(slot)],
      [2, "add", () => this.#addSlot()],
      [2, "delete behind the back", () => this.#deleteBehind(slot)],
      [2, "create-first", () => (this.settings = { replaceOrder: "create-first" })],
      [1, "delete-first", () => (this.settings = { replaceOrder: null })],
      [3, "change in place", () => this.#toggle(slot, inPlace(slot.kind))],
      [3, "change that replaces", () => this.#toggle(slot, replacing(slot.kind))],
      [2, "adopt what was made by hand", () => this.#adoptForeign()],
      [2, "import, then change", () => this.#import()],
      [2, "other front", () => otherFront(slot)],
      [2, "other front, rename with alias", () => (otherFront(slot), this.#rename(slot, urn))],
      [4, "other front, rename without alias, adopt", () => (otherFront(slot), this.#renameAdopting(slot))],
      [2, "other provider", () => this.#otherProvider(slot)],
      [4, "other provider, rename without alias, adopt", () => (this.#otherProvider(slot), this.#renameAdopting(slot))],
      [2, "all to the other front", () => this.#slots.forEach(otherFront)],
      [
        4,
        "all to the other front, renamed, adopt",
        () => this.#slots.forEach((one) => (otherFront(one), this.#renameAdopting(one))),
      ],
      [3, "another agent", () => this.#otherAgent()],
      [
        3,
        "beside a resource that fails: change that replaces",
        () => (this.#addFailing(), this.#toggle(slot, replacing(slot.kind))),
      ],
      [3, "beside a resource that fails: rename without alias, adopt", () => (this.#addFailing(), this.#renameAdopting(slot))],
      [3, "beside a resource that fails: another agent", () => (this.#addFailing(), this.#otherAgent())],
    ];
    let at = this.#dice() * changes.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, what, apply] of changes) {
      at -= weight;
      if (at >= 0) continue;
      await apply();
      // Users often make two changes at once.
      if (this.#dice() < 0.2) this.#toggle(slot, inPlace(slot.kind));
      return what;
    }
    return "nothing";
  }

  #rename(slot: Slot, alias: string | undefined): void {
    slot.name = this.#newName();
    if (alias !== undefined) slot.aliases.push(alias);
  }

  #renameAdopting(slot: Slot): void {
    slot.adopt = slot.kind !== "endpointAgent";
    this.#rename(slot, undefined);
  }

  #otherProvider(slot: Slot): void {
    slot.provider = slot.provider === undefined ? "east" : undefined;
  }

  /** Declares another agent for a resource. The previous one leaves the state, whatever `onDestroy` is. */
  #otherAgent(): void {
    const slot = this.#pick(this.#slots.filter(({ kind }) => kind === "endpointAgent")) ?? this.#addSlot("endpointAgent");
    const agentId = this.#agents.pop();
    if (slot && agentId !== undefined) slot.args = { ...slot.args, agentId };
  }

  /** Adds a resource that the service rejects because its label does not exist. The `up` ends there, or continues. */
  #addFailing(): void {
    const slot = this.#addSlot("agentToServerTest");
    if (!slot) return;
    slot.key = failing;
    slot.labels = [];
    slot.args = { ...slot.args, agentSelectorType: "agent-labels", endpointAgentLabels: ["4711"] };
    this.goesOn = this.#dice() < 0.5;
  }

  #giveUp({ kind, args }: Slot): void {
    if (kind === "endpointAgent" && args["onDestroy"] === "delete") this.givenUp.add(String(args["agentId"]));
  }

  #move(slot: Slot, alias: string | undefined): void {
    slot.parent = slot.parent === undefined ? (this.#pick(["group-a", "group-b"]) ?? "") : undefined;
    if (alias !== undefined) slot.aliases.push(alias);
  }

  #remove(slot: Slot): void {
    this.#slots = this.#slots.filter((one) => one !== slot);
    for (const other of this.#slots) other.labels = other.labels.filter((key) => key !== slot.key);
    this.#giveUp(slot);
    if (slot.kind === "endpointAgent" && slot.args["onDestroy"] !== "delete") this.#agents.push(String(slot.args["agentId"]));
  }

  #toggle(slot: Slot, { property, from, to }: Toggle): void {
    slot.args = { ...slot.args, [property]: sameValue(slot.args[property], from) ? to : from };
  }

  /** Targets a resource together with another change of the program. */
  #target(slot: Slot, urn: string | undefined): void {
    if (urn === undefined) return;
    const other = this.#pick(this.#slots);
    if (other) this.#toggle(other, inPlace(other.kind));
    if (this.#dice() < 0.5) {
      // Only the new name is targeted, so the old resource with the same record stays in state for now.
      slot.adopt = slot.kind !== "endpointAgent";
      this.#rename(slot, undefined);
      this.flags = ["--target", `**::${slot.name}`];
    } else this.flags = ["--target", urn];
  }

  async #deleteBehind(slot: Slot): Promise<void> {
    const entry = entryOf(slot, stateOf(this.stack));
    if (slot.kind === "endpointAgent" || !entry) return;
    const { path } = kindCases[slot.kind];
    await this.stack.api("DELETE", `${path}/${entry.id}`).catch(() => undefined);
    this.deleted.add(entry.id);
    // A user who learns of the deletion runs a refresh.
    if (this.#dice() < 0.7) await this.stack.run("refresh", "--yes", "--skip-preview", "--suppress-progress");
  }

  /** Creates a record by hand. @returns its kind, name, arguments and id */
  async #makeForeign(): Promise<{ slot: Slot; id: string } | undefined> {
    const kind = this.#pick(recordKinds) ?? "label";
    const slot = this.#addSlot(kind);
    if (!slot) return undefined;
    slot.labels = [];
    const id = await this.stack.make(kind, slot.args);
    this.foreign.add(id);
    return { slot, id };
  }

  async #adoptForeign(): Promise<void> {
    const made = await this.#makeForeign();
    if (made) made.slot.adopt = true;
  }

  /** Imports a record that was created by hand, as `pulumi import --file` does, and changes it in the program. */
  async #import(): Promise<void> {
    const made = await this.#makeForeign();
    if (!made) return;
    const { slot, id } = made;
    const kind = records[slot.kind as RecordKindName];
    const settings = { baseUrl: this.stack.emulator.url, token: "emulator-token" } as Record<string, string>;
    const session = new Session(readSettings((name) => settings[name]));
    const found = await new Lifecycle(kind, session).read(id, {});
    await session.client.close();
    if (!found) throw new Error(`${id} has just been made`);
    const carried = (values: Values): Values => ({ ...compact(values), __provider: providerString(kind.name) });
    // The plugin reads records that the engine imports. The engine cannot call a dynamic provider for an import.
    const state = { inputs: carried(found.inputs), outputs: carried(found.state) };
    const entry =
      slot.front === "native"
        ? { type: nativeToken(kind.name), name: slot.name, id }
        : { type: typeToken(kind.name), name: slot.name, id, ...state };
    writeFileSync(join(this.stack.folder, "import.json"), JSON.stringify({ resources: [entry] }));
    await this.stack.must(
      "import",
      "--file",
      "import.json",
      "--generate-code=false",
      "--yes",
      "--protect=false",
      "--skip-preview",
    );
    this.#toggle(slot, inPlace(slot.kind));
  }

  program(): Program {
    const names = new Map(this.#slots.map(({ key, name }) => [key, name]));
    const labelsFirst = this.#slots.toSorted((a, b) => Number(b.kind === "label") - Number(a.kind === "label"));
    return Object.fromEntries(
      labelsFirst.map((slot): [string, Declared] => {
        const { name, kind, args, parent, adopt, aliases, labels, retainOnDelete, front, provider } = slot;
        const selection =
          labels.length > 0
            ? { agentSelectorType: "agent-labels", endpointAgentLabels: labels.map((key) => ({ $id: names.get(key) })) }
            : {};
        const options = { parent, ...(aliases.length > 0 && { aliases }), ...(retainOnDelete && { retainOnDelete }) };
        const given = { ...args, ...selection, ...(adopt && { adopt }) };
        return [name, { kind: classOf(kind), args: given, options, front, provider }];
      }),
    );
  }

  #urnOf(slot: Slot): string | undefined {
    return entryOf(slot, stateOf(this.stack))?.urn;
  }

  /** Returns the id of a slot in a state, under its current or previous name. */
  idOf(slot: Slot, state: readonly StateEntry[]): string | undefined {
    const former = state.find(({ urn }) => urn === slot.aliases.at(-1));
    return (entryOf(slot, state) ?? former)?.id;
  }
}

function otherFront(slot: Slot): void {
  slot.front = slot.front === "dynamic" ? "native" : "dynamic";
}

function entryOf({ name }: Slot, state: readonly StateEntry[]): StateEntry | undefined {
  return state.find(({ urn, delete: isDeleted }) => urn.endsWith(`::${name}`) && !isDeleted);
}

/** Returns our resources in the state of a stack. */
function stateOf(stack: Stack, name = "dev"): StateEntry[] {
  const file = join(stack.folder, `backend/.pulumi/stacks/test/${name}.json`);
  const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as { checkpoint: { latest?: { resources?: StateEntry[] } } };
  return (checkpoint.latest?.resources ?? []).filter(({ type }) => type.includes("endpoint-monitoring:"));
}

/** Sequences in one program: an `up` is a step of all of them. */
class Lanes {
  /** Whether the last `up` left a part of the program undone, so that state and program may differ. */
  #partial = false;

  constructor(
    private readonly stack: Stack,
    private readonly lanes: readonly Sequence[],
    /** The initial agents. */
    private readonly agents: readonly string[],
    private readonly counts: Counts,
  ) {}

  async run(steps: number): Promise<void> {
    await this.#up(this.lanes.map(() => "create all"));
    for (let step = 0; step < steps; step += 1) {
      const kept = this.lanes.map((lane) => lane.keep());
      const what: string[] = [];
      for (const lane of this.lanes) what.push(await lane.change());
      for (const change of what) this.counts.tried[change] = (this.counts.tried[change] ?? 0) + 1;
      for (const { settings } of this.lanes) this.stack.configure(settings);
      const refused = await this.#up(what);
      if (refused.size > 0) await this.#afterRefusal(what, kept, refused);
      if (step === 0) await this.#secondStack();
    }
    await this.#end();
  }

  async #afterRefusal(what: readonly string[], kept: readonly Kept[], refused: ReadonlySet<Sequence>): Promise<void> {
    const after = (how: string): string[] => what.map((change) => `${how} after ${change}`);
    // The next update completes an update with a failed resource, and runs pending deletions.
    const isFailing = this.lanes.map((lane) => lane.dropFailing());
    const left = isFailing.includes(true) ? await this.#up(after("without what fails")) : refused;
    if (left.size === 0) return;
    this.lanes.forEach((lane, i) => kept[i] && left.has(lane) && lane.afterRefusal(kept[i]));
    let still = await this.#up(after("taken back or adopted"));
    if (still.size > 0) {
      // Only a refresh finds records that were deleted outside of Pulumi.
      await this.stack.run("refresh", "--yes", "--skip-preview", "--suppress-progress");
      this.lanes.forEach((lane, i) => kept[i] && still.has(lane) && lane.takeBack(kept[i]));
      still = await this.#up(after("refreshed and taken back"));
    }
    if (still.size > 0) {
      // A tainted resource stays tainted, and the error recommends to delete first.
      this.stack.configure({ replaceOrder: null });
      still = await this.#up(after("deleted first, as advised"));
    }
    for (const { seed } of still)
      this.counts.stuck.push(`seed ${seed}: ${what[this.lanes.findIndex((lane) => lane.seed === seed)]}`);
  }

  async #end(): Promise<void> {
    const state = stateOf(this.stack);
    for (const lane of this.lanes) {
      lane.giveUpAll();
      for (const { id, retainOnDelete } of state) if (retainOnDelete) lane.tolerated.add(id);
    }
    const run = await this.stack.run("destroy", "--yes", "--skip-preview", "--suppress-progress");
    if (run.code !== 0) this.counts.stuck.push(`destroy of ${this.#seeds}: ${run.text}`);
    await this.#count(`destroy of ${this.#seeds}`, run);
    this.stack.configure({ adopt: null, replaceOrder: null });
  }

  get #seeds(): string {
    return `seeds ${this.lanes.map(({ seed }) => seed).join(", ")}`;
  }

  /** @returns the sequences with a rejected resource */
  async #up(what: readonly string[]): Promise<Set<Sequence>> {
    this.stack.declare(Object.assign({}, ...this.lanes.map((lane) => lane.program())) as Program);
    const state = stateOf(this.stack);
    const before = new Map(this.lanes.flatMap((lane) => lane.slots.map((slot) => [slot.key, lane.idOf(slot, state)])));
    for (const lane of this.lanes) for (const { id, retainOnDelete } of state) if (retainOnDelete) lane.tolerated.add(id);
    const targeted = this.lanes.some(({ flags }) => flags.includes("--target"));
    // If one sequence names its targets, the others name all their resources.
    const flags = this.lanes.flatMap((lane) =>
      targeted && !lane.flags.includes("--target") ? [...lane.flags, "--target", `**::s${lane.seed}-*`] : lane.flags,
    );
    for (const lane of this.lanes) lane.flags = [];
    const goesOn = this.lanes.every((lane) => lane.goesOn) ? ["--continue-on-error"] : [];
    for (const lane of this.lanes) lane.goesOn = true;
    const review = await this.#review(flags);
    const observed = await this.#observed();
    const run = await this.stack.run("up", "--yes", "--skip-preview", "--suppress-progress", ...flags, ...goesOn);
    const wrong = review
      ? disagreements(review, observed, await this.#observed(), { isDone: run.code === 0, targeted }, this.counts.said)
      : run.code === 0
        ? ["the preview failed, and the update did not"]
        : [];
    this.counts.reviewed += this.lanes.length;
    this.counts.disagreed.push(
      ...wrong.map((one) => `${what.join("; ")} (${flags.join(" ")}: exit ${run.code}), ${this.#seeds}: ${one}\n${run.text}`),
    );
    this.counts.ups += 1;
    const failed = new Set([...run.text.matchAll(/\bs(\d+)-\d+ \*\*[\w -]*failed\*\*/g)].map(([, seed]) => Number(seed)));
    const refused = new Set(this.lanes.filter(({ seed }) => failed.has(seed)));
    if (run.code !== 0 && refused.size === 0) this.lanes.forEach((lane) => refused.add(lane));
    this.counts.refused += refused.size;
    await this.#count(what.join("; "), run);
    this.#partial = run.code !== 0 || targeted;
    const living = stateOf(this.stack).filter((entry) => !entry.delete);
    for (const [i, lane] of this.lanes.entries()) {
      const where = `seed ${lane.seed}, ${what[i]} (exit ${run.code})`;
      if (review) this.#foresaw(where, lane, living, before, review);
      if (!this.#partial) await this.#asProgram(where, lane, living);
    }
    return refused;
  }

  /** Reviews the current program. @returns undefined if the preview fails */
  async #review(flags: readonly string[]): Promise<Review | undefined> {
    const file = join(this.stack.folder, "preview.json");
    // The command accepts no flags of an update, so it gets the engine's preview with them.
    const preview = flags.length > 0 ? await this.stack.run("preview", ...previewWords, ...flags) : undefined;
    if (preview) writeFileSync(file, preview.stdout);
    const { stdout } = await this.stack.cli("review", "--json", ...(preview ? ["--preview", file] : []));
    return (JSON.parse(stdout) as { data?: Review }).data;
  }

  async #observed(): Promise<Observed> {
    const answer = await this.stack.api("GET", "/v7/endpoint/agents?max=1000");
    const { agents } = (await answer.json()) as { agents: Values[] };
    const shown = agents.map(
      ({ id, name, licenseType, status, aid }) => [String(id), stable({ name, licenseType, status, aid })] as const,
    );
    return { state: stateOf(this.stack), records: new Map([...(await this.#records()), ...shown]) };
  }

  /** Compares the service's records with the state independently. */
  async #count(where: string, run: Run): Promise<void> {
    const told = `${where} (exit ${run.code}), ${this.#seeds}`;
    const inService = new Set<string>();
    for (const kind of recordKinds) for (const id of await this.stack.ids(kindCases[kind].collection)) inService.add(id);
    const ofRecords = stateOf(this.stack).filter(({ type }) => !type.endsWith(":EndpointAgent"));
    const inState = new Set(ofRecords.map(({ id }) => id));
    const known = (of: "foreign" | "tolerated" | "deleted", id: string): boolean => this.lanes.some((lane) => lane[of].has(id));
    for (const lane of this.lanes) for (const id of inState) lane.foreign.delete(id);
    for (const { id, urn, pendingReplacement } of ofRecords) {
      if (inService.has(id) || known("deleted", id) || pendingReplacement) continue;
      this.counts.lost.push(`${told}: ${urn} says ${id}, which is not in the service\n${run.text}`);
    }
    for (const id of this.lanes.flatMap(({ foreign }) => [...foreign])) {
      if (!inService.has(id)) this.counts.foreign.push(`${told}: ${id}, made by hand, has been deleted\n${run.text}`);
    }
    for (const id of inService) {
      if (inState.has(id) || known("foreign", id) || known("tolerated", id)) continue;
      this.counts.doubled.push(`${told}: ${id} is in the service, and nothing stands for it\n${run.text}`);
    }
    const living = new Set(await agentsOf(this.stack));
    const givenUp = new Set(this.lanes.flatMap((lane) => [...lane.givenUp]));
    for (const id of this.agents) {
      if (!living.has(id) && !givenUp.has(id)) this.counts.lost.push(`${told}: the agent ${id} was deleted\n${run.text}`);
    }
  }

  /** Runs the same program as a second stack, without adoption of other records, and destroys it. */
  async #secondStack(): Promise<void> {
    const where = `second stack beside ${this.#seeds}`;
    const before = await this.#records();
    const copies = this.lanes
      .flatMap((lane) => Object.entries(lane.program()))
      .filter(([, { kind }]) => kind !== "EndpointAgent");
    const program = copies.map(([name, { args, options, ...rest }]): [string, Declared] => {
      const { adopt: _, ...given } = args as Values;
      return [name, { ...rest, args: given, options: { parent: (options as Values)["parent"] } }];
    });
    this.stack.declare(Object.fromEntries(program));
    this.stack.select(secondStack);
    const words = ["--yes", "--skip-preview", "--suppress-progress"];
    const up = await this.stack.run("up", "--continue-on-error", ...words);
    const destroyed = await this.stack.run("destroy", ...words);
    this.stack.select("dev");
    if (destroyed.code !== 0 || stateOf(this.stack, secondStack).length > 0) {
      this.counts.stuck.push(`${where}: ${destroyed.text}`);
    }
    const after = await this.#records();
    for (const [id, body] of before) {
      if (after.get(id) !== body) this.counts.foreign.push(`${where}: ${id} is another, or gone\n${up.text}${destroyed.text}`);
    }
    for (const id of after.keys()) if (!before.has(id)) this.counts.doubled.push(`${where}: ${id} is left\n${up.text}`);
  }

  /** Returns all records of the service by id, each as text without times. */
  async #records(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const kind of recordKinds) {
      const { collection } = kindCases[kind];
      for (const id of await this.stack.ids(collection)) {
        const { modifiedDate: _, ...body } = await this.stack.stored(collection, id);
        found.set(id, stable(body));
      }
    }
    return found;
  }

  /** Checks that a resource, even under another name, has a new id only if the preview reported it. */
  #foresaw(
    where: string,
    lane: Sequence,
    living: readonly StateEntry[],
    before: ReadonlyMap<string, string | undefined>,
    review: Review,
  ): void {
    for (const slot of lane.slots) {
      const [entry, id] = [entryOf(slot, living), before.get(slot.key)];
      if (!entry || id === undefined || entry.id === id || lane.deleted.has(id)) continue;
      const ops = review.resources.filter(({ name }) => name === slot.name).map(({ op }) => op);
      if (ops.some((op) => op === "replace" || op === "create" || op === "adopt")) continue;
      this.counts.unforeseen.push(`${where}: ${slot.name} has ${entry.id} instead of ${id}, reviewed as ${ops.join(", ")}`);
    }
  }

  /** Checks that state and program agree, and that the service's records are as declared. */
  async #asProgram(where: string, lane: Sequence, living: readonly StateEntry[]): Promise<void> {
    const own = living.filter(({ urn }) => urn.includes(`::s${lane.seed}-`));
    const names = (list: readonly string[]): string => list.toSorted().join(" ");
    const [declared, held] = [
      names(lane.slots.map(({ name }) => name)),
      names(own.map(({ urn }) => urn.split("::").at(-1) ?? "")),
    ];
    if (declared !== held) this.counts.notAsDeclared.push(`${where}: declared ${declared}, in state ${held}`);
    const ids = own.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) this.counts.shared.push(`${where}: two resources stand for one of ${names(ids)}`);
    for (const slot of lane.slots) {
      const entry = entryOf(slot, own);
      if (!entry || slot.kind === "endpointAgent") continue;
      const { collection } = kindCases[slot.kind];
      // A missing record counts as lost.
      if (!(await this.stack.ids(collection)).includes(entry.id)) continue;
      const stored = await this.stack.stored(collection, entry.id);
      for (const name of [inPlace(slot.kind).property, records[slot.kind].nameProperty]) {
        if (sameValue(stored[name], slot.args[name])) continue;
        const [is, said] = [JSON.stringify(stored[name]), JSON.stringify(slot.args[name])];
        this.counts.notAsDeclared.push(`${where}: ${slot.name} has ${name} ${is}, declared ${said}`);
      }
    }
  }
}

/** Returns the ids of existing agents. */
async function agentsOf(stack: Stack): Promise<string[]> {
  const answer = await stack.api("GET", "/v7/endpoint/agents?max=1000");
  const { agents } = (await answer.json()) as { agents: { id: string }[] };
  return agents.map(({ id }) => id);
}

/** Runs several sequences on one stack. Each begins with an empty service. */
export async function refactor(stack: Stack, seeds: readonly number[], steps: number, counts: Counts): Promise<void> {
  // The program has classes of both fronts.
  stack.take("native");
  await stack.add(secondStack);
  for (let from = 0; from < seeds.length; from += lanesOfARun) {
    const some = seeds.slice(from, from + lanesOfARun);
    const agents = await agentsOf(stack);
    const share = Math.min(agentsOfASequence, Math.floor(agents.length / some.length));
    const lanes = some.map((seed, i) => new Sequence(stack, seed, agents.slice(i * share, (i + 1) * share)));
    await new Lanes(stack, lanes, agents, counts).run(steps);
    counts.sequences += lanes.length;
    for (const kind of recordKinds) {
      const { collection, path } = kindCases[kind];
      for (const id of await stack.ids(collection)) await stack.api("DELETE", `${path}/${id}`);
    }
  }
}
