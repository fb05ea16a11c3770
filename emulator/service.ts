import { date } from "./date";
import type { EmulatorSettings } from "./settings";
import type { Store } from "./store";
import type { Tokens } from "./tokens";

export interface Service {
  readonly settings: EmulatorSettings;
  readonly store: Store;
  readonly tokens: Tokens;
}

export type ServiceData = Pick<Service, "settings" | "store">;

/** Returns the current time in the service's date format, in UTC with whole seconds. */
export function timestamp(service: Service): string {
  return date(service.settings.now());
}
