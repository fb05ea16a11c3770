import type { ServiceAgent } from "../../provider/reach/holdings";
import type { Overloaded } from "../../provider/reach/load";
import type { Reference } from "../../provider/references/references";
import type { KindName } from "../../provider/registry";
import type { LicensePeak } from "../account-facts";
import type { PropertyChange } from "../changes";
import type { Op, Step, ServiceAddress } from "../model";
import type { FindingData } from "../../common/finding";
import type { CheckName } from "./checks";

/**
 * A reviewed change, as `review --json` prints it under `data`. Later versions may add members; they neither rename nor
 * remove any. Names are as their owners wrote them: a program that shows them must escape them.
 */
export interface Review {
  /** Stack that the preview is of; empty where the preview has no step. */
  stack: string;
  /** The host that requests go to, and the origin of each setting that decides about that. Absent if a preview was given. */
  address?: Omit<ServiceAddress, "allowed" | "dangers">;
  /** True if the host of the requests is new, so that nothing was previewed, and nothing sent. */
  notPreviewed?: true;
  summary: ReviewSummary;
  /** The most serious checks first. `rule` is the name of the check in `--fail-on`. */
  findings: FindingData<CheckName>[];
  /** Resources that change, the most important first. */
  resources: ResourceData[];
  /** The same resources, with equal changes in one group. The delete and the create of a rename are one member. */
  groups: GroupData[];
  /** Resources that the program declares under another name or parent, without an alias. */
  renames: RenameData[];
  costs: Costs;
  /** Digest of the approval that was written, and its file. Absent if no approval was written. */
  approval?: { digest: string; file: string };
  /** The load of agents. Absent where it could not be worked out, and where no label, test or agent changes. */
  load?: TestLoad;
}

export interface ReviewSummary {
  created: number;
  updated: number;
  replaced: number;
  /** Resources whose record the service deletes. */
  deleted: number;
  /** Resources that adopt an existing record: nothing is created, and its id stays. */
  adopted: number;
  /** Resources that leave the stack while the service deletes nothing. */
  forgotten: number;
  /** The same numbers for resources of other providers, without components. A review counts them and does not explain them. */
  others: { created: number; updated: number; replaced: number; deleted: number; forgotten: number };
  /**
   * Different enabled agents that the changed labels and tests select together. Absent where that could not be worked out. With `chosen`
   * some test selects more than its `maxMachines`, so that not all of them run it. With `open` there may be more than the number.
   */
  agents?: { before: number; after: number; chosen?: true; open?: { before?: OpenReach; after?: OpenReach } };
  findings: number;
}

/** The costs of a change, each number with the names behind it. */
export interface Costs {
  /** Tests that are deleted or replaced: their results so far belong to no test afterwards. */
  histories: NamedCount;
  replacements: NamedCount;
  /** Alert rules and streams that lose a record which they name. */
  references: NamedCount;
  /** Agents that get more tests than their license runs, and more so than now. Absent if the load is not known. */
  overLicense?: NamedCount;
  /** Rounds an hour that all tests ask for. Absent if the load is not known. */
  rounds?: { before: number; after: number };
}

/** Resources of one kind with equal changes, outcomes and findings. */
export interface GroupData {
  kind: KindName;
  outcome: ResourceOutcome | "rename";
  /** URNs, in the order of the names. A rename has the URN of the created resource. */
  members: string[];
  /** Changes that all members share. */
  changes: PropertyChange[];
  /** Checks that found something about each member. */
  checks: CheckName[];
}

/** A deleted and a created resource that are one resource under another name or parent. */
export interface RenameData {
  /** The deleted resource. Its record is lost unless the program gets the alias. */
  from: { urn: string; name: string; id: string };
  /** The created resource. */
  to: { urn: string; name: string };
  /** Item of the resource option `aliases` that keeps the record, as TypeScript. */
  alias: string;
  /** Place of the resource options, from the project's folder. Absent if it is not known. */
  file?: string;
  line?: number;
  /** True if the update fails at the create, because the service has an equal record. */
  fails?: true;
}

export interface NamedCount {
  count: number;
  names: string[];
}

/** Numbers of agents, labels and tests for which the reach of a change is not known. */
export interface OpenReach {
  /** Further agents for which it cannot be determined whether they are selected. */
  unclear?: number;
  /** Labels, tags and tests whose agents are not known. */
  unknown?: number;
}

