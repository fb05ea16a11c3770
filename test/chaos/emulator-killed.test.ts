import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../../emulator";
import { amount } from "../support/amount";
import { builtCommand, type Started, startProcess } from "../support/process";
import { headers } from "../support/call";

const writes = 1_000;

interface Label {
  id: string;
  name: string;
  color: string;
  filters: { values: string[] }[];
}

async function launch(file: string): Promise<{ started: Started; url: string }> {
  const args = [builtCommand, "emulator", "--json", "--data", file, "--rate-limit", "off", "--agents", "0"];
  const started = startProcess(process.execPath, args);
  return { started, url: (JSON.parse(await started.line()) as { data: { url: string } }).data.url };
}

/** Name, color and filters of one version of a label match, so a partial write would mix two versions. */
const version = (n: number) => ({
  name: `label ${n}`,
  color: `#${n.toString(16).padStart(6, "0")}`,
  filters: [{ key: "hostname", mode: "in", values: [`host-${n}`] }],
});

/** From the first writes to nearly the last: every fourth of 20 rounds by default. */
const rounds = Array.from({ length: 20 }, (_, i) => ({ round: i + 1, dieAfter: 20 + i * 47 })).filter(
  ({ round }) => round % amount(4, 1) === 0,
);

it.each(rounds)(
  "an emulator that is killed after $dieAfter writes keeps every acknowledged write (repetition $round)",
  async ({ dieAfter }) => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-killed-"));
    const file = join(folder, "records.db");
    let running: Started | undefined;
    let second: Awaited<ReturnType<typeof start>> | undefined;
    try {
      const first = await launch(file);
      running = first.started;
      /** The last acknowledged version of each label. */
      const acknowledged = new Map<string, number>();
      /** Sent writes of a label without a response: either version is possible. */
      const open = new Map<string, number>();
      let acks = 0;
      let next = 0;
      const send = async (method: string, path: string, n: number): Promise<Label> => {
        const body = JSON.stringify({ ...version(n), ...(method === "POST" && { matchType: "and" }) });
        const answer = await fetch(`${first.url}/v7/endpoint/labels${path}`, { method, headers, body });
        const label = (await answer.json()) as Label;
        acks += 1;
        if (acks === dieAfter) first.started.kill();
        return label;
      };
      const worker = async (): Promise<void> => {
        while (next < writes) {
          const label = await send("POST", "", (next += 1));
          acknowledged.set(label.id, Number(label.name.slice(6)));
          const n = (next += 1);
          open.set(label.id, n);
          await send("PATCH", `/${label.id}`, n);
          acknowledged.set(label.id, n);
          open.delete(label.id);
        }
      };
      await Promise.allSettled(Array.from({ length: 6 }, worker));
      await first.started.ended;
      expect(acks).toBeGreaterThanOrEqual(dieAfter);
      expect(acks).toBeLessThan(writes);

      second = await start({ dataFile: file, rateLimit: "off", agents: 0 });
      const listed = (await (await fetch(`${second.url}/v7/endpoint/labels?expand=filters&max=1000`, { headers })).json()) as {
        labels: Label[];
      };
      const there = new Map(listed.labels.map((label) => [label.id, label]));
      for (const [id, n] of acknowledged) {
        const possible = [n, open.get(id)].filter((v) => v !== undefined);
        expect(possible.map((v) => version(v).name)).toContain(there.get(id)?.name);
      }
      for (const label of there.values()) expect(label).toMatchObject(version(Number(label.name.slice(6))));
      // Writes in progress may also be stored, but at most as many as are sent at once.
      expect(there.size - acknowledged.size).toBeLessThanOrEqual(6);
    } finally {
      running?.kill();
      await second?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
