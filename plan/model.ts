import type { SettingName } from "../api/setting-names";
import type { Phrase } from "../common/phrase";
import type { StackPreview } from "../engine/preview-output";
import type { EngineResource, ManagedResource } from "../engine/state";
import type { Position } from "../common/position";
import type { Kind } from "../provider/kind";
import type { KindName } from "../provider/registry";
import type { Properties } from "../provider/values";
import type { PropertyChange } from "./changes";

/** Operations on a resource. `options` changes only options of the engine; the engine calls it `same`. */
export const engineOps = ["delete", "replace", "update", "create", "options", "same"] as const;
export type EngineOp = (typeof engineOps)[number];

/** Outcomes for a resource, the most important first. A create of the engine may adopt a record. */
export const allOps = ["delete", "replace", "update", "adopt", "create", "options", "same"] as const;
export type Op = (typeof allOps)[number];

export interface Step {
  op: Op;
  urn: string;
  name: string;
  kindName: KindName;
  kind: Kind;
  /** The resource in the state; for an adoption, the record in the service. Absent for a create. */
  state?: ManagedResource;
  /** The resource as the program declares it; absent for a delete. */
  declared?: ManagedResource;
  position?: Position;
  /** Properties whose values are never shown. */
  secrets: ReadonlySet<string>;
  /** URNs of the resources whose outputs each input uses. */
  dependencies: Record<string, string[]>;
  /** Changes by property; for a create, the properties that differ from the defaults. Empty for a delete. */
  changes: PropertyChange[];
  /**
   * Secrets that may change: the preview masks both sides, and there is no plan. Without another change, one of them changes, unless the
   * engine repeats an update that did not finish.
   */
  hidden: string[];
  /** The operation that this tool expects, if the engine plans another one. */
  disagreement?: Op;
  /** Options of the engine that differ from the default, in the state and in the program. */
  options: { before?: Properties; after?: Properties };
  /** Properties that force a replacement, by the engine. */
  reasons: string[];
  /** Inputs that the program declares differently from the state, secrets included. Absent without a plan. */
  changedInputs?: ReadonlySet<string>;
  /** The user requested the replacement, with `--replace` or `pulumi state taint`. */
  asked: boolean;
  /** A replacement creates the new record before it deletes the old one. */
  createsFirst: boolean;
  /** The engine will refuse the step, because the resource is protected. */
  refused: boolean;
  /** The step deletes no record: the engine only forgets the resource, or another resource manages its record. */
  retained: boolean;
  /** The last update succeeded in part, so the engine updates it again. */
  unfinished: boolean;
  /** An earlier update replaced the resource and left the deletion of the old one to this update. */
  pending: boolean;
  /** The delete of the resource whose record this step adopts. Absent if no resource of the stack managed the record. */
  from?: Step;
  /** Another stack of the project that manages the record which this step adopts. */
  otherStack?: string;
  /** The reason why a create adopts nothing, if it is worth a note. */
  creation?: Creation;
}

export type OtherChanges = Record<Exclude<EngineOp, "options" | "same"> | "forget", number>;

/** The next update of a stack, from the engine's preview, the state and the program. */
export interface PlannedOperation extends StackPreview {
  /** The address of its requests. Absent if it is not reviewed. */
  address?: ServiceAddress | undefined;
  /** The steps on resources of this package, the most important ones first. */
  own: Step[];
  others: OtherChanges;
  /** URNs of changing resources of this package with a kind that this version does not know. */
  unknown: string[];
  /** Operations of an earlier update with an unknown outcome: `creating`, `deleting`. */
  interrupted: readonly { urn: string; type: string }[];
  /** Resources of other providers with a pending deletion. */
  pendingOthers: readonly EngineResource[];
  /** Resources of the project's other stacks. They are read only if a create may adopt a record. */
  ofOtherStacks?: readonly ManagedResource[];
}

/** The service to which the requests of an operation go, and the source of each setting that decides about that. */
export interface ServiceAddress {
  /** Host of the service, such as `api.thousandeyes.com`; empty if no setting names one. */
  host: string;
  settings: { name: SettingName; from: string; value?: string }[];
  /** Hosts that may get requests; undefined if every host may. */
  allowed: readonly string[] | undefined;
  dangers: Phrase[];
}

/**
 * The reason why a create adopts no record. Except for `none`, `unseen` (some records could not be read) and `unclear` (a value is secret or
 * unknown), the update will fail. `creationNote` describes each.
 */
export interface Creation {
  how: "none" | "unseen" | "unclear" | "identical" | "several" | "managed" | "differs";
  ids?: readonly string[];
  /** The differing properties that only a create sets. */
  properties?: readonly string[];
}
