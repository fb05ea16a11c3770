import { type KindName, registry } from "../../../provider/registry";
import type { Position } from "../../../common/position";
import type { IgnoreEntry } from "./ignore-list";
import { compareText } from "../../../common/text";
import type { SharedRecord } from "../../../plan/shared-records";
import type { PropertyChange } from "../../../plan/changes";

/** The member `data` in the output of `drift --json`. Later versions may add members, but never delete members. */
export interface DriftReport {
  /** Whether there is drift that `drift.ignore` does not list. The exit code is 2 if `drift` is true. */
  drift: boolean;
  /** Drift by stack, sorted by name. */
  stacks: StackDrift[];
  /**
   * Records that no stack manages. With `--no-unmanaged` or after a failed search, the report does not contain a list of unmanaged records.
   */
  unmanaged?: UnmanagedRecord[];
  /** Records that several stacks manage or that exist more than once, if there are any. */
  shared?: SharedRecord[];
  /**
   * Names of stacks that could not be read, if there are any. If a stack cannot be read, the command cannot determine unmanaged records.
   */
  unread?: string[];
  /** Properties that the service never returns, so `drift` cannot detect changes to their values. */
  unseen: UnseenProperty[];
  /** Unmanaged records that `drift.ignore` lists, if there are any. Ignored records do not count as drift. */
  ignoredUnmanaged?: (UnmanagedRecord & Ignored)[];
  /** Entries of `drift.ignore` that the user should check, if there are any. */
  ignoreList?: {
    /** Expired entries of `drift.ignore`. If only an expired entry matches a difference, the difference counts as drift again. */
    expired: IgnoreEntry[];
    /** Entries of `drift.ignore` that matched no drift, although all stacks and resource types were compared. */
    unused: IgnoreEntry[];
  };
  /** Reasons why stacks could not be read, or why unmanaged records are not known. */
  failures: string[];
  /** Result of `--fix`. The other members of the report describe the remaining drift. */
  fixed?: DriftOutcome;
  /** Result of `--accept`. The other members of the report describe the remaining drift. */
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
  /**
   * Resources with changed properties that the program omits or ignores. Changes to omitted or ignored properties do not count as drift.
   */
  notes: ChangedResource[];
  /**
   * Resources that changed so recently that the service may still return old values. Differences in recently changed resources do not count
   * as drift.
   */
  recent?: RecentResource[];
  /** Drift that `drift.ignore` lists, if there is any. Ignored differences do not count as drift. */
  ignored?: IgnoredDrift[];
  /** Resources that `--fix` would replace according to the state, if there are any. */
  fixReplaces?: Replacement[];
  /** Resources that could not be read, by account group and reason. The drift of unread resources is not known. */
  unread?: UnreadResources[];
  /** The reason why the stack could not be read. A stack with an error has no differences in the report. */
  error?: { code: string; message: string };
}

export interface UnreadResources {
  /** Account group of the resources, if the state contains one. */
  accountGroupId?: string;
  resources: ResourceRef[];
  message: string;
}

export interface ResourceRef {
  stack: string;
  /** Resource type, such as `label` or `httpServerTest`. */
  kind: KindName;
  name: string;
  id: string;
  urn: string;
  /** Position of the declaration at the last update. Imported resources have no position until the next update. */
  position?: Position;
}

export function bare({ stack, kind, name, id, urn, position }: ResourceRef): ResourceRef {
  return { stack, kind, name, id, urn, position };
}

export interface ChangedResource extends ResourceRef {
  properties: PropertyDrift[];
  /** The consequence of a replacement, if a fix replaces the resource. */
  replacementCost?: string;
  /** UTC time of the record's last change, if the service returns the time. */
  modified?: string;
}

export interface RecentResource extends ResourceRef {
  /** The reason why the resource could not be compared: a sentence without a period. */
  reason: string;
}

export interface Ignored {
  reason: string;
  /** Last valid day of the ignore entry, such as `2026-12-31`. Entries without a last day never expire. */
  until?: string;
}

export interface IgnoredDrift extends ResourceRef, Ignored {
  isMissing: boolean;
  properties: PropertyDrift[];
}

/**
 * A changed property, with `before` as the declared value and `after` as the service's value. For a secret property, the report omits the
 * values.
 */
export interface PropertyDrift extends PropertyChange {
  /** `program` if the program declares the property, otherwise `service`. */
  owner: "program" | "service";
}

export interface Replacement extends ResourceRef {
  replacementCost: string;
}

export interface MissingResource extends ResourceRef {
  /**
   * Names of the resources that refer to the missing resource. A fix also changes the referring resources, because the new record has a
   * different id.
   */
  referredToBy: string[];
  /** An unmanaged record with nearly the same settings. A user probably created this record to replace the deleted record. */
  recreated?: { id: string; name: string };
}

export interface UnmanagedRecord {
  kind: KindName;
  id: string;
  name: string;
  accountGroupId?: string;
  /** UTC time of the record's last change, if the service returns the time. */
  modified?: string;
}

export interface UnseenProperty {
  kind: KindName;
  property: string;
  /** Number of resources that have the property. An imported resource also counts if it may have the property. */
  resources: number;
}

export interface DriftOutcome {
  resources: (ResourceRef & {
    how: "changed" | "replaced" | "created again" | "followed" | "accepted";
    properties: string[];
  })[];
  /** Resources that `--fix` replaced, even if drift remains. */
  replaced?: Replacement[];
  /** Resources that the command did not change, with the reasons. */
  left: (ResourceRef & { reason: string })[];
  /** Changes to the program that the command did not apply, because these changes are not drift. */
  pending: { stack: string; op: string; name: string; urn: string }[];
  failures: string[];
}

const kindOrder = Object.keys(registry);

/** Sorts items by resource type, name and id, so that equal drift leads to equal reports. */
export function inOrder<T extends { kind: KindName; id: string; name: string }>(items: readonly T[]): T[] {
  const rank = ({ kind }: T): number => kindOrder.indexOf(kind);
  return items.toSorted((a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.id, b.id));
}
