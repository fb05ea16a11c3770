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
 * A reviewed change, as `review --json` prints it under `data`. Later versions may add members, but never rename or delete them. Names
 * appear as users wrote them. A program that displays them must escape them.
 */
export interface Review {
  /** Name of the stack. Empty if the preview has no steps. */
  stack: string;
  /** The host of the requests, and the source of each setting that determines it. Absent if the preview comes from a file. */
  address?: Omit<ServiceAddress, "allowed" | "dangers">;
  /** Whether the host is new. In that case the command does not preview the stack and sends no requests. */
  notPreviewed?: true;
  summary: ReviewSummary;
  /** Findings, the most serious first. `rule` is the name of the check in `--fail-on`. */
  findings: FindingData<CheckName>[];
  /** Resources that change, the most important first. */
  resources: ResourceData[];
  /** The same resources, with equal changes in one group. The delete and the create of a rename form one member. */
  groups: GroupData[];
  /** Resources with another name or parent in the program, and without an alias. */
  renames: RenameData[];
  costs: Costs;
  /** Digest and file of the approval. Absent if the command wrote no approval. */
  approval?: { digest: string; file: string };
  /** Load of the agents. Absent if it is not known, and if no label, test or agent changes. */
  load?: TestLoad;
}

export interface ReviewSummary {
  created: number;
  updated: number;
  replaced: number;
  /** Resources whose record the service deletes. */
  deleted: number;
  /** Resources that adopt an existing record. The record keeps its id. */
  adopted: number;
  /** Resources that the update removes from state while their records stay in the service. */
  forgotten: number;
  /** The same numbers for resources of other providers, without components. A review has no details about these resources. */
  others: { created: number; updated: number; replaced: number; deleted: number; forgotten: number };
  /**
   * Number of different enabled agents that the changed labels and tests select together. Absent if they are not known.
   * `chosen` is true if a test selects more than its `maxMachines`, so that not all of them run it. With `open`, the true
   * number may be higher.
   */
  agents?: { before: number; after: number; chosen?: true; open?: { before?: OpenReach; after?: OpenReach } };
  findings: number;
}

/** The costs of a change as numbers, with the names that they count. */
export interface Costs {
  /** Tests that are deleted or replaced. They lose their existing result history. */
  histories: NamedCount;
  replacements: NamedCount;
  /** Alert rules and streams that refer to a deleted or replaced record. */
  references: NamedCount;
  /**
   * Agents with more tests than their license runs after the change, and with a larger excess than now. Absent if the load is
   * not known.
   */
  overLicense?: NamedCount;
  /** Rounds an hour that all tests request. Absent if the load is not known. */
  rounds?: { before: number; after: number };
}

/** Resources of one type with equal changes, outcomes and findings. */
export interface GroupData {
  kind: KindName;
  outcome: ResourceOutcome | "rename";
  /** URNs, sorted by name. A rename has the URN of the created resource. */
  members: string[];
  /** Changes that all members share. */
  changes: PropertyChange[];
  /** Checks with a finding about each member. */
  checks: CheckName[];
}

/** A deleted and a created resource that are probably the same resource with another name or parent. */
export interface RenameData {
  /** The deleted resource. Its record is lost unless the program gets the alias. */
  from: { urn: string; name: string; id: string };
  /** The created resource. */
  to: { urn: string; name: string };
  /** Item for the resource option `aliases` that keeps the record, as TypeScript. */
  alias: string;
  /** File of the resource options, relative to the project folder. Absent if it is not known. */
  file?: string;
  line?: number;
  /** True if the update fails at the create, because the service already has an equal record. */
  fails?: true;
}

export interface NamedCount {
  count: number;
  names: string[];
}

/** Parts of an agent count that are not known. */
export interface OpenReach {
  /** Number of further agents that may or may not be selected. */
  unclear?: number;
  /** Labels, tags and tests with unknown agents. */
  unknown?: number;
}

