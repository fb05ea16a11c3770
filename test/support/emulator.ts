import { type Emulator, type EmulatorOptions, start } from "../../emulator";
import type { Json } from "../emulator/support";
import { call } from "./call";

/** An emulator that runs while the tests of a suite run. */
export class SuiteEmulator {
  #running: Emulator | undefined;

  constructor(options: EmulatorOptions) {
    beforeAll(async () => {
      this.#running = await start({ rateLimit: "off", ...options });
    });
    afterAll(() => this.#running?.close());
  }

  get emulator(): Emulator {
    if (!this.#running) throw new Error("The emulator starts before the first test");
    return this.#running;
  }

  get url(): string {
    return this.emulator.url;
  }

  /** Environment variables with which a command uses the emulator. */
  get env() {
    return { ENDPOINT_MONITORING_BASE_URL: this.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
  }

  /** Restores the records at the start. */
  reset(): void {
    this.emulator.reset();
  }

  call(method: string, path: string, body?: unknown): Promise<Json> {
    return call(this.url, method, path, body);
  }

  /** Creates a record. @returns its id */
  async create(path: string, body: object, aid = "1001"): Promise<string> {
    const made = await this.call("POST", `${path}?aid=${aid}`, body);
    return String(made["ruleId"] ?? made["id"] ?? made["testId"]);
  }
}

/** Starts an emulator before the tests of the suite, and closes it after them. */
export function useEmulator(options: EmulatorOptions = {}): SuiteEmulator {
  return new SuiteEmulator(options);
}
