import { type KindName, registry } from "../../../provider/registry";
import type { Position } from "../../../common/position";
import type { IgnoreEntry } from "./ignore-list";
import { compareText } from "../../../common/text";
import type { SharedRecord } from "../../../plan/shared-records";
import type { PropertyChange } from "../../../plan/changes";

/** The `data` of `endpoint-monitoring drift --json`. Later versions may add members, but never delete them. */
export interface DriftReport {
  /** Whether there is drift, except ignored drift. The exit code is then 2. */
  drift: boolean;
  /** Drift by stack, sorted by name. */
  stacks: StackDrift[];
  /** Records that no stack manages. Absent with `--no-unmanaged`, or if the unmanaged records are not known. */
  unmanaged?: UnmanagedRecord[];
  /** Records that several stacks manage, or that exist more than once. Absent if empty. */
  shared?: SharedRecord[];
  /** Names of stacks whose state could not be read. These stacks may manage any record. Absent if all stacks could be read. */
  unread?: string[];
  /** Properties that the service never returns, so that changes of them are invisible. */
  unseen: UnseenProperty[];
  /** Unmanaged records in `drift.ignore`. They do not count as drift. Absent if empty. */
  ignoredUnmanaged?: (UnmanagedRecord & Ignored)[];
  /** Entries of `drift.ignore` that need attention. Absent if empty. */
  ignoreList?: {
    /** Entries after their last day. Their drift counts again. */
    expired: IgnoreEntry[];
    /** Entries that ignored nothing, although all stacks and kinds were compared. */
    unused: IgnoreEntry[];
  };
  /** Failures: stacks that could not be read, and reasons why unmanaged records are not known. */
  failures: string[];
  /** Result of `--fix`. The rest of the report describes the remaining drift. */
  fixed?: DriftOutcome;
  /** Result of `--accept`. The rest of the report describes the remaining drift. */
  accepted?: DriftOutcome & {
    files: string[];
  };
}

export interface StackDrift {
  stack: string;
  /** Number of this package's resources in the stack. */
  resources: number;
  changed: ChangedResource[];
  missing: MissingResource[];
  /** Changes of properties that the program does not declare, which are not drift. These changes do not count as drift. */
  notes: ChangedResource[];
  /**
   * Resources that the stack wrote so recently that reads may lag behind. Their differences do not count as drift. Absent if
   * empty.
   */
  recent?: RecentResource[];
  /** Drift in `drift.ignore`. Their differences do not count as drift. Absent if empty. */
  ignored?: IgnoredDrift[];
  /** Resources that `--fix` would replace, according to the state. Absent if empty. */
  fixReplaces?: Replacement[];
  /**
   * Resources that could not be read, by account group and reason. The drift of these resources is not known. Absent if all
   * resources could be read.
   */
  unread?: UnreadResources[];
  /** The reason why the stack could not be read. In that case, nothing else about the stack is known. */
  error?: { code: string; message: string };
}

export interface UnreadResources {
  /** Absent if the resources have no account group. */
  accountGroupId?: string;
  resources: ResourceRef[];
  message: string;
}

export interface ResourceRef {
  stack: string;
  /** Kind, such as `label` or `httpServerTest`. */
  kind: KindName;
  name: string;
  id: string;
  urn: string;
  /** The declaration in the program at the last update. Absent after an import. */
  position?: Position;
}

export function bare({ stack, kind, name, id, urn, position }: ResourceRef): ResourceRef {
  return { stack, kind, name, id, urn, position };
}

/** A resource with differences between service and declaration. */
export interface ChangedResource extends ResourceRef {
  properties: PropertyDrift[];
  /** The consequence of a replacement, if a fix requires one. */
  replacementCost?: string;
  /** UTC time of the record's last change, if the service returns it. */
  modified?: string;
}

/** A resource with a record that changed so recently that drift cannot be determined. */
export interface RecentResource extends ResourceRef {
  /** The reason, as a sentence without its period. */
  reason: string;
}

export interface Ignored {
  reason: string;
  /** Last day on which the drift is ignored, such as `2026-12-31`. Absent if the entry does not expire. */
  until?: string;
}

export interface IgnoredDrift extends ResourceRef, Ignored {
  /** Whether the record no longer exists. */
  isMissing: boolean;
  properties: PropertyDrift[];
}

/**
 * A changed property: `before` is the declared value, `after` the value in the service. For a secret, both values are absent.
 */
export interface PropertyDrift extends PropertyChange {
  /** `program` if the program declares the property, otherwise `service`. */
  owner: "program" | "service";
}

/** A resource that a fix replaces. Its record is deleted, and a new one is created. */
export interface Replacement extends ResourceRef {
  replacementCost: string;
}

export interface MissingResource extends ResourceRef {
  /** Names of the resources that refer to it. They also change, because the resource gets a new id. */
  referredToBy: string[];
  /** An unmanaged record with equal or nearly equal settings. A user probably recreated the deleted record in the UI. */
  recreated?: { id: string; name: string };
}

export interface UnmanagedRecord {
  kind: KindName;
  id: string;
  name: string;
  accountGroupId?: string;
  /** UTC time of the last change, if the service returns it. */
  modified?: string;
}

export interface UnseenProperty {
  kind: KindName;
  property: string;
  /** Number of resources with the property. Includes imported resources that may have the property. */
  resources: number;
}

export interface DriftOutcome {
  resources: (ResourceRef & {
    how: "changed" | "replaced" | "created again" | "followed" | "accepted";
    properties: string[];
  })[];
  /** Resources whose record `--fix` replaced, even if that did not fix them. */
  replaced?: Replacement[];
  /** Resources that were not changed, with the reason. */
  left: (ResourceRef & { reason: string })[];
  /** Other changes that the program declares. They were not made. */
  pending: { stack: string; op: string; name: string; urn: string }[];
  /** Reasons of failed updates. */
  failures: string[];
}

const kindOrder = Object.keys(registry);

/** Sorts by the order of the registry, then by name and id, so that the same drift leads to the same report. */
export function inOrder<T extends { kind: KindName; id: string; name: string }>(items: readonly T[]): T[] {
  const rank = ({ kind }: T): number => kindOrder.indexOf(kind);
  return items.toSorted((a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.id, b.id));
}