export interface ResourceData extends Pick<Step, "urn" | "name" | "changes" | "hidden" | "creation" | "position"> {
  kind: KindName;
  op: Exclude<Op, "same">;
  /** Name in the service. Absent if it is secret. */
  title?: string;
  /** True if an earlier update left this deletion to the next update. */
  pending?: boolean;
  /** The deleted resource with the adopted record. Absent if no resource of the stack managed the record. */
  from?: { urn: string; name: string };
  /** The reason why a delete deletes no record, as a sentence. */
  forgotten?: string;
  /** Id of the record, including an adopted record. Absent for a create. */
  id?: string;
  protect: boolean;
  /** True if the last update succeeded only in part. The engine repeats it. */
  unfinished?: true;
  replaces: {
    property: string;
    /** URNs of the resources that force the replacement because they get new ids. */ because?: string[];
  }[];
  /** True if a user requested the replacement, with `--replace` or `pulumi state taint`. */
  asked?: true;
  /** The consequence of a replacement, as a part of a sentence. */
  cost?: string;
  reach?: Reach;
  touches?: TouchedTest[];
  /** The alert rules and streams that lose the record that they refer to. */
  references?: Reference[];
}

/** The operation on a resource. `forget` removes the resource from state and leaves the record in the service. */
export type ResourceOutcome = Exclude<Op, "same"> | "forget";

/** Outcomes in words, as the end of a sentence about the resource. */
export const outcomeWords: Readonly<Record<ResourceOutcome, string>> = {
  delete: "deleted",
  forget: "removed from state",
  replace: "replaced",
  update: "updated",
  adopt: "adopted",
  create: "created",
  options: "kept with other options",
};

/** The enabled agents with a label or tag, or the enabled agents that run a test. Disabled tests have no agents. */
export interface Reach {
  /** Absent for a create, and if the agents are not known. */
  before?: ReviewedReach;
  /** Absent for a delete, and if the agents are not known. */
  after?: ReviewedReach;
  /** Agents that are selected afterwards, but not now. `lost` has the opposite. */
  gained?: NamedAgents;
  lost?: NamedAgents;
  /** True for a test that is disabled afterwards, so that no agent runs it. */
  off?: true;
  /** The reason why some agents are not known, as the end of a sentence. */
  unknown?: string;
}

/** A number of agents, and the first names in alphabetical order. */
export interface NamedAgents {
  count: number;
  /** At most ten names. */
  names: string[];
  /** Agents that checked in within the last hour. Absent if all did, or if the service does not return check-in times. */
  seen?: number;
}

/** Agents that certainly have a label or tag, or certainly run a test. */
export interface ReviewedReach extends NamedAgents {
  /** Number of selected agents, if it exceeds the test's `maxMachines`. The service chooses the agents that run the test. */
  of?: number;
  /** Number of further agents that the label, tag or test may or may not select. */
  unclear?: number;
  /** The reason why the agents of `unclear` are unclear, as the end of a sentence. */
  why?: string;
}

export interface KnownRecord {
  kind: KindName;
  /** Name in the program. For a record that is not in the preview, its name in the service. */
  name: string;
  /** Absent if the record does not exist yet. */
  id?: string;
  /** URN. Absent if the record is only in the service or in another stack. */
  urn?: string;
}

export interface TouchedTest extends KnownRecord, Reach {}

export interface TestLoad {
  accountGroups: string[];
  before: LoadState;
  after: LoadState;
  /** Agents with more tests than their license runs after the change, the largest increase first. */
  over: ({ name: string; licenseType: string } & Pick<ServiceAgent, "id" | "accountGroupId"> & Omit<Overloaded, "agent">)[];
  /** Tests that some agents cannot run after the change, because other tests use up their licenses. */
  crowdedOut: { name: string; id?: string; urn?: string; agents: number }[];
  /** Licenses of the organization, with the peak of the current month. Absent if the token may not read them. */
  licenses?: LicensePeak[];
  /** Number of tests that the load omits because their agents are not known. */
  notCounted: number;
  /**
   * True if a test selects more than its `maxMachines`. The load counts the first agents, but the service may choose other
   * agents.
   */
  approximate: boolean;
}

export interface LoadState {
  agents: number;
  /** Rounds an hour that tests request. A test requests 3,600 divided by its interval for each agent. */
  rounds: number;
  /** Rounds an hour that run within the limits of the licenses. */
  roundsRun: number;
  /** Agents with more tests than their license runs. */
  over: number;
}
