/** One process under load for a given time: at the end it uses no more memory than soon after its start. Linux only. */
import { setTimeout as sleep } from "node:timers/promises";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { startEmulator } from "../../../tools/bench/emulator-process";
import { type InUse, measuringItself, memoryOf } from "../../../tools/bench/processes";
import { openProvider, type ProviderProcess } from "../../../tools/bench/provider-process";
import { start } from "../../../emulator";
import type { RecordKindName } from "../../../provider/registry";
import type { Properties } from "../../../provider/values";
import { nativeToken, providerString, typeToken } from "../../../sdk/token";
import { opened } from "../../provider/bench";
import { kindCases, recordKinds } from "../../support/kinds";
import { plain } from "../../support/plugin";
import type { Outcome, Row } from "../row";
import { providerOf } from "./provider";

type Front = "dynamic" | "native";

/** A process under load. */
interface Subject {
  readonly pid: number;
  /** Runs a part of the load. */
  round(): Promise<void>;
  inUse(): Promise<InUse>;
  end(): Promise<void>;
}

/** Megabytes of a process at a fraction of the time, from 0 to 1. */
export interface Sample {
  readonly at: number;
  /** In use, without garbage. */
  readonly inUse: number;
  /** All memory of the process. Node returns little of it, so it does not indicate a leak. */
  readonly held: number;
}

/** Shorter runs do not evaluate memory, because a process must be warm by their first sixth. */
const leastMinutes = 60;
/** Number of errors after which a run ends. */
const maxErrors = 20;
/** Milliseconds between two rounds, because speed is not the subject. */
const pauseMs = 20;
/** Fraction of the time between two samples. */
const sampleEvery = 1 / 120;
/**
 * Milliseconds between two creates of a record of one type. A provider process keeps some kilobytes for each created
 * record until its operation ends.
 */
const createEveryMs = 60_000;

export const rows: readonly Row[] = [
  soakOf("dynamic resources", () => frontUnderWork("dynamic")),
  soakOf("the native plugin", () => frontUnderWork("native")),
  soakOf("the emulator", emulatorUnderWork),
];

/**
 * A soak: one process works for an hour on records of all types. Its used memory grows at most 10 % after the first sixth of
 * the time, and no call fails. A case is a minute.
 */
function soakOf(name: string, begin: () => Promise<Subject>): Row {
  return {
    name: `soak of ${name}`,
    atLeast: 60,
    batch: Infinity,
    isOnDemand: true,
    run: ({ seed, count, progress }) => soak(begin, count, seed, progress),
  };
}

async function soak(
  begin: () => Promise<Subject>,
  minutes: number,
  seed: number,
  progress: (minutes: number) => void,
): Promise<Outcome> {
  const subject = await begin();
  const [started, whole] = [performance.now(), minutes * 60_000];
  const samples: Sample[] = [];
  const errors: string[] = [];
  let rounds = 0;
  try {
    for (let at = 0; at < 1 && errors.length < maxErrors; at = (performance.now() - started) / whole) {
      rounds += 1;
      await subject.round().catch((error: unknown) => errors.push(`round ${rounds}: ${String(error)}`));
      if (at >= (samples.at(-1)?.at ?? -1) + sampleEvery) {
        const { heap, external } = await subject.inUse();
        samples.push({ at, inUse: heap + external, held: memoryOf(subject.pid).now });
      }
      progress(Math.floor(at * minutes));
      await sleep(pauseMs);
    }
  } finally {
    await subject.end();
  }
  const wrong = [...errors, ...(minutes < leastMinutes ? [] : growthIn(samples))];
  const { early, late } = comparedIn(samples);
  const notes = [
    `${rounds} rounds. After a sixth of the time it had ${early.inUse} MB in use of ${early.held}, at the end ${late.inUse} of ${late.held}`,
  ];
  return { tried: minutes, reported: 0, wrong: wrong.map((what) => ({ seed, what })), notes: samples.length < 60 ? [] : notes };
}

/** Returns the faults of a process's memory. */
export function growthIn(samples: readonly Sample[]): string[] {
  const { early, late } = comparedIn(samples);
  if (late.inUse <= 1.1 * early.inUse) return [];
  return [`it had ${late.inUse} MB in use at the end, and ${early.inUse} MB after a sixth of the time`];
}

/**
 * Returns the samples after a sixth of the time, and at the end: the medians of a twelfth of the time, in tenths of
 * megabytes.
 */
function comparedIn(samples: readonly Sample[]): Record<"early" | "late", Omit<Sample, "at">> {
  const from = (begin: number): Omit<Sample, "at"> => {
    const sixth = samples.filter(({ at }) => at >= begin && at < begin + 1 / 12);
    const median = (member: "inUse" | "held"): number => {
      const sorted = sixth.map((sample) => sample[member]).toSorted((a, b) => a - b);
      return Math.round((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) * 10) / 10;
    };
    return { inUse: median("inUse"), held: median("held") };
  };
  return { early: from(1 / 6), late: from(11 / 12) };
}

