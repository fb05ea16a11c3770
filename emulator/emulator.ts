import { launch } from "./launch";
import { type EmulatorOptions, settle } from "./options";
import type { LogEntry } from "./requests";

/** A running emulator. */
export interface Emulator {
  /** Base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** How many requests came, by operation id. Requests of `/_emulator` are not counted. */
  requests(): Record<string, number>;
  /** The last 1,000 requests, oldest first. */
  log(): readonly LogEntry[];
  /** Everything as just started: no records, counts, faults. Ids start again; tokens stay valid. */
  reset(): void;
  /** Ends it. Resolves when port and file are released; a request in progress gets a second to finish. */
  close(): Promise<void>;
}

/**
 * Starts the service on loopback.
 *
 * @example
 * const emulator = await start({ rateLimit: "off" });
 * const answer = await fetch(`${emulator.url}/v7/endpoint/labels`, { headers: { authorization: "Bearer emulator-token" } });
 * await emulator.close();
 *
 * @throws EmulatorError when the port or the data file cannot be had, or an option is out of range
 */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  return (await launch(settle(options))).emulator;
}
