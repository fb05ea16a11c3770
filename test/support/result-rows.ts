import { createServer, type IncomingMessage, type Server } from "node:http";
import { closeServer, portOf } from "../emulator/loopback";

/** Types of result rows. Only `reached` and `unreached` are measurements of the run. */
export const rowKinds = [
  "reached",
  "unreached",
  "zero",
  "figureless",
  "stale",
  "future",
  "round-zero",
  "foreign-agent",
  "foreign-test",
] as const;
export type RowKind = (typeof rowKinds)[number];

export interface PlannedRow {
  readonly kind: RowKind;
  readonly agentId: string;
  /** Milliseconds after the run when the row appears. */
  readonly afterMs: number;
  /** How often the list contains the row. */
  readonly times: number;
}

export interface ResultRow {
  testId: string;
  agentId: string;
  roundId: number;
}

/**
 * A service in front of an emulator with a different clock, and with planned answers for runs and results. The emulator
 * answers all other requests.
 */
export class RowProxy {
  /** Second of the service's clock at the last response before the run, and at the run. */
  #answeredAt = 0;
  #ranAt = 0;
  #ranAtMs = Infinity;
  readonly #server: Server;

  private constructor(
    private readonly emulatorUrl: string,
    private readonly rows: readonly PlannedRow[],
    /** Milliseconds by which the service's clock is ahead of this machine's. */
    private readonly aheadMs: number,
  ) {
    this.#server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        const { status, body } = await this.#answer(request);
        response.setHeader("date", new Date(this.#now()).toUTCString());
        response.writeHead(status, { "content-type": "application/json" }).end(body);
      };
      void answer();
    });
  }

  static async start(
    emulatorUrl: string,
    rows: readonly PlannedRow[],
    aheadMs: number,
  ): Promise<{ proxy: RowProxy; url: string }> {
    const proxy = new RowProxy(emulatorUrl, rows, aheadMs);
    return { proxy, url: `http://127.0.0.1:${await portOf(proxy.#server)}` };
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  #now(): number {
    return Date.now() + this.aheadMs;
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    const results = /scheduled-tests\/(?<testId>\d+)\/(?<part>network|http-server)\/filter/.exec(path)?.groups;
    if (results)
      return { status: 200, body: JSON.stringify({ results: this.#rowsOf(results["testId"] ?? "", results["part"] ?? "") }) };
    const isRun = /\/run(\?|$)/.test(path);
    const isInstant = request.method === "POST" && path.includes("/instant");
    if (isRun || isInstant) {
      this.#ranAt = Math.floor(this.#now() / 1_000);
      this.#ranAtMs = performance.now();
      if (isRun) return { status: 200, body: JSON.stringify({ message: "It runs." }) };
    }
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(`${this.emulatorUrl}${path}`, {
      method: request.method ?? "GET",
      headers: { authorization, accept: "application/json", "content-type": type },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    return { status: answer.status, body: await answer.text() };
  }

  #rowsOf(testId: string, part: string): ResultRow[] {
    if (this.#ranAtMs === Infinity) this.#answeredAt = Math.floor(this.#now() / 1_000);
    const since = performance.now() - this.#ranAtMs;
    return this.rows.flatMap((row) =>
      since >= row.afterMs ? Array.from({ length: row.times }, () => this.#row(row, testId, part)) : [],
    );
  }

  #row({ kind, agentId }: PlannedRow, testId: string, part: string): ResultRow {
    // A test that the run creates has no earlier response.
    const last = this.#answeredAt === 0 ? this.#ranAt - 15 : this.#answeredAt;
    const roundId =
      kind === "stale"
        ? last - (agentId.charCodeAt(0) % 3) * 20
        : kind === "round-zero"
          ? 0
          : kind === "future"
            ? this.#ranAt + 3_600
            : this.#ranAt;
    const figures =
      part === "network"
        ? kind === "unreached" || kind === "zero"
          ? { loss: 100 }
          : kind === "figureless"
            ? {}
            : { loss: 0, avgLatency: 1 }
        : kind === "unreached"
          ? { responseCode: 503, errorType: "http" }
          : kind === "zero"
            ? { responseCode: 0, responseTime: 0, errorType: "none" }
            : kind === "figureless"
              ? { errorType: "connect" }
              : { responseCode: 200, responseTime: 3, errorType: "none" };
    return { testId: kind === "foreign-test" ? "1" : testId, agentId, roundId, ...figures };
  }
}