async function frontUnderWork(front: Front): Promise<Subject> {
  const emulator = await start({ rateLimit: "off", agents: 50 });
  const provider = await openProvider(front, emulator.url, measuringItself);
  return {
    pid: provider.pid,
    round: workOn(provider, front, emulator.url, createEveryMs),
    inUse: provider.inUse,
    end: async () => {
      await provider.end();
      await emulator.close();
    },
  };
}

async function emulatorUnderWork(): Promise<Subject> {
  const emulator = await startEmulator("--agents", "500");
  const provider = await openProvider("native", emulator.url);
  const headers = { authorization: `Bearer ${emulator.token}` };
  const paths = ["/v7/endpoint/agents?max=100", "/v7/endpoint/tests/scheduled-tests", "/v7/endpoint/labels", "/"];
  const work = workOn(provider, "native", emulator.url, 0);
  return {
    pid: emulator.pid,
    round: async () => {
      await work();
      for (const path of paths) {
        const response = await fetch(emulator.url + path, { headers });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`);
      }
    },
    inUse: () => emulator.inUse(),
    end: async () => {
      await provider.end();
      await emulator.end();
    },
  };
}

/** @returns a function that changes records of each type concurrently */
function workOn(provider: ProviderProcess, front: Front, url: string, everyMs: number): () => Promise<void> {
  const lives = recordKinds.map((kind) => lifeOf(provider, front, url, kind));
  let createdAt = -Infinity;
  return async () => {
    await Promise.all(lives.map((life) => life.change()));
    if (performance.now() < createdAt + everyMs) return;
    createdAt = performance.now();
    await Promise.all(lives.map((life) => life.createAndDelete()));
  };
}

/**
 * Returns the load of one type. A process is one operation of the engine, which does not delete its own records, so another
 * operation does.
 */
function lifeOf(
  { call }: ProviderProcess,
  front: Front,
  url: string,
  kind: RecordKindName,
): { change(): Promise<void>; createAndDelete(): Promise<void> } {
  const { className, full, minimal, changes } = kindCases[kind];
  const type = front === "native" ? nativeToken(className) : typeToken(className);
  const providerInput = front === "native" ? {} : { __provider: providerString(className) };
  const named = (name: string): Properties => ({ Urn: `urn:pulumi:dev::soak::${type}::${name}`, Type: type });
  const check = async (name: string, oldInputs: Properties, declared: Properties): Promise<Properties> => {
    const members = { ...named(name), Olds: oldInputs, News: { ...declared, ...providerInput } };
    const answer = await call<messages.CheckResponse>("check", new messages.CheckRequest(), members);
    const failures = answer.getFailuresList().map((failure) => failure.getReason());
    if (failures.length > 0) throw new Error(`${className}: ${failures.join()}`);
    const inputs = plain(answer.getInputs());
    return front === "native" ? inputs : opened(inputs);
  };
  const read = async (name: string, id: unknown, state: Properties, inputs: Properties): Promise<Properties> => {
    const members = { ...named(name), Id: id, Properties: { ...state, ...providerInput }, Inputs: inputs };
    const answer = await call<messages.ReadResponse>("read", new messages.ReadRequest(), members);
    if (answer.getId() !== id) throw new Error(`${className} ${String(id)} was read as "${answer.getId()}"`);
    return plain(answer.getProperties());
  };
  /** Creates a record in an earlier operation. */
  const createBefore = async (name: string, declared: Properties) => {
    const inputs = await check(name, {}, declared);
    const { id, outs } = await providerOf(kind, url).create(opened(inputs));
    return { id, inputs, state: await read(name, id, outs, inputs) };
  };

  const programs = [full, { ...full, ...(changes["testName"] ?? changes["name"] ?? changes["description"])?.to }];
  let kept: { id: unknown; inputs: Properties; state: Properties } | undefined;
  let rounds = 0;
  return {
    async change() {
      kept ??= await createBefore("kept", full);
      rounds += 1;
      const before = await read("kept", kept.id, kept.state, kept.inputs);
      const inputs = await check("kept", kept.inputs, programs[rounds % programs.length] ?? full);
      const members = { ...named("kept"), Id: kept.id, Olds: before, News: inputs };
      const diff = await call<messages.DiffResponse>("diff", new messages.DiffRequest(), members);
      if (diff.getReplacesList().length > 0) throw new Error(`${className} would be replaced`);
      if (diff.getChanges() !== messages.DiffResponse.DiffChanges.DIFF_SOME) throw new Error(`${className} has no change`);
      const updated = await call<messages.UpdateResponse>("update", new messages.UpdateRequest(), members);
      kept = { id: kept.id, inputs, state: plain(updated.getProperties()) };
    },
    async createAndDelete() {
      const { id, state } = await createBefore("deleted", minimal);
      await call("delete", new messages.DeleteRequest(), {
        ...named("deleted"),
        Id: id,
        Properties: { ...state, ...providerInput },
      });
      const members = { ...named("created"), Properties: await check("created", {}, minimal) };
      const created = await call<messages.CreateResponse>("create", new messages.CreateRequest(), members);
      await providerOf(kind, url).delete(created.getId(), opened(plain(created.getProperties())));
    },
  };
}
