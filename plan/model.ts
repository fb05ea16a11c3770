import type { SettingName } from "../api/setting-names";
import type { Phrase } from "../common/phrase";
import type { StackPreview } from "../engine/preview-output";
import type { EngineResource, ManagedResource } from "../engine/state";
import type { Position } from "../common/position";
import type { Kind } from "../provider/kind";
import type { KindName } from "../provider/registry";
import type { Properties } from "../provider/values";
import type { PropertyChange } from "./changes";

/** Operations on a resource. If only engine options change, the operation is `options`, although the engine's preview reports `same`. */
export const engineOps = ["delete", "replace", "update", "create", "options", "same"] as const;
export type EngineOp = (typeof engineOps)[number];

/** Possible outcomes for a resource, the most important outcome first. A create operation that adopts a record has the outcome `adopt`. */
export const allOps = ["delete", "replace", "update", "adopt", "create", "options", "same"] as const;
export type Op = (typeof allOps)[number];

export interface Step {
  op: Op;
  urn: string;
  /** URN in the state before the update, if an alias moves the resource to another name, parent or provider type. */
  previousUrn?: string;
  name: string;
  kindName: KindName;
  kind: Kind;
  /** The resource in the state, or the adopted record. A created resource has no state. */
  state?: ManagedResource;
  /** The resource in the program. A deleted resource is not in the program. */
  declared?: ManagedResource;
  position?: Position;
  /** Properties with secret values. No output shows these values. */
  secrets: ReadonlySet<string>;
  /** URNs of the resources that each input depends on. */
  dependencies: Record<string, string[]>;
  /** Changes by property. For a create operation, the changes are all properties that differ from their defaults. */
  changes: PropertyChange[];
  /**
   * Secrets that may have changed, because their values are masked and the plan file is missing.
   *
   * If an update has no other reason, at least one masked secret changes.
   */
  hidden: string[];
  /** The operation that this package expects, if the engine plans a different operation. */
  disagreement?: Op;
  /** Resource options that differ from their defaults, in the state (`before`) and in the program (`after`). */
  options: { before?: Properties; after?: Properties };
  /** Properties that force a replacement according to the engine. */
  reasons: string[];
  /**
   * Inputs with different values in the program and in the state, including secrets. Without a plan file, the changed inputs are not known.
   */
  changedInputs?: ReadonlySet<string>;
  /** Whether a user requested the replacement, with `--replace` or `pulumi state taint`. */
  asked: boolean;
  createsFirst: boolean;
  /** Whether the engine will refuse the step, because the resource is protected. */
  refused: boolean;
  /** Whether the step leaves the record in the service, either unmanaged or managed by another resource. */
  retained: boolean;
  /** Whether the last update of the resource succeeded only partially, so that the engine repeats the update. */
  unfinished: boolean;
  /** Whether an earlier update replaced the resource but did not delete the old record. */
  pending: boolean;
  /** The delete step of the resource that managed the adopted record. */
  from?: Step;
  otherStack?: string;
  /** The reason why a create operation does not adopt a record, if a report mentions the reason. */
  creation?: Creation;
}

export type OtherChanges = Record<Exclude<EngineOp, "options" | "same"> | "forget", number>;

/** The next update of a stack, derived from the engine's preview, the state and the program. */
export interface PlannedOperation extends StackPreview {
  /** The host that receives the requests, with warnings, if the command reviews the host. */
  address?: ServiceAddress | undefined;
  /** The steps on resources of this package, the most important step first. */
  own: Step[];
  others: OtherChanges;
  /** URNs of changed resources of this package with a type that this version does not support. */
  unknown: string[];
  /** Operations of an interrupted update that have an unknown outcome. An example of `type` is `creating`. */
  interrupted: readonly { urn: string; type: string }[];
  pendingOthers: readonly EngineResource[];
  /** Resources of the project's other stacks, or undefined if create operations may not adopt records. */
  ofOtherStacks?: readonly ManagedResource[];
}

/** The service that gets an operation's requests, and the source of each setting that determines the host. */
export interface ServiceAddress {
  /** Host of the service, such as `api.thousandeyes.com`, or an empty string if no setting names a host. */
  host: string;
  settings: { name: SettingName; from: string; value?: string }[];
  /** Hosts that may get requests. If `allowed` is undefined, every host may get requests. */
  allowed: readonly string[] | undefined;
  dangers: Phrase[];
}

/**
 * The reason why a create operation does not adopt a record. `creationNote` describes each reason.
 *
 * The update fails for every reason except `none`, `unseen` (records could not be read) and `unclear` (a value is unknown).
 */
export interface Creation {
  how: "none" | "unseen" | "unclear" | "identical" | "several" | "managed" | "differs";
  ids?: readonly string[];
  /** Create-only properties with a value that differs from the existing record. */
  properties?: readonly string[];
}
