import type { Faults } from "./faults";
import type { Omissions } from "./omissions";
import type { RequestLog } from "./requests";
import type { Service } from "./service";

/** The inside of a running emulator, as its own doors and its page see it. */
export interface Inside {
  readonly service: Service;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly omissions: Omissions;
  /** Makes it as just started. */
  reset(): void;
}
