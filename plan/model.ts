import type { SettingName } from "../api/setting-names";
import type { Phrase } from "../common/phrase";
import type { StackPreview } from "../engine/preview-output";
import type { EngineResource, ManagedResource } from "../engine/state";
import type { Position } from "../common/position";
import type { Kind } from "../provider/kind";
import type { KindName } from "../provider/registry";
import type { Properties } from "../provider/values";
import type { PropertyChange } from "./changes";

/** Operations on a resource. `options` means that only engine options change. The engine calls this step `same`. */
export const engineOps = ["delete", "replace", "update", "create", "options", "same"] as const;
export type EngineOp = (typeof engineOps)[number];

/** Outcomes for a resource, the most important first. A create of the engine is `adopt` if it adopts a record. */
export const allOps = ["delete", "replace", "update", "adopt", "create", "options", "same"] as const;
export type Op = (typeof allOps)[number];

export interface Step {
  op: Op;
  urn: string;
  name: string;
  kindName: KindName;
  kind: Kind;
  /** The resource in the state. For an adoption, the record in the service. Absent for a create. */
  state?: ManagedResource;
  /** The resource in the program. Absent for a delete. */
  declared?: ManagedResource;
  position?: Position;
  /** Properties with values that no output shows. */
  secrets: ReadonlySet<string>;
  /** URNs of the resources whose outputs each input uses. */
  dependencies: Record<string, string[]>;
  /** Changes by property. A create has the properties that differ from the defaults. A delete has no properties. */
  changes: PropertyChange[];
  /**
   * Secrets that may change. The preview masks both sides, and the plan file is missing. Without another change, at least one of them changes,
   * unless the engine repeats an unfinished update.
   */
  hidden: string[];
  /** The operation that this package expects, if the engine plans a different operation. */
  disagreement?: Op;
  /** Engine options with another value than the default: in the state, and in the program. */
  options: { before?: Properties; after?: Properties };
  /** Properties that force a replacement according to the engine. */
  reasons: string[];
  /** Inputs with another value in the program than in the state, including secrets. Absent without a plan file. */
  changedInputs?: ReadonlySet<string>;
  /** Whether a user requested the replacement, with `--replace` or `pulumi state taint`. */
  asked: boolean;
  /** Whether a replacement creates the new record before it deletes the old one. */
  createsFirst: boolean;
  /** Whether the engine will refuse the step, because the resource is protected. */
  refused: boolean;
  /** Whether the step deletes no record: the engine only removes the resource from state, or another resource manages the record. */
  retained: boolean;
  /** Whether the last update succeeded only in part. The engine repeats such an update. */
  unfinished: boolean;
  /** Whether an earlier update replaced the resource and left the deletion of the old record to this update. */
  pending: boolean;
  /** The delete of the resource that managed the adopted record. Absent if no resource of the stack did. */
  from?: Step;
  /** Another stack of the project that manages the adopted record. */
  otherStack?: string;
  /** The reason why a create does not adopt a record, if reports mention it. */
  creation?: Creation;
}

export type OtherChanges = Record<Exclude<EngineOp, "options" | "same"> | "forget", number>;

/** The next update of a stack, from the engine's preview, the state and the program. */
export interface PlannedOperation extends StackPreview {
  /** The host of the requests and its dangers. Absent if the command does not review the host. */
  address?: ServiceAddress | undefined;
  /** The steps on resources of this package, the most important first. */
  own: Step[];
  others: OtherChanges;
  /** URNs of changed resources of this package with a kind that this version does not support. */
  unknown: string[];
  /** Operations of an earlier update with an unknown outcome, such as `creating`. */
  interrupted: readonly { urn: string; type: string }[];
  /** Resources of other providers with a pending deletion. */
  pendingOthers: readonly EngineResource[];
  /** Resources of the project's other stacks. Read only if a create may adopt a record. */
  ofOtherStacks?: readonly ManagedResource[];
}

/** The service that gets an operation's requests, and the source of each setting that determines it. */
export interface ServiceAddress {
  /** Host of the service, such as `api.thousandeyes.com`; empty if no setting names one. */
  host: string;
  settings: { name: SettingName; from: string; value?: string }[];
  /** Hosts that may get requests. Undefined without a restriction. */
  allowed: readonly string[] | undefined;
  dangers: Phrase[];
}

/**
 * The reason why a create does not adopt a record. With `none`, `unseen` (some records could not be read) or `unclear` (a value is secret
 * or unknown), the update may succeed. With any other reason it fails. `creationNote` describes each reason.
 */
export interface Creation {
  how: "none" | "unseen" | "unclear" | "identical" | "several" | "managed" | "differs";
  ids?: readonly string[];
  /** The different properties that only a create can set. */
  properties?: readonly string[];
}
