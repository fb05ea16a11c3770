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
 * A reviewed change, as `review --json` prints it under `data`. Later versions may add members, but never rename or delete members.
 *
 * Names appear as users wrote them, so a program that displays names must escape them.
 */
export interface Review {
  /** Name of the stack, or an empty string if the preview has no steps. */
  stack: string;
  /** The host of the requests, and the source of each setting that determines the host. A preview from a file has no host. */
  address?: Omit<ServiceAddress, "allowed" | "dangers">;
  /** True if the host is new. For a new host, the command sends no requests and does not preview the stack. */
  notPreviewed?: true;
  summary: ReviewSummary;
  /** Findings, the most serious finding first. `rule` is the name of the check in `--fail-on`. */
  findings: FindingData<CheckName>[];
  /** Resources that change, the most important change first. */
  resources: ResourceData[];
  /** The changed resources, with equal changes in one group. The delete step and the create step of a renamed resource form one member. */
  groups: GroupData[];
  /** Resources that have a new name or parent in the program, but no alias. */
  renames: RenameData[];
  costs: Costs;
  /** Digest and file of the approval, if the command wrote an approval. */
  approval?: { digest: string; file: string };
  /** Load of the agents, if the load is known and a label, test or agent changes. */
  load?: TestLoad;
}

export interface ReviewSummary {
  created: number;
  updated: number;
  replaced: number;
  /** Number of resources that the update deletes together with their records in the service. */
  deleted: number;
  /** Number of resources that adopt an existing record. An adopted record keeps its id. */
  adopted: number;
  /** Number of resources that the update removes from the state while their records stay in the service. */
  forgotten: number;
  /** Numbers of changed resources of other providers, without components. A review has no details about resources of other providers. */
  others: { created: number; updated: number; replaced: number; deleted: number; forgotten: number };
  /**
   * Number of enabled agents that the changed labels and tests select, if the number is known. Each agent counts once.
   *
   * `chosen` is true if a test selects more than `maxMachines` agents, so that only some agents run the test. If `open` exists, the actual
   * number may be higher.
   */
  agents?: { before: number; after: number; chosen?: true; open?: { before?: OpenReach; after?: OpenReach } };
  findings: number;
}

/** The costs of a change as numbers, with the names of the counted resources. */
export interface Costs {
  /** Tests that lose their existing result history, because the update deletes or replaces them. */
  histories: NamedCount;
  replacements: NamedCount;
  /** Alert rules and streams that refer to a deleted or replaced record. */
  references: NamedCount;
  /** Agents that exceed their license's test limit by more tests after the change than before the change, if the load is known. */
  overLicense?: NamedCount;
  /** Rounds per hour that all tests request, if the load is known. */
  rounds?: { before: number; after: number };
}

export interface GroupData {
  kind: KindName;
  outcome: ResourceOutcome | "rename";
  /** URNs of the members, sorted by name. A rename has the URN of the created resource. */
  members: string[];
  /** Changes that all members of the group share. */
  changes: PropertyChange[];
  /** Names of the checks with a finding about each member. */
  checks: CheckName[];
}

/** A deleted and a created resource that are probably one resource with a new name or parent. */
export interface RenameData {
  /** The deleted resource. Unless the program declares the alias, the update deletes the resource's record. */
  from: { urn: string; name: string; id: string };
  to: { urn: string; name: string };
  /** TypeScript code for an item of the resource option `aliases`. The alias keeps the record. */
  alias: string;
  /** File of the resource options, relative to the project folder, if the file is known. */
  file?: string;
  line?: number;
  /** True if the update will fail when it creates the resource, because the service already has an equal record. */
  fails?: true;
}

export interface NamedCount {
  count: number;
  names: string[];
}

/** Agents that are not counted, because the selection is only partly known. */
export interface OpenReach {
  /** Number of additional agents that the label, tag or test may or may not select. */
  unclear?: number;
  /** Number of labels, tags and tests with unknown agents. */
  unknown?: number;
}

export interface ResourceData extends Pick<
  Step,
  "urn" | "previousUrn" | "name" | "changes" | "hidden" | "creation" | "position"
