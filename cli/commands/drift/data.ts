import { type KindName, registry } from "../../../provider/registry";
import type { Position } from "../../../common/position";
import type { IgnoreEntry } from "./ignore-list";
import { compareText } from "../../../common/text";
import type { SharedRecord } from "../../../plan/shared-records";
import type { PropertyChange } from "../../../plan/changes";

/** The `data` of `endpoint-monitoring drift --json`. Later versions may add members, and take none away. */
export interface DriftReport {
  /** True if the report has drift that counts: the exit code is 2. */
  drift: boolean;
  /** One entry a stack, in the order of their names. */
  stacks: StackDrift[];
  /** Records that no stack manages. Absent with `--no-unmanaged`, or if they are not known. */
  unmanaged?: UnmanagedRecord[];
  /** Records that several stacks manage, or that exist more than once. Absent if the list is empty. */
  shared?: SharedRecord[];
  /** Names of stacks with a state that could not be read: they may manage any record. Absent if all were read. */
  unread?: string[];
  /** Properties that the service never returns: a change of one of these cannot be seen. */
  unseen: UnseenProperty[];
  /** Records that no stack manages and `drift.ignore` names: not counted. Absent if there are none. */
  ignoredUnmanaged?: (UnmanagedRecord & Ignored)[];
  /** Entries of `drift.ignore` that need a look. Absent if there are none. */
  ignoreList?: {
    /** Entries whose last day is over. What they name counts again. */
    expired: IgnoreEntry[];
    /** Entries that ignored nothing, although all stacks and kinds were compared. */
    unused: IgnoreEntry[];
  };
  /** Failures: stacks that could not be read, and the reason why unmanaged records are not known. */
  failures: string[];
  /** With `--fix`: what was fixed. The rest of the report is what is left afterwards. */
  fixed?: DriftOutcome;
  /** With `--accept`: what was written into the program. The rest of the report is what is left afterwards. */
  accepted?: DriftOutcome & {
    files: string[];
  };
}

export interface StackDrift {
  stack: string;
  /** Resources of ours that the stack holds. */
  resources: number;
  changed: ChangedResource[];
  missing: MissingResource[];
  /** Changes of properties that the program leaves to the service: reported, not counted. */
  notes: ChangedResource[];
  /** Resources that the stack wrote so recently that reads may lag behind. They do not count. Absent if the list is empty. */
  recent?: RecentResource[];
  /** Drift that `drift.ignore` names. It is reported and does not count. Absent if there is none. */
  ignored?: IgnoredDrift[];
  /** Resources that `--fix` would replace by what the state shows. Absent if there are none. */
  fixReplaces?: Replacement[];
  /** Resources that could not be read, by account group and reason: their drift is unknown. Absent if all could be read. */
  unread?: UnreadResources[];
  /** The reason why the stack could not be read. Nothing is known of it then. */
  error?: { code: string; message: string };
}

export interface UnreadResources {
  /** Absent if the resources have none. */
  accountGroupId?: string;
  resources: ResourceRef[];
  message: string;
}

export interface ResourceRef {
  stack: string;
  /** Kind, as `label` or `httpServerTest`. */
  kind: KindName;
  name: string;
  id: string;
  urn: string;
  /** The declaration in the program, as of the last update. Unknown after an import. */
  position?: Position;
}

export function bare({ stack, kind, name, id, urn, position }: ResourceRef): ResourceRef {
  return { stack, kind, name, id, urn, position };
}

/** A resource that the service holds otherwise than declared. */
export interface ChangedResource extends ResourceRef {
  properties: PropertyDrift[];
  /** The cost of a fix that takes a replacement. */
  replacementCost?: string;
  /** Time of the last change of the record, UTC, if the service returns it. */
  modified?: string;
}

/** A resource with a record that is too recent to judge. */
export interface RecentResource extends ResourceRef {
  /** The reason, as a sentence without its period. */
  reason: string;
}

export interface Ignored {
  reason: string;
  /** Last day on which it does not count, such as `2026-12-31`. Absent if there is none. */
  until?: string;
}

export interface IgnoredDrift extends ResourceRef, Ignored {
  /** True if the whole resource is missing. */
  isMissing: boolean;
  properties: PropertyDrift[];
}

/** A changed property: `before` is the declared value, `after` the value in the service. A secret has neither. */
export interface PropertyDrift extends PropertyChange {
  /** `program` if the program declares the property, `service` if it leaves it to the service. */
  owner: "program" | "service";
}

/** A resource that a fix replaces: its record is deleted, and another one is created. */
export interface Replacement extends ResourceRef {
  replacementCost: string;
}

export interface MissingResource extends ResourceRef {
  /** Names of the resources that refer to it. They change too, as it gets another id when it is created again. */
  referredToBy: string[];
  /** Unmanaged record with equal or nearly equal settings: the deleted record was probably created again in the UI. */
  recreated?: { id: string; name: string };
}

export interface UnmanagedRecord {
  kind: KindName;
  id: string;
  name: string;
  accountGroupId?: string;
  /** Time of its last change, UTC, if the service returns it. */
  modified?: string;
}

export interface UnseenProperty {
  kind: KindName;
  property: string;
  /** Number of resources that have it. Imported resources count if they may have it. */
  resources: number;
}

export interface DriftOutcome {
  resources: (ResourceRef & {
    how: "changed" | "replaced" | "created again" | "followed" | "accepted";
    properties: string[];
  })[];
  /** Resources whose record `--fix` replaced, whether or not that fixed them. */
  replaced?: Replacement[];
  /** Resources that were left as they are, with the reason. */
  left: (ResourceRef & { reason: string })[];
  /** Other changes of the program. None of them was carried out. */
  pending: { stack: string; op: string; name: string; urn: string }[];
  /** Reasons why an update failed. */
  failures: string[];
}

const kindOrder = Object.keys(registry);

/** Sorts by the order of the registry, then by name and id, so that the same drift gives the same report. */
export function inOrder<T extends { kind: KindName; id: string; name: string }>(items: readonly T[]): T[] {
  const rank = ({ kind }: T): number => kindOrder.indexOf(kind);
  return items.toSorted((a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.id, b.id));
}
