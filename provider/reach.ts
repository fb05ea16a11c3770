import type { AgentSelector } from "../api/agent-selection";
import type { KnownAgent, Membership, TagRule } from "../api/tag-match";
import type { Properties } from "./values";

/**
 * How a kind's resources affect agents. A review uses this to report the agents that a change affects. Properties are inputs or
 * a state. Ids may be placeholders for resources that do not exist yet.
 */
export type ReachDeclaration =
  | {
      /** A label or tag, which groups the agents that match its filters. */
      readonly means: "group";
      /** The agent selector of the tests that select by such groups. */
      readonly selector: AgentSelector["agentSelectorType"];
      rule(properties: Properties): TagRule;
      /** Compiles a known rule, or returns the reason why its agents are not known. */
      compile(rule: TagRule): { value: GroupTest; why?: undefined } | { value?: undefined; why: string };
      /** The reason why some agents may match or not, as the end of a sentence. */
      readonly unclear: string;
      /** Whether the service's agent search can confirm the meaning of the filters. */
      readonly isSearchable: boolean;
    }
  | {
      /** A test. The selected agents run it. */
      readonly means: "test";
      /** Whether agents run it on a schedule. If not, they run it once. */
      readonly scheduled: boolean;
      schedule(properties: Properties): Schedule;
    }
  | {
      /** A change of the agents themselves. */
      readonly means: "agents";
      changes(id: string | undefined, properties: Properties): AgentChange[];
      /** The changes that a delete of the resource causes. */
      removal(id: string, properties: Properties): AgentChange[];
    };

/** A compiled rule: returns whether an agent matches; undefined if that cannot be determined. */
export type GroupTest = (agent: KnownAgent) => Membership;

/** The properties of a test that decide which agents run it and how often. An unknown number is NaN. */
export interface Schedule extends AgentSelector {
  /** Largest number of agents that run it. */
  readonly maxMachines: number;
  /** Seconds between rounds. */
  readonly interval: number;
  /** Undefined if it is not known. */
  readonly isEnabled: boolean | undefined;
  readonly isPrioritized: boolean;
}

/** The changes of one agent. An absent property does not change. */
export interface AgentChange {
  readonly agentId: string;
  /** Account group that the agent leaves, if it is known. */
  readonly from?: string;
  /** Account group to which the agent moves. */
  readonly accountGroupId?: string;
  readonly licenseType?: string;
  readonly enabled?: boolean;
  readonly deleted?: true;
}
