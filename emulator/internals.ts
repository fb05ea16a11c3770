import type { Faults } from "./faults";
import type { RateLimits } from "./rate-limit";
import type { RequestLog } from "./requests";
import type { Service } from "./service";

/** The parts of a running emulator, as its control API and its page see them. */
export interface Internals {
  readonly service: Service;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly limits: RateLimits;
  /** The last report of `dev` about the program, for the page. */
  program: { readonly title: string; readonly text: string } | undefined;
  /** Restores the state just after the start. */
  reset(): void;
}
