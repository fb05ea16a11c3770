import { type KindName, registry } from "../../provider/registry";
import type { Position } from "../engine/state";
import type { IgnoreEntry } from "./ignore-list";
import type { PropertyChange } from "../report/changes";
import { compareText } from "../report/text";

/** The `data` of `endpoint-monitoring drift --json`. Later versions may add members, and take none away. */
export interface DriftReport {
  /** Whether something was found that counts: the exit code is 2 then. */
  drift: boolean;
  /** One entry a stack, in the order of their names. */
  stacks: StackDrift[];
  /** Records that no stack manages. Absent with `--no-unmanaged`, or if they are not known. */
  unmanaged?: UnmanagedRecord[];
  /** Properties that the service never returns: a change of one of these cannot be seen. */
  unseen: UnseenProperty[];
  /** Records that no stack manages and `drift.ignore` names: not counted. Absent where there are none. */
  ignoredUnmanaged?: (UnmanagedRecord & Ignored)[];
  /** Entries of `drift.ignore` to look at; absent where there are none. */
  ignoreList?: {
    /** Their last day is over: what they were for counts again. */
    expired: IgnoreEntry[];
    /** They ignored nothing, although everything was looked at. */
    unused: IgnoreEntry[];
  };
  /** Failures: stacks that could not be read, and the reason why unmanaged records are not known. */
  failures: string[];
  /** With `--mend`: what was fixed. The rest of the report is what is left afterwards. */
  mended?: DriftOutcome;
  /** With `--accept`: what was written into the program. The rest of the report is what is left afterwards. */
  accepted?: DriftOutcome & {
    /** Files that were written, from the project's folder. */
    files: string[];
  };
}

/** Differences between a stack and the service. */
export interface StackDrift {
  stack: string;
  /** Resources of ours that the stack holds. */
  resources: number;
  changed: ChangedResource[];
  missing: MissingResource[];
  /** Changes of properties that the program leaves to the service: reported, not counted. */
  notes: ChangedResource[];
  /** Drift that `drift.ignore` names. It is reported and does not count. Absent if there is none. */
  ignored?: IgnoredDrift[];
  /** Resources that `--mend` would replace by what the state shows. Absent if there are none. */
  mendingReplaces?: Replacement[];
  /** The reason why the stack could not be read. Nothing is known of it then. */
  error?: { code: string; message: string };
}

/** A resource of a stack. */
export interface ResourceRef {
  stack: string;
  /** Kind, as `label` or `httpServerTest`. */
  kind: KindName;
  /** Name in the program. */
  name: string;
  /** Identifier in the service. */
  id: string;
  urn: string;
  /** Where the program declares it, as of the last update. Unknown after an import. */
  position?: Position;
}

/** A resource without what was found of it. */
export function bare({ stack, kind, name, id, urn, position }: ResourceRef): ResourceRef {
  return { stack, kind, name, id, urn, ...(position ? { position } : {}) };
}

/** A resource that the service holds otherwise than declared. */
export interface ChangedResource extends ResourceRef {
  properties: PropertyDrift[];
  /** The cost of a fix that takes a replacement. */
  replacementCost?: string;
  /** When the record was last changed, by whomever, where the service returns that. UTC. */
  modified?: string;
}

/** The reason why drift does not count. */
export interface Ignored {
  reason: string;
  /** Last day of that, such as `2026-12-31`; absent where it has none. */
  until?: string;
}

/** Drift of a resource that is not counted. */
export interface IgnoredDrift extends ResourceRef, Ignored {
  /** Whether the resource is missing as a whole. */
  isMissing: boolean;
  properties: PropertyDrift[];
}

/** A property: `before` is what was declared, `after` what the service holds. Of a secret neither is shown. */
export interface PropertyDrift extends PropertyChange {
  /** `program` where the program declares it, `service` where the program leaves it to the service. */
  owner: "program" | "service";
}

/** A resource that is replaced to fix its drift: its record is deleted, and another one made. */
export interface Replacement extends ResourceRef {
  /** The cost, as a part of a sentence. */
  replacementCost: string;
}

/** A resource that no longer exists in the service. */
export interface MissingResource extends ResourceRef {
  /** Names of the resources that refer to it: creating it again gives it another id, so they change too. */
  referredToBy: string[];
}

/** A record of the service that no stack manages. */
export interface UnmanagedRecord {
  kind: KindName;
  id: string;
  /** Name in the service. */
  name: string;
  accountGroupId?: string;
  /** When it was last changed, where the service returns that. UTC. */
  modified?: string;
}

export interface UnseenProperty {
  kind: KindName;
  property: string;
  /** Resources that have it; imported ones, of which that is not known, count where they may have it. */
  resources: number;
}

/** The result of a fix or an accept. */
export interface DriftOutcome {
  /** The resources that were fixed. */
  resources: (ResourceRef & {
    how: "changed" | "replaced" | "created again" | "followed" | "accepted";
    properties: string[];
  })[];
  /** Those whose record was deleted and made anew, by `--mend`, whether or not all of them were fixed. */
  replaced?: Replacement[];
  /** The resources that were left as they are, and why. */
  left: (ResourceRef & { reason: string })[];
  /** Other changes of the program that wait for an update: none of them was carried out. */
  pending: { stack: string; op: string; name: string; urn: string }[];
  /** Reasons why an update failed. */
  failures: string[];
}

export function emptyOutcome(): DriftOutcome {
  return { resources: [], left: [], pending: [], failures: [] };
}

const kindOrder = Object.keys(registry);

/** In the order of the registry, then by name and id: the same drift is always reported in the same words. */
export function inOrder<T extends { kind: KindName; id: string; name: string }>(items: readonly T[]): T[] {
  const rank = ({ kind }: T): number => kindOrder.indexOf(kind);
  return items.toSorted((a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.id, b.id));
}
