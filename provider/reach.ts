import type { AgentSelection } from "../api/agent-selection";
import type { LabelRule } from "../api/label-match";
import type { Properties } from "./values";

/**
 * What a resource of a kind means to agents: a kind that means anything to them declares it, so that a review can say whom a
 * change reaches. Properties are inputs or a state; ids may be stand-ins of resources that are not there yet.
 */
export type Reach =
  | {
      /** The agents that pass its filters. */
      readonly means: "label";
      rule(properties: Properties): LabelRule;
    }
  | {
      /** The agents it selects, which run it. */
      readonly means: "test";
      /** Whether agents run it again and again; else they run it once. */
      readonly scheduled: boolean;
      schedule(properties: Properties): Schedule;
    }
  | {
      /** Agents themselves: what they are changed to. */
      readonly means: "agents";
      changes(id: string | undefined, properties: Properties): AgentChange[];
      /** The same when the resource is deleted. */
      removal(id: string, properties: Properties): AgentChange[];
    };

/** What of a test decides who runs it, and how often. A number that is not known yet is NaN. */
export interface Schedule extends AgentSelection {
  /** Most agents that run it. */
  readonly maxMachines: number;
  /** Seconds between rounds. */
  readonly interval: number;
  /** Undefined where it is not known yet. */
  readonly isEnabled: boolean | undefined;
  readonly isPrioritized: boolean;
}

/** What becomes of one agent; what is absent stays. */
export interface AgentChange {
  readonly agentId: string;
  /** Account group it is in, where that is said. */
  readonly from?: string;
  /** Account group it goes to. */
  readonly accountGroupId?: string;
  readonly licenseType?: string;
  readonly enabled?: boolean;
  readonly deleted?: true;
}
