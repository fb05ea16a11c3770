import type { Reference } from "../../provider/references/references";
import type { KindName } from "../../provider/registry";
import type { LicensePeak } from "../operation/account-facts";
import type { Address } from "../operation/address";
import type { Op, Step } from "../operation/operation";
import type { StopWord } from "./stop-words";

/**
 * A reviewed change, as `review --json` prints it under `data`. Later versions may add members; they neither rename nor
 * remove any. Names are as their owners wrote them: whoever shows them must escape them.
 */
export interface Review {
  /** Stack that the preview is of; empty where the preview has no step. */
  stack: string;
  /** Where requests go, and where each setting that decides about that comes from. Absent of a preview that was given. */
  address?: Omit<Address, "dangers">;
  /** Something about the address is worth stopping for, so nothing was previewed, and nothing sent. */
  notPreviewed?: true;
  summary: ReviewSummary;
  /** Things worth stopping for, one by one, the most serious kinds first. */
  stops: ReviewedStop[];
  /** Resources that change, the most important first; those that stay the same are left out. */
  resources: ResourceData[];
  /** Digest of the approval that was written, and its file. Absent where none was asked for, or there is none. */
  approval?: { digest: string; file: string };
  /** The load of agents. Absent where it could not be worked out, and where no label, test or agent changes. */
  load?: Load;
}

export interface ReviewSummary {
  created: number;
  updated: number;
  replaced: number;
  /** Those that the service deletes. */
  deleted: number;
  /** Those that adopt a record that exists: nothing is created, and its id stays. */
  adopted: number;
  /** Those that leave the stack while the service deletes nothing. */
  forgotten: number;
  /** The same of resources of other providers, which a review counts and does not explain. Components are none. */
  others: { created: number; updated: number; replaced: number; deleted: number; forgotten: number };
  /**
   * Different enabled agents that the changed labels and tests select together. Absent where that could not be worked out. With `chosen`
   * some test selects more than its `maxMachines`, so that not all of them run it. With `open` there may be more than the number.
   */
  agents?: { before: number; after: number; chosen?: true; open?: { before?: OpenReach; after?: OpenReach } };
  stops: number;
}

/** Numbers of agents, labels and tests for which the reach of a change is not known. */
export interface OpenReach {
  /** Further agents for which it cannot be determined whether they are selected. */
  unclear?: number;
  /** Labels, tags and tests of which it is not known whom they select. */
  unknown?: number;
}

export interface ReviewedStop {
  /** The word that `--fail-on` knows it by. */
  word: StopWord;
  /** The resource it is about; absent where it is about none, or one that the program does not declare. */
  urn?: string;
  /** One sentence, without Markdown. */
  text: string;
}

export interface ResourceData extends Pick<Step, "urn" | "name" | "changes" | "hidden" | "creation" | "position"> {
  kind: KindName;
  op: Exclude<Op, "same">;
  /** Name in the service, unless it is secret. */
  title?: string;
  /** An earlier update left it to be deleted, and this one deletes it. */
  pending?: boolean;
  /** Of an adoption: the resource that leaves the program and had the record. Absent where none of the stack had it. */
  from?: { urn: string; name: string };
  /** Of a delete after which the service still has it, or never had anything of it: why, as a sentence. */
  forgotten?: string;
  /** Identifier of the record, of an adoption that of the record that it adopts; absent of one that is to be created. */
  id?: string;
  protect: boolean;
  /** The last update succeeded in part, so the engine repeats it. */
  unfinished?: true;
  /** Properties that force a replacement. */
  replaces: { property: string; /** Resources whose new ids do, by URN. */ because?: string[] }[];
  /** Somebody asked for the replacement, with `--replace` or `pulumi state taint`. */
  asked?: true;
  /** The cost of a replacement, as a part of a sentence. */
  cost?: string;
  reach?: Reach;
  /** Of a label or tag: the tests that select by it. */
  touches?: TouchedTest[];
  /** The alert rules and streams that name it, and that lose it. */
  references?: Reference[];
}

/** The operation on a resource; `forget` for a delete that leaves the record in the service. */
export type ResourceOutcome = Exclude<Op, "same"> | "forget";

export function outcomeOf({ op, forgotten }: { op: Op; forgotten?: string }): ResourceOutcome {
  // Resources that stay the same are in no report.
  return forgotten === undefined ? (op as ResourceOutcome) : "forget";
}

/** The agents that a label or tag is on, or that run a test: enabled ones, and none of a test that is disabled. */
export interface Reach {
  /** Absent of a create, and where it is not known. */
  before?: Reached;
  /** Absent of a delete, and where it is not known. */
  after?: Reached;
  /** Agents that it selects afterwards and not now, and the other way round. */
  gained?: NamedAgents;
  lost?: NamedAgents;
  /** It is a test that is disabled afterwards: nobody runs it. */
  off?: true;
  /** The reason why a part of the reach is not known, as the end of a sentence. */
  unknown?: string;
}

/** Agents: how many, and the first names in alphabetical order. */
export interface NamedAgents {
  count: number;
  /** At most ten. */
  names: string[];
  /** How many of them checked in within the hour. Absent if all did, or if the service does not return that. */
  seen?: number;
}

/** Agents that a label or tag is on, or that run a test, for certain. */
export interface Reached extends NamedAgents {
  /** How many the test means, where it means more than its `maxMachines`: which of them run it is the service's choice. */
  of?: number;
  /** Number of further agents for which it cannot be determined whether the label, tag or test selects them. */
  unclear?: number;
  /** The reason why the others are unclear, as the end of a sentence. */
  why?: string;
}

/** How people know a label, tag or test. */
export interface KnownRecord {
  kind: KindName;
  /** Name in the program, where the preview has it; else the name in the service. */
  name: string;
  /** Absent of one that does not exist yet. */
  id?: string;
  /** URN, where the preview has it. One without lives in the service only, or in another stack. */
  urn?: string;
}

/** A test that selects by a label or tag that changes. */
export interface TouchedTest extends KnownRecord, Reach {}

/** The load of the agents of the account groups concerned. */
export interface Load {
  accountGroups: string[];
  before: LoadState;
  after: LoadState;
  /** Agents that are assigned more tests than their license runs afterwards; those of which more than now find no room, first. */
  over: OverloadedAgent[];
  /** Tests that some agents cannot run afterwards, as their licenses have no room for them. */
  crowdedOut: { name: string; id?: string; urn?: string; agents: number }[];
  /** Licenses of the organization: the peak of the current month. Absent where the token may not read them. */
  licenses?: LicensePeak[];
  /** Tests that were not counted, as it is not known who runs them. */
  notCounted: number;
  /** Some test means more agents than it may use: the first ones were counted, the service chooses. */
  approximate: boolean;
}

export interface LoadState {
  /** Agents that are enabled. */
  agents: number;
  /** Rounds an hour that tests ask for: 3,600 by the interval of each, times its agents. */
  rounds: number;
  /** Those of them that run, as far as licenses have room. */
  roundsRun: number;
  /** Agents that are assigned more tests than their license runs. */
  over: number;
}

/** An agent with more tests than its license runs. */
export interface OverloadedAgent {
  id: string;
  name: string;
  accountGroupId: string;
  licenseType: string;
  /** Tests that its license runs at once. */
  limit: number;
  /** Tests that it is assigned. */
  before: number;
  after: number;
  /** Whether more of its tests find no room than now. */
  worse: boolean;
}
