import type { KindName } from "../../provider/registry";
import type { PropertyChange } from "../changes";
import type { Position } from "../engine/state";

/** What `endpoint-monitoring drift --json` prints as `data`. Members may be added in later versions, none is taken away. */
export interface DriftReport {
  /** Whether something was found that counts: the exit code is 2 then. */
  drift: boolean;
  /** One entry a stack, in the order of their names. */
  stacks: StackDrift[];
  /** What no stack manages; absent where it was not looked for (`--no-unmanaged`) or could not be told. */
  unmanaged?: UnmanagedRecord[];
  /** Properties that the service never returns: a change of one of these can't be seen. */
  unseen: UnseenProperty[];
  /** What failed: stacks that could not be looked at, and why what is unmanaged could not be told. */
  failures: string[];
  /** With `--mend`: what was put right. The rest of the report is what is left afterwards. */
  mended?: Outcome;
  /** With `--accept`: what was written into the program. The rest of the report is what is left afterwards. */
  accepted?: Outcome & {
    /** Files that were written, from the project's folder. */
    files: string[];
  };
}

/** What differs between a stack and the service. */
export interface StackDrift {
  stack: string;
  /** Resources of ours that the stack holds. */
  resources: number;
  changed: ChangedResource[];
  missing: MissingResource[];
  /** Changes of properties that the program leaves to the service: told, not counted. */
  notes: ChangedResource[];
  /** What `--mend` would replace, as far as the state tells; absent where that is nothing. */
  mendingReplaces?: Replacement[];
  /** Why the stack could not be looked at: then nothing is known of it. */
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
  /** What putting it right costs, where that takes a replacement. */
  replacementCost?: string;
  /** When the record was last changed, by whomever, where the service says so. UTC. */
  modified?: string;
}

/** A property: `before` is what was declared, `after` what the service holds. Of a secret neither is told. */
export interface PropertyDrift extends PropertyChange {
  /** `program` where the program declares it, `service` where the program leaves it to the service. */
  owner: "program" | "service";
  /** Of a list: the items that the service has and the program did not declare. */
  gained?: unknown[];
  /** Of a list: the declared items that the service has no more. */
  lost?: unknown[];
}

/** A resource that is replaced by putting the drift right: its record is deleted, and another one made. */
export interface Replacement extends ResourceRef {
  /** What that costs, as a sentence part. */
  replacementCost: string;
}

/** A resource that has gone from the service. */
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
  /** When it was last changed, where the service says so. UTC. */
  modified?: string;
}

export interface UnseenProperty {
  kind: KindName;
  property: string;
  /** Resources that have it; imported ones, of which that is not known, count where they may have it. */
  resources: number;
}

/** What became of the drift. */
export interface Outcome {
  /** The resources that are right now. */
  resources: (ResourceRef & {
    how: "changed" | "replaced" | "created again" | "followed" | "accepted";
    properties: string[];
  })[];
  /** Those whose record was deleted and made anew, by `--mend`, whether or not all of them are right now. */
  replaced?: Replacement[];
  /** The resources that were left as they are, and why. */
  left: (ResourceRef & { reason: string })[];
  /** Other changes of the program that wait for an update: none of them was carried out. */
  pending: { stack: string; op: string; name: string; urn: string }[];
  /** Why an update failed, reason by reason. */
  failures: string[];
}
