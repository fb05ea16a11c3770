/**
 * How many labels a second 16 clients create, with the records in memory and in a data file, and how long the newest round of a
 * test takes to read at full size. Prints; fails nothing.
 *
 * node test/benchmark/throughput.mjs [FOLDER OF THE BUILD, default dist]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const dist = resolve(process.argv[2] ?? "dist");
const load = createRequire(import.meta.url);
const { Store } = load(`${dist}/emulator/store.js`);
const { keepRound, latestRounds } = load(`${dist}/emulator/rounds.js`);

const writers = 16;
const seconds = 5;
const print = (name, figure) => process.stdout.write(`${name.padEnd(52)} ${figure}\n`);

/** Full size: 50 tests with 1,000 rounds each, and 10,000 other records. */
function newestRound() {
  const store = new Store();
  store.together(() => {
    for (let n = 0; n < 10_000; n += 1) store.insert({ name: "labels", series: "labels", firstId: 1 }, "1001", () => ({ n }));
    for (let test = 0; test < 50; test += 1) {
      for (let round = 0; round < 1000; round += 1) {
        const body = { roundId: round, testId: String(test), agentId: "a", text: "x".repeat(400) };
        store.insert({ name: `rounds-${test}`, series: "rounds", firstId: 1 }, "1001", () => body);
      }
    }
  });
  keepRound({ store }, "1001", { roundId: 1000, testId: "7", agentId: "a" });
  const runs = 200;
  const started = performance.now();
  for (let run = 0; run < runs; run += 1) latestRounds({ store }, String(run % 50), 1);
  print("newest round of a test", `${((performance.now() - started) / runs).toFixed(3)} ms`);
  store.close();
}

async function throughput(name, args) {
  const emulator = spawn(process.execPath, [`${dist}/cli/main.js`, "emulator", "--json", "--rate-limit", "off", ...args]);
  const [line] = await new Promise((found) => createInterface(emulator.stdout).once("line", (text) => found([text])));
  const { url, token } = JSON.parse(line).data;
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const body = JSON.stringify({ name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["office-*"] }] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "content-length": body.length };
  const create = () =>
    new Promise((done, failed) => {
      const sent = request(`${url}/v7/endpoint/labels`, { method: "POST", agent, headers }, (answer) =>
        answer.resume().on("end", () => (answer.statusCode === 201 ? done() : failed(new Error(String(answer.statusCode))))),
      );
      sent.on("error", failed).end(body);
    });
  const end = performance.now() + seconds * 1000;
  let created = 0;
  const write = async () => {
    while (performance.now() < end) {
      await create();
      created += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  print(name, `${Math.round(created / seconds)} a second`);
  agent.destroy();
  emulator.kill("SIGTERM");
  await new Promise((ended) => emulator.once("exit", ended));
}

newestRound();
await throughput("labels created, in memory", []);
const folder = mkdtempSync(join(tmpdir(), "emulator-"));
await throughput("labels created, with a data file", ["--data", join(folder, "records.db")]);
rmSync(folder, { recursive: true });