export interface ResourceData extends Pick<Step, "urn" | "name" | "changes" | "hidden" | "creation" | "position"> {
  kind: KindName;
  op: Exclude<Op, "same">;
  /** Name in the service, unless it is secret. */
  title?: string;
  /** True if an earlier update left the resource to be deleted, and this one deletes it. */
  pending?: boolean;
  /** The resource that had the adopted record and leaves the program. Absent if no resource of the stack had it. */
  from?: { urn: string; name: string };
  /** The reason why a delete leaves the record in the service, or has no record to delete, as a sentence. */
  forgotten?: string;
  /** Identifier of the record, also of an adopted one; absent for a create. */
  id?: string;
  protect: boolean;
  /** True if the last update succeeded in part, so that the engine repeats it. */
  unfinished?: true;
  replaces: { property: string; /** Resources whose new ids force it, by URN. */ because?: string[] }[];
  /** True if somebody asked for the replacement, with `--replace` or `pulumi state taint`. */
  asked?: true;
  /** The cost of a replacement, as a part of a sentence. */
  cost?: string;
  reach?: Reach;
  touches?: TouchedTest[];
  /** The alert rules and streams that name the record, and that lose it. */
  references?: Reference[];
}

/** The operation on a resource; `forget` for a delete that leaves the record in the service. */
export type ResourceOutcome = Exclude<Op, "same"> | "forget";

/** Words for outcomes, as the end of a sentence about the resource. */
export const outcomeWords: Readonly<Record<ResourceOutcome, string>> = {
  delete: "deleted",
  forget: "removed from state",
  replace: "replaced",
  update: "updated",
  adopt: "adopted",
  create: "created",
  options: "kept with other options",
};

/** The enabled agents that a label or tag is on, or that run a test. A disabled test has none. */
export interface Reach {
  /** Absent for a create, and if it is not known. */
  before?: ReviewedReach;
  /** Absent for a delete, and if it is not known. */
  after?: ReviewedReach;
  /** Agents that are selected afterwards and not now, and the other way round. */
  gained?: NamedAgents;
  lost?: NamedAgents;
  /** True for a test that is disabled afterwards: no agent runs it. */
  off?: true;
  /** The reason why a part of the reach is not known, as the end of a sentence. */
  unknown?: string;
}

/** Agents: how many, and the first names in alphabetical order. */
export interface NamedAgents {
  count: number;
  /** At most ten. */
  names: string[];
  /** Number of agents that checked in within the hour. Absent if all did, or if the service does not return that. */
  seen?: number;
}

/** Agents that a label or tag is on, or that run a test, for certain. */
export interface ReviewedReach extends NamedAgents {
  /** Number of agents that the test selects, if that is more than its `maxMachines`: the service chooses which of them run it. */
  of?: number;
  /** Number of further agents for which it cannot be determined whether the label, tag or test selects them. */
  unclear?: number;
  /** The reason why the others are unclear, as the end of a sentence. */
  why?: string;
}

export interface KnownRecord {
  kind: KindName;
  /** Name in the program, if the preview has the resource; else the name in the service. */
  name: string;
  /** Absent if the record does not exist yet. */
  id?: string;
  /** URN, if the preview has the resource. A record without one exists in the service only, or in another stack. */
  urn?: string;
}

export interface TouchedTest extends KnownRecord, Reach {}

export interface TestLoad {
  accountGroups: string[];
  before: LoadState;
  after: LoadState;
  /** Agents that are assigned more tests afterwards than their license runs, the ones that get worse first. */
  over: ({ name: string; licenseType: string } & Pick<ServiceAgent, "id" | "accountGroupId"> & Omit<Overloaded, "agent">)[];
  /** Tests that some agents cannot run afterwards, as their licenses have no room. */
  crowdedOut: { name: string; id?: string; urn?: string; agents: number }[];
  /** Licenses of the organization: the peak of the current month. Absent where the token may not read them. */
  licenses?: LicensePeak[];
  /** Number of tests that were not counted, as it is not known which agents run them. */
  notCounted: number;
  /** True if a test selects more agents than its `maxMachines`: the first ones were counted, and the service chooses others. */
  approximate: boolean;
}

export interface LoadState {
  agents: number;
  /** Rounds an hour that tests ask for: 3,600 by the interval of each, times its agents. */
  rounds: number;
  /** Rounds an hour that run, as far as licenses have room. */
  roundsRun: number;
  /** Agents that are assigned more tests than their license runs. */
  over: number;
}
