import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConnectionError } from "../../api";
import { skipIdleTime } from "../support/idle-time";
import { freePort } from "../support/port";
import { calls } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";
import { temporary } from "../support/temporary";

skipIdleTime();

const { connect } = bench();
const folder = temporary();

describe("refused connections", () => {
  it("the client tries a refused connection four times", async () => {
    const file = join(folder, "log");
    const client = connect({ url: `http://127.0.0.1:${await freePort()}` }, { log: { level: "info", file } });
    const began = performance.now();
    const error = await failureOf(ConnectionError, calls.POST(client));
    const elapsedMs = performance.now() - began;
    expect(error).toMatchObject({ phase: "connect", mayPass: true, outcomeUnknown: false });
    const events = [...readFileSync(file, "utf8").matchAll(/POST \S+ (waits: )?(.*?) (\d+) ms(?: attempt \d)?$/gm)];
    const pauses = events.flatMap(([, isWait, , ms]) => (isWait ? [Number(ms)] : []));
    expect([events.length, pauses.length]).toEqual([7, 3]);
    // Timers and the log round to milliseconds.
    expect(elapsedMs).toBeGreaterThan(pauses.reduce((sum, ms) => sum + ms, 0) - 2 * pauses.length);
  });
});
