import type { EndpointMonitoringError } from "../../../api";
import type { UsageError } from "../../../common/errors";
import type { ProjectStack } from "../../../engine/stack";
import type { EngineResource, ManagedResource } from "../../../engine/state";
import type { KindName } from "../../../provider/registry";
import type { Session } from "../../../provider/session";
import type { DriftOutcome, StackDrift } from "./data";
import type { IgnoreList } from "./ignore-list";

export interface ComparedStack {
  stack: ProjectStack;
  /** All resources in the state, if the state could be read. */
  resources?: readonly EngineResource[];
  managed: readonly ManagedResource[];
  /** Session of the stack. The session may be absent, because a stack without resources of this package may lack settings. */
  session?: Session;
  drift: StackDrift;
  error?: EndpointMonitoringError | UsageError;
}

export interface DriftScope {
  kinds: ReadonlySet<KindName>;
  ignores: IgnoreList;
  /** Whether to request the lists of all resource types at the same time as the engine reads the state. */
  listsAll?: boolean;
}

export interface Reconciled {
  compared: ComparedStack[];
  outcome: DriftOutcome & { files?: string[] };
  interrupted: boolean;
}
