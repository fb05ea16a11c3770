import type { Emulator } from "./emulator";
import { launch } from "./launch";
import { settle } from "./options";
import type { EmulatorOptions } from "./settings";

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
