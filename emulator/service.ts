import type { Settings } from "./settings";
import type { Store } from "./store";
import type { Tokens } from "./tokens";

/** The data that handlers read and write. */
export interface Service {
  readonly settings: Settings;
  readonly store: Store;
  readonly tokens: Tokens;
}

/** The time as the service writes dates: whole seconds, UTC. */
export function timestamp(service: Service): string {
  return new Date(service.settings.now()).toISOString().replace(/\.\d+Z$/, "Z");
}
