/** One process under work for as long as somebody asks: it holds no more memory at the end than soon after its start. Linux alone. */
import { setTimeout as sleep } from "node:timers/promises";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { startEmulator } from "../../../bench/emulator-process";
import { memoryOf } from "../../../bench/processes";
import { openProvider, type ProviderProcess } from "../../../bench/provider-process";
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

/** A process under work. */
interface Subject {
  readonly pid: number;
  /** Some of the work. */
  round(): Promise<void>;
  end(): Promise<void>;
}

/** Megabytes that a process held at a part of the time, from 0 to 1. */
export interface Sample {
  readonly at: number;
  readonly megabytes: number;
}

/** Shorter runs measure no memory: a process has to be warm by their first sixth. */
const leastMinutes = 60;
/** Errors after which a run ends. */
const maxErrors = 20;
/** Milliseconds between two rounds: what is looked for is not how fast it is. */
const pauseMs = 20;

export const rows: readonly Row[] = [
  soakOf("the dynamic front", () => frontUnderWork("dynamic")),
  soakOf("the native front", () => frontUnderWork("native")),
  soakOf("the emulator", emulatorUnderWork),
];

function soakOf(name: string, begin: () => Promise<Subject>): Row {
  return {
    name: `soak of ${name}`,
    what: "One process for an hour (cases are minutes), with records of all kinds that are created, read, changed and deleted: it holds at most 1.1 of the memory that it held after a sixth of the time, and no call fails",
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
  try {
    for (let at = 0; at < 1 && errors.length < maxErrors; at = (performance.now() - started) / whole) {
      await subject.round().catch((error: unknown) => errors.push(`round ${samples.length + 1}: ${String(error)}`));
      samples.push({ at, megabytes: memoryOf(subject.pid).now });
      progress(Math.floor(at * minutes));
      await sleep(pauseMs);
    }
  } finally {
    await subject.end();
  }
  const wrong = [...errors, ...(minutes < leastMinutes ? [] : growthIn(samples))];
  return { tried: minutes, told: 0, wrong: wrong.map((what) => ({ seed, what })) };
}

/** What is wrong with the memory of a process: the median of a twelfth of the time is compared. */
export function growthIn(samples: readonly Sample[]): string[] {
  const held = (from: number): number => {
    const sorted = samples
      .filter(({ at }) => at >= from && at < from + 1 / 12)
      .map(({ megabytes }) => megabytes)
      .toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
  };
  const [early, late] = [held(1 / 6), held(11 / 12)];
  if (late <= 1.1 * early) return [];
  return [
    `it held ${Math.round(late)} MB at the end of ${samples.length} rounds, and ${Math.round(early)} MB after a sixth of the time`,
  ];
}

async function frontUnderWork(front: Front): Promise<Subject> {
  const emulator = await start({ rateLimit: "off", agents: 50 });
  const provider = await openProvider(front, emulator.url);
  return {
    pid: provider.pid,
    round: () => liveAll(provider, front, emulator.url),
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
  return {
    pid: emulator.pid,
    round: async () => {
      await liveAll(provider, "native", emulator.url);
      for (const path of paths) {
        const response = await fetch(emulator.url + path, { headers });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`);
      }
    },
    end: async () => {
      await provider.end();
      await emulator.end();
    },
  };
}

/** Works on records of each kind, side by side. A process is one operation of the engine, which deletes nothing that it created. */
async function liveAll(provider: ProviderProcess, front: Front, url: string): Promise<void> {
  await Promise.all(recordKinds.map((kind) => live(provider, front, url, kind)));
}

async function live({ call }: ProviderProcess, front: Front, url: string, kind: RecordKindName): Promise<void> {
  const { className, full, changes } = kindCases[kind];
  const type = front === "native" ? nativeToken(className) : typeToken(className);
  const own = front === "native" ? {} : { __provider: providerString(className) };
  const named = { Urn: `urn:pulumi:dev::soak::${type}::soaked`, Type: type };
  const check = async (held: Properties, declared: Properties): Promise<Properties> => {
    const members = { ...named, Olds: held, News: { ...declared, ...own } };
    const answer = await call<messages.CheckResponse>("check", new messages.CheckRequest(), members);
    const failures = answer.getFailuresList().map((failure) => failure.getReason());
    if (failures.length > 0) throw new Error(`${className}: ${failures.join()}`);
    const inputs = plain(answer.getInputs());
    return front === "native" ? inputs : opened(inputs);
  };
  const change = changes["testName"] ?? changes["name"] ?? changes["description"];
  const inputs = await check({}, full);
  const changed = await check(inputs, { ...full, ...change?.to });

  const earlier = async (): Promise<Properties> => {
    const { id, outs } = await providerOf(kind, url).create(opened(inputs));
    const answer = await call<messages.ReadResponse>("read", new messages.ReadRequest(), {
      ...named,
      Id: id,
      Properties: { ...outs, ...own },
      Inputs: inputs,
    });
    if (answer.getId() !== id) throw new Error(`${className} ${id} was read as "${answer.getId()}"`);
    return { ...named, Id: id, Olds: plain(answer.getProperties()), News: changed };
  };
  const deleteElsewhere = (id: unknown, state: Properties): Promise<void> =>
    providerOf(kind, url).delete(String(id), opened(state));

  // One record of an earlier operation is changed, another one is deleted.
  const one = await earlier();
  const diff = await call<messages.DiffResponse>("diff", new messages.DiffRequest(), one);
  if (diff.getReplacesList().length > 0) throw new Error(`${className} would be replaced`);
  const updated = await call<messages.UpdateResponse>("update", new messages.UpdateRequest(), one);
  await deleteElsewhere(one["Id"], plain(updated.getProperties()));
  const { Olds, ...other } = await earlier();
  await call("delete", new messages.DeleteRequest(), { ...other, Properties: Olds });

  // A third one is created.
  const answer = await call<messages.CreateResponse>("create", new messages.CreateRequest(), { ...named, Properties: inputs });
  await deleteElsewhere(answer.getId(), plain(answer.getProperties()));
}
