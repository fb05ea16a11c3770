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
  /** All resources in the state. Absent if the state could not be read. */
  resources?: readonly EngineResource[];
  managed: readonly ManagedResource[];
  /** Absent if the stack has no settings and does not need any. */
  session?: Session;
  drift: StackDrift;
  error?: EndpointMonitoringError | UsageError;
}

/** The kinds to compare, and the drift to ignore. */
export interface DriftScope {
  kinds: ReadonlySet<KindName>;
  ignores: IgnoreList;
  /** Whether a later step needs the lists of all kinds. If so, the lists are requested while the engine reads the state. */
  listsAll?: boolean;
}

export interface Reconciled {
  compared: ComparedStack[];
  outcome: DriftOutcome & { files?: string[] };
  interrupted: boolean;
}
