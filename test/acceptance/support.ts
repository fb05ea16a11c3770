import { createServer, type Server } from "node:http";
import type { Access } from "../../tools/acceptance/access";
import type { Body } from "../../tools/acceptance/session";
import { type Emulator, type EmulatorOptions, start } from "../../emulator";
import { closeServer, eventually, portOf } from "../emulator/loopback";
import { call } from "../support/call";

/** The emulator's control functions for tests. */
export function accessTo(baseUrl: string, over: Partial<Access> = {}): Access {
  return {
    baseUrl,
    token: undefined,
    clientId: "emulator",
    clientSecret: "emulator-secret",
    serviceBearerToken: "emulator-token",
    readerToken: "emulator-read-only-token",
    accountGroupId: "1001",
    readOnly: false,
    maxRequests: 600,
    secrets: ["emulator-secret", "emulator-token", "emulator-read-only-token"],
    ...over,
  };
}

/** An emulator with the data of a used account: results of every kind, a visit, a deleted agent. */
export class Account {
  private constructor(
    readonly emulator: Emulator,
    private readonly target: Server,
    /** An agent that tests may change. */
    readonly agentId: string,
  ) {}

  static async start(options: EmulatorOptions = {}): Promise<Account> {
    const emulator = await start({ rateLimit: "off", speed: 60, ...options });
    const target = createServer((_request, response) => response.end("hello"));
    const port = await portOf(target);
    const post = (path: string, body?: object): Promise<Body> => call(emulator.url, "POST", path, body);
    const url = `http://127.0.0.1:${port}/`;
    const tests = "/v7/endpoint/tests";
    const network = { testName: "Network", server: "127.0.0.1", port, protocol: "tcp" };
    await post(`${tests}/scheduled-tests/agent-to-server`, network);
    await post(`${tests}/scheduled-tests/http-server`, { testName: "Page", url });
    const { testId } = await post(`${tests}/dynamic-tests/agent-to-server`, {
      testName: "Meeting",
      application: "webex",
    });
    await post("/_emulator/sessions", { testId, server: "127.0.0.1", port });
    const timing = { startTime: 0, duration: 12, responseStart: 5, loadEventEnd: 12 };
    await post("/_emulator/real-user-tests", { url, timing, resources: [] });
    const { agents } = await call(emulator.url, "GET", "/v7/endpoint/agents");
    await call(emulator.url, "DELETE", `/v7/endpoint/agents/${agents.at(-1).id}`);
    const rounds = async (path: string): Promise<true | undefined> =>
      (await post(`/v7/endpoint/test-results/${path}/filter`)).results.length >= 2 ? true : undefined;
    const kinds = ["scheduled-tests/network", "scheduled-tests/http-server", `dynamic-tests/${testId}/network`];
    for (const kind of kinds) await eventually(() => rounds(kind));
    return new Account(emulator, target, agents[1].id);
  }

  async end(): Promise<void> {
    await this.emulator.close();
    await closeServer(this.target);
  }
}
