/** How many requests the emulator answers, and how much memory it holds after many of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmulatorProcess, startEmulator } from "../emulator-process";
import { compared } from "../measure";
import type { Row } from "../row";

const writers = 16;
const seconds = 5;
/** Requests a second of 0.1.0, on two cores. */
const before = { memory: 916, data: 139 };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Called with the text of the answer. */
  readonly answered?: (text: string) => void;
}

/** Sends requests from so many clients at once, while there are more. @returns how many */
async function send({ url, token }: EmulatorProcess, next: () => Sent | undefined): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const one = ({ method, path, body, answered }: Sent): Promise<void> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const length =
        text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const sent = request(
        `${url}${path}`,
        { method, agent, headers: { authorization: `Bearer ${token}`, ...length } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => answered && chunks.push(chunk));
          answer.on("end", () => {
            const status = answer.statusCode ?? 0;
            if (status < 200 || status >= 300) return reject(new Error(`${method} ${path} was answered ${status}`));
            answered?.(Buffer.concat(chunks).toString());
            resolve();
          });
        },
      );
      sent.on("error", reject).end(text);
    });
  let count = 0;
  const client = async (): Promise<void> => {
    for (let sent = next(); sent; sent = next()) {
      await one(sent);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, client));
  agent.destroy();
  return count;
}

const label = { name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["office-*"] }] };
const create = (): Sent => ({ method: "POST", path: "/v7/endpoint/labels", body: label });

async function createsPerSecond(...args: string[]): Promise<number> {
  const emulator = await startEmulator("--agents", "0", ...args);
  try {
    let left = 500;
    await send(emulator, () => ((left -= 1) >= 0 ? create() : undefined));
    const end = performance.now() + seconds * 1_000;
    const count = await send(emulator, () => (performance.now() < end ? create() : undefined));
    return count / seconds;
  } finally {
    await emulator.end();
  }
}

export const throughput: Row = {
  name: "emulator-speed",
  what: `${writers} clients create labels for ${seconds} seconds, with the records in memory and in a file`,
  run: async ({ pairs, progress }) => {
    const [memory, data]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < pairs; pair += 1) {
      progress(`${pair + 1} of ${pairs}`);
      memory.push(await createsPerSecond());
      const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-bench-"));
      data.push(await createsPerSecond("--data", join(folder, "records.db")));
      rmSync(folder, { recursive: true });
    }
    const line = (what: string, ours: number[], base: number, times: number) =>
      ({
        what,
        against: `${base} a second of 0.1.0`,
        measure: "rate",
        unit: "requests a second",
        ours,
        base: ours.map(() => base),
        ratios: ours.map((own) => own / base),
        goal: { atLeast: times },
      }) as const;
    return [
      line("creates a second, in memory", memory, before.memory, 2),
      line("creates a second, in a file", data, before.data, 5),
    ];
  },
};

const agents = 10_000;
/** Requests in an hour at 240 a minute. */
const hour = 14_400;

/** A mix of what people and programs do: mostly reads, agents that are renamed, and labels that come and go. */
class Mix {
  readonly #made: string[] = [];
  #sent = 0;

  constructor(private readonly agentIds: readonly string[]) {}

  /** The next request, until so many have been sent. */
  until(count: number): () => Sent | undefined {
    return () => (this.#sent < count ? this.#next() : undefined);
  }

  #next(): Sent {
    const at = (this.#sent += 1);
    const labels = "/v7/endpoint/labels";
    const oldest = at % 20 === 5 ? this.#made.shift() : undefined;
    if (oldest !== undefined) return { method: "DELETE", path: `${labels}/${oldest}` };
    if (at % 20 === 0) {
      const answered = (text: string): void => void this.#made.push((JSON.parse(text) as { id: string }).id);
      return { method: "POST", path: labels, body: { ...label, name: `Label ${at % 400}` }, answered };
    }
    if (at % 20 === 10) {
      return { method: "POST", path: "/v7/endpoint/agents/filter?max=100", body: { searchFilters: { username: ["a"] } } };
    }
    if (at % 20 === 15) {
      const id = this.agentIds[at % this.agentIds.length];
      return { method: "PATCH", path: `/v7/endpoint/agents/${id}`, body: { name: `agent ${at}` } };
    }
    const reads = [
      `${labels}?expand=filters`,
      "/v7/endpoint/agents?max=100",
      "/v7/endpoint/tests/scheduled-tests/agent-to-server",
      "/v7/endpoint/agents?agentName=LON-L00042",
    ];
    return { method: "GET", path: reads[at % reads.length] ?? labels };
  }
}

export const memory: Row = {
  name: "emulator-memory",
  what: `${hour} mixed requests to an emulator of ${agents} agents: an hour at 240 a minute`,
  pairs: 1,
  run: async ({ pairs, progress }) => {
    const held: Record<"ours" | "base", number[]> = { ours: [], base: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      const emulator = await startEmulator("--agents", String(agents));
      const measure = async (whose: "ours" | "base"): Promise<void> => void held[whose].push((await emulator.inUse()).heap);
      try {
        const list = await fetch(`${emulator.url}/v7/endpoint/agents?max=100`, {
          headers: { authorization: `Bearer ${emulator.token}` },
        });
        const mix = new Mix(((await list.json()) as { agents: { id: string }[] }).agents.map(({ id }) => id));
        // Its caches are full, and its code is compiled.
        await send(emulator, mix.until(hour / 10));
        await measure("base");
        progress(`${pair + 1} of ${pairs}`);
        await send(emulator, mix.until(hour + hour / 10));
        await measure("ours");
      } finally {
        await emulator.end();
      }
    }
    const common = { against: "the same after six minutes of them", measure: "memory", unit: "MB", size: agents } as const;
    const what = `memory in use of the emulator after an hour of mixed requests, ${agents} agents`;
    return [compared({ ...common, what, goal: { atMost: 1.1 } }, held.ours, held.base)];
  },
};
