import { join } from "node:path";
import { freePort } from "../../support/port";
import { type Started, startProcess } from "../../support/process";
import { pythonWith } from "../../emulator/clients/python";

/** A stand-in for an S3-compatible store: moto's server on loopback, with one bucket. */
export class ObjectStore {
  private constructor(
    private readonly server: Started,
    private readonly url: string,
  ) {}

  /** Installs the server once on this machine, and starts it. @throws Error if it does not answer within a minute */
  static async start(): Promise<ObjectStore> {
    const { command, env } = pythonWith(join(__dirname, "object-store-requirements.txt"));
    const port = await freePort();
    const server = startProcess(command, ["-m", "moto.server", "--host", "127.0.0.1", "--port", String(port)], {
      env,
      bound: 600_000,
    });
    const store = new ObjectStore(server, `http://127.0.0.1:${port}`);
    const deadline = performance.now() + 60_000;
    while (!(await store.#createBucket())) {
      if (performance.now() > deadline) throw new Error(`The object store did not start: ${server.said().text}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return store;
  }

  /** Settings of the engine that keep its state in the bucket. */
  get environment(): NodeJS.ProcessEnv {
    const query = `endpoint=${encodeURIComponent(this.url)}&s3ForcePathStyle=true&region=us-east-1`;
    return {
      PULUMI_BACKEND_URL: `s3://state?${query}`,
      AWS_ACCESS_KEY_ID: "stand-in",
      AWS_SECRET_ACCESS_KEY: "stand-in",
      // The stand-in sends no checksums, about which the engine would warn.
      AWS_RESPONSE_CHECKSUM_VALIDATION: "when_required",
    };
  }

  /** Returns the names of the objects in the bucket. */
  async names(): Promise<string[]> {
    const answer = await (await fetch(`${this.url}/state?list-type=2`)).text();
    return [...answer.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name = ""]) => name);
  }

  async end(): Promise<void> {
    this.server.kill("SIGTERM");
    await this.server.ended.catch(() => undefined);
  }

  async #createBucket(): Promise<boolean> {
    const answer = await fetch(`${this.url}/state`, { method: "PUT" }).catch(() => undefined);
    return answer?.ok === true;
  }
}
