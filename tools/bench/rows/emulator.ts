/** Measures the requests per second of the emulator, and its memory after many requests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { type EmulatorProcess, startEmulator } from "../emulator-process";
import { inTurns, spreadText } from "../measure";
import type { Row } from "../row";

const clients = 16;
const seconds = 5;
const agents = 10_000;
/** Number of requests in an hour at 240 requests per minute. */
const hour = 14_400;

interface BenchRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}

/**
 * Sends requests from several clients at the same time, until `next` returns undefined. @returns the number of answered
 * requests
 */
async function send({ url, token }: EmulatorProcess, next: () => BenchRequest | undefined): Promise<number> {
  const pool = new Pool(url, { connections: clients });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  let count = 0;
  const client = async (): Promise<void> => {
    for (let sent = next(); sent; sent = next()) {
      const { method, path, body } = sent;
      const answer = await pool.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered with ${answer.statusCode}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await pool.close();
  return count;
}

const label = { name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["office-*"] }] };
const create: BenchRequest = { method: "POST", path: "/v7/endpoint/labels", body: label };
const page: BenchRequest = { method: "GET", path: "/v7/endpoint/agents?max=100" };

/** Returns the requests per second of an emulator, after 500 requests to warm up. */
async function rateOf(sent: BenchRequest, ...args: string[]): Promise<number> {
  const emulator = await startEmulator(...args);
  try {
    let warmUp = 500;
    await send(emulator, () => ((warmUp -= 1) >= 0 ? sent : undefined));
    const end = performance.now() + seconds * 1_000;
    return (await send(emulator, () => (performance.now() < end ? sent : undefined))) / seconds;
  } finally {
    await emulator.end();
  }
}

async function createsInFile(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-bench-"));
  try {
    return await rateOf(create, "--agents", "0", "--data", join(folder, "records.db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the megabytes in use after the requests of six minutes and of a further hour. The requests read and search. */
async function memory(): Promise<readonly [early: number, late: number]> {
  const emulator = await startEmulator("--agents", String(agents));
  try {
    const search: BenchRequest = {
      method: "POST",
      path: "/v7/endpoint/agents/filter?max=100",
      body: { searchFilters: { username: ["a"] } },
    };
    const mix: readonly BenchRequest[] = [page, { method: "GET", path: "/v7/endpoint/labels?expand=filters" }, search, page];
    const until = (count: number) => {
      let at = 0;
      return (): BenchRequest | undefined => (at < count ? mix[(at += 1) % mix.length] : undefined);
    };
    await send(emulator, until(hour / 10));
    const early = (await emulator.inUse()).heap;
    await send(emulator, until(hour));
    return [early, (await emulator.inUse()).heap];
  } finally {
    await emulator.end();
  }
}

export const row: Row = {
  name: "emulator",
  title: "Emulator",
  about: `The table shows figures, not ratios. In each measurement, ${clients} clients send requests for ${seconds} seconds, after 500 requests that warm up the emulator. Memory is the JavaScript heap after a garbage collection with ${agents.toLocaleString("en-US")} agents, measured once.`,
  pairs: 3,
  run: async (order) => {
    const rates = await inTurns(order, ["memory", "file", "agents"] as const, (name) => {
      if (name === "file") return createsInFile();
      return name === "memory" ? rateOf(create, "--agents", "0") : rateOf(page, "--agents", String(agents));
    });
    order.progress("an hour of requests");
    const [early, late] = await memory();
    const rows = [
      ["labels created, with records in memory", `${spreadText(rates.memory, 0)} per second`],
      ["labels created, with records in a file", `${spreadText(rates.file, 0)} per second`],
      [
        `reads of 100 agents, with ${agents.toLocaleString("en-US")} agents in total`,
        `${spreadText(rates.agents, 0)} per second`,
      ],
      [`memory after ${(hour / 10).toLocaleString("en-US")} requests`, `${early.toFixed(0)} MB`],
      [`memory after ${(hour * 1.1).toLocaleString("en-US")} requests`, `${late.toFixed(0)} MB`],
    ];
    return { head: ["Measurement", "Figure"], rows };
  },
};
