import type { Faults } from "./faults";
import type { RateLimits } from "./rate-limit";
import type { RequestLog } from "./requests";
import type { Service } from "./service";

export interface Internals {
  readonly service: Service;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly limits: RateLimits;
  /** The last report of the `dev` command about the program, for the emulator's page. */
  program: { readonly title: string; readonly text: string } | undefined;
  reset(): void;
}
