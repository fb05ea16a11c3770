import type { Emulator, EmulatorOptions } from "../../../emulator";
import { launch } from "../../../emulator/launch";
import { settle } from "../../../emulator/options";
import { AppliedVariations } from "./applied";

export interface VariedOptions extends EmulatorOptions {
  /** Names of the emulator's variations, with a time if they take one: `lag=3s`. Default: none. */
  as?: readonly string[];
}

const appliedByUrl = new Map<string, AppliedVariations>();

/** Starts an emulator whose responses can vary. @throws Error for an unknown variation */
export async function start(options?: VariedOptions): Promise<Emulator> {
  return (await startWithParts(options)).emulator;
}

/** Starts such an emulator, and returns its server as well. */
export async function startWithParts({ as = [], ...options }: VariedOptions = {}): ReturnType<typeof launch> {
  const applied = new AppliedVariations();
  applied.set(as);
  const parts = await launch(settle(options), applied.run);
  appliedByUrl.set(parts.emulator.url, applied);
  return parts;
}

/** Changes the variations of a running emulator. @throws Error for an unknown variation */
export function vary(emulator: Pick<Emulator, "url">, ...as: string[]): void {
  appliedTo(emulator).set(as);
}

/** Omits members from the responses of an operation, or of all (`*`). Without members, the responses are complete again. */
export function omit(emulator: Pick<Emulator, "url">, operation: string, members: readonly string[]): void {
  appliedTo(emulator).omissions.set(operation, members);
}

function appliedTo({ url }: Pick<Emulator, "url">): AppliedVariations {
  const applied = appliedByUrl.get(url);
  if (!applied) throw new Error(`the emulator at ${url} was not started with variations`);
  return applied;
}
