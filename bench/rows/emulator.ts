/** How many requests the emulator answers, and how much memory it holds after many of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmulatorProcess, startEmulator } from "../emulator-process";
import type { Row } from "../row";

const writers = 16;
const seconds = 5;
/** Requests a second of 0.1.0, on two cores. */
const before = { memory: 916, data: 139 };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Sends requests from so many clients at once, while there are more. @returns how many */
async function send({ url, token }: EmulatorProcess, next: () => Sent | undefined): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const one = ({ method, path, body }: Sent): Promise<void> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const length =
        text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const sent = request(
        `${url}${path}`,
        { method, agent, headers: { authorization: `Bearer ${token}`, ...length } },
        (answer) =>
          answer.resume().on("end", () => {
            const status = answer.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve();
            else reject(new Error(`${method} ${path} was answered ${status}`));
          }),
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
/** What 240 requests a minute come to in an hour. */
const hour = 14_400;

/** A mix of what people and programs do: mostly reads, and labels and tests that come and go. */
function mixed(at: number, ids: string[]): Sent {
  const [labels, tests] = ["/v7/endpoint/labels", "/v7/endpoint/tests/scheduled-tests/agent-to-server"];
  const reads = [`${labels}?expand=filters`, "/v7/endpoint/agents?max=100", tests, "/v7/endpoint/agents?agentName=LON-L00042"];
  if (at % 20 === 0) return { method: "POST", path: labels, body: { ...label, name: `Label ${at % 400}` } };
  if (at % 20 === 10)
    return { method: "POST", path: "/v7/endpoint/agents/filter?max=100", body: { searchFilters: { username: ["a"] } } };
  if (at % 20 === 15)
    return { method: "PATCH", path: `/v7/endpoint/agents/${ids[at % ids.length]}`, body: { name: `agent ${at}` } };
  return { method: "GET", path: reads[at % reads.length] ?? labels };
}

export const memory: Row = {
  name: "emulator-memory",
  what: `${hour} mixed requests to an emulator of ${agents} agents: an hour at 240 a minute`,
  pairs: 1,
  run: async ({ pairs, progress }) => {
    const megabytes: { ours: number[]; base: number[] } = { ours: [], base: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      const emulator = await startEmulator("--agents", String(agents));
      try {
        const list = await fetch(`${emulator.url}/v7/endpoint/agents?max=100`, {
          headers: { authorization: `Bearer ${emulator.token}` },
        });
        const ids = ((await list.json()) as { agents: { id: string }[] }).agents.map(({ id }) => id);
        let sent = 0;
        const some = (until: number) => () => (sent < until ? mixed((sent += 1), ids) : undefined);
        // Its caches are full, and its code is compiled.
        await send(emulator, some(hour / 10));
        megabytes.base.push(emulator.memory());
        progress(`${pair + 1} of ${pairs}`);
        await send(emulator, some(hour + hour / 10));
        megabytes.ours.push(emulator.memory());
      } finally {
        await emulator.end();
      }
    }
    const { ours, base } = megabytes;
    const ratios = ours.map((own, at) => own / (base[at] ?? own));
    const what = `memory of the emulator after an hour of mixed requests, ${agents} agents`;
    const against = "the same after six minutes of them";
    return [{ what, against, measure: "memory", unit: "MB", ours, base, ratios, size: agents, goal: { atMost: 1.1 } }];
  },
};
