import type { Emulator } from "./emulator";
import { launch } from "./launch";
import { settle } from "./options";
import type { EmulatorOptions } from "./settings";

/**
 * Starts an emulator, which listens on loopback by default.
 *
 * @example
 *   ```ts
 *   const emulator = await start({ rateLimit: "off" });
 *   const headers = { authorization: "Bearer emulator-token" };
 *   const answer = await fetch(`${emulator.url}/v7/endpoint/labels`, { headers });
 *   await emulator.close();
 *   ```
 *
 * @throws EmulatorError if the port or the data file is not available, or an option is invalid
 */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  return (await launch(settle(options))).emulator;
}