> {
  kind: KindName;
  op: Exclude<Op, "same">;
  /** Name of the record in the service, unless the name is secret. */
  title?: string;
  /** True if an earlier update left the deletion of the record to the next update. */
  pending?: boolean;
  /** The resource of this stack that managed the adopted record and that the update deletes, if there is one. */
  from?: { urn: string; name: string };
  /** A sentence with the reason why a delete operation does not delete the record. */
  forgotten?: string;
  /** Id of the existing or adopted record. A created resource does not have a record with an id yet. */
  id?: string;
  protect: boolean;
  /** True if the last update of the resource succeeded only partially, so that the engine repeats the update. */
  unfinished?: true;
  replaces: {
    property: string;
    because?: string[];
  }[];
  /** True if a user requested the replacement, with `--replace` or `pulumi state taint`. */
  asked?: true;
  /** The consequence of a replacement, as a sentence fragment. */
  cost?: string;
  reach?: Reach;
  touches?: TouchedTest[];
  /** The alert rules and streams that refer to the lost record. */
  references?: Reference[];
}

/** The operation on a resource. `forget` removes the resource from the state and leaves the record in the service. */
export type ResourceOutcome = Exclude<Op, "same"> | "forget";

/** For each outcome, the end of a sentence about a resource. */
export const outcomeWords: Readonly<Record<ResourceOutcome, string>> = {
  delete: "deleted",
  forget: "removed from state",
  replace: "replaced",
  update: "updated",
  adopt: "adopted",
  create: "created",
  options: "kept with other options",
};

/** The enabled agents with a label or tag, or the enabled agents that run a test. No agent runs a disabled test. */
export interface Reach {
  /** Agents before the update, if the agents are known. */
  before?: ReviewedReach;
  /** Agents after the update, if the agents are known. */
  after?: ReviewedReach;
  /** Agents that are selected only after the update. */
  gained?: NamedAgents;
  lost?: NamedAgents;
  /** True if the test is disabled after the update, so that no agent runs the test. */
  off?: true;
  /** The reason why some agents are not known, as the end of a sentence. */
  unknown?: string;
}

/** A number of agents, and the names of the first agents in alphabetical order. */
export interface NamedAgents {
  count: number;
  names: string[];
  /** Number of agents that checked in within the last hour, if the number is known. */
  seen?: number;
}

/** Agents that certainly have a label or tag, or certainly run a test. */
export interface ReviewedReach extends NamedAgents {
  /** Number of selected agents, if the number exceeds the test's `maxMachines`. The service chooses which agents run the test. */
  of?: number;
  /** Number of additional agents that the label, tag or test may or may not select. */
  unclear?: number;
  /** The reason why `unclear` is greater than zero. A sentence of the report ends with this reason. */
  why?: string;
}

export interface KnownRecord {
  kind: KindName;
  /** Name of the resource in the program. If the preview does not contain the record, `name` is the record's name in the service. */
  name: string;
  /** Id of the record, if the record exists. */
  id?: string;
  /** URN of the resource. Records of other stacks and unmanaged records have no URN. */
  urn?: string;
}

export interface TouchedTest extends KnownRecord, Reach {}

export interface TestLoad {
  accountGroups: string[];
  before: LoadState;
  after: LoadState;
  /** Agents that have more tests after the change than their license allows, the largest increase first. */
  over: ({ name: string; licenseType: string } & Pick<ServiceAgent, "id" | "accountGroupId"> & Omit<Overloaded, "agent">)[];
  /** Tests that some agents cannot run after the change, because other tests use up their licenses. */
  crowdedOut: { name: string; id?: string; urn?: string; agents: number }[];
  /** Licenses of the organization, with the peak use in the current month, if the token can read licenses. */
  licenses?: LicensePeak[];
  /** Number of tests that the load omits because their agents are not known. */
  notCounted: number;
  /**
   * True if a test selects more agents than its `maxMachines`. For such a test, the load counts the first agents, but the service may
   * choose other agents.
   */
  approximate: boolean;
}

export interface LoadState {
  agents: number;
  /** Rounds per hour that all tests request. For each test, each agent adds 3,600 divided by the test's interval in seconds. */
  rounds: number;
  /** Rounds per hour that run within the limits of the agents' licenses. */
  roundsRun: number;
  /** Number of agents that have more tests than their licenses allow. */
  over: number;
}
