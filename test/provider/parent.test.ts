import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { engineAddress, watchEngine } from "../../provider/parent";

describe("detection of the engine's address", () => {
  it.each([
    [["127.0.0.1:40123"], "127.0.0.1:40123"],
    [["-v=9", "--tracing=http://collector:9411/api", "127.0.0.1:40123", "extra"], "127.0.0.1:40123"],
    [["[::1]:40123"], "[::1]:40123"],
    [["localhost:1"], "localhost:1"],
    [[], undefined],
    [["--testPathPatterns", "parent.test.ts"], undefined],
  ])("the provider finds the engine's address in the arguments %j: %s", (args, address) => {
    expect(engineAddress(args)).toBe(address);
  });
});

describe("detection of the engine's exit", () => {
  let engine: Http2Server;
  let sessions: ServerHttp2Session[];
  beforeEach(async () => {
    sessions = [];
    engine = createServer().on("session", (session) => sessions.push(session));
    await once(engine.listen(0, "127.0.0.1"), "listening");
  });

  /** Stops as a killed process does: the port closes, and connections break. */
  function kill(): void {
    engine.close();
    for (const session of sessions) session.destroy();
  }

  it("a broken connection does not count as an exit of the engine", async () => {
    let ends = 0;
    const ended = new Promise<void>((resolve) => {
      watchEngine(`127.0.0.1:${(engine.address() as AddressInfo).port}`, () => {
        ends += 1;
        resolve();
      });
    });
    await once(engine, "session");
    for (let broken = 0; broken < 3; broken += 1) {
      const again = once(engine, "session");
      sessions.at(-1)?.destroy();
      await again;
    }
    expect(ends).toBe(0);
    kill();
    await ended;
    expect(ends).toBe(1);
  });
});
