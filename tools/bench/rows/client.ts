/** The client beside the library that it sends with: the same lists, from an emulator in a process of its own. */
import { request } from "undici";
import { createClient } from "../../../api";
import { startEmulator } from "../emulator-process";
import { compared, inTurns } from "../measure";
import type { Row } from "../row";

const requests = 2000;
const labels = 100;

/** Seconds of this process' CPU time that so many calls take, one after the other. */
async function spentOn(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < requests; at += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

export const client: Row = {
  name: "client",
  what: `${requests} lists of ${labels} labels, read one after the other`,
  run: async ({ pairs, progress }) => {
    progress(`${pairs} pairs`);
    const emulator = await startEmulator("--agents", "0");
    const { url, token } = emulator;
    const ours = createClient({ baseUrl: url, token });
    try {
      for (let at = 0; at < labels; at += 1) {
        const filters = [{ key: "hostname" as const, values: ["office-*"] }];
        await ours.labels.create({ body: { name: `Label ${at}`, matchType: "or", filters } });
      }
      const bare = async (): Promise<void> => {
        const answer = await request(`${url}/v7/endpoint/labels?expand=filters`, {
          headers: { authorization: `Bearer ${token}` },
        });
        JSON.parse(await answer.body.text());
      };
      const own = async (): Promise<unknown> => ours.labels.list({ query: { expand: ["filters"] } });
      // The compiler of the engine below has seen both before any is measured.
      await inTurns(1, { bare: () => spentOn(bare), own: () => spentOn(own) });
      const spent = await inTurns(pairs, { bare: () => spentOn(bare), own: () => spentOn(own) });
      const line = {
        what: "GETs a second of CPU time, answers checked",
        against: "undici and JSON.parse",
        measure: "rate",
      } as const;
      const rate = (seconds: readonly number[]): number[] => seconds.map((one) => requests / one);
      return [compared({ ...line, unit: "requests a second", goal: { atLeast: 0.7 } }, rate(spent.own), rate(spent.bare))];
    } finally {
      await ours.close();
      await emulator.end();
    }
  },
};
