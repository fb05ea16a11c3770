import type { AgentSelector } from "../api/agent-selection";
import type { KnownAgent, Membership, TagRule } from "../api/tag-match";
import type { Properties } from "./values";

/**
 * How resources of a type affect agents. Reviews show the agents that a change affects. Ids may be placeholders for resources
 * that do not exist yet.
 */
export type ReachDeclaration =
  | {
      /** A label or tag, which groups the agents that match its filters. */
      readonly means: "group";
      /** The agent selector of tests that select agents by labels or tags of this type. */
      readonly selector: AgentSelector["agentSelectorType"];
      rule(properties: Properties): TagRule;
      /** Returns a function that decides whether an agent matches, or the reason why the rule is not usable. */
      compile(rule: TagRule): { value: GroupTest; why?: undefined } | { value?: undefined; why: string };
      /** The reason why some agents may match or not, as the end of a sentence. */
      readonly unclear: string;
      /** Whether the service's agent search can confirm the meaning of the filters. */
      readonly isSearchable: boolean;
    }
  | {
      /** A test, which the selected agents run. */
      readonly means: "test";
      /** Whether agents run the test on a schedule instead of once. */
      readonly scheduled: boolean;
      schedule(properties: Properties): Schedule;
    }
  | {
      /** A change of the agents themselves. */
      readonly means: "agents";
      changes(id: string | undefined, properties: Properties): AgentChange[];
      /** Returns the changes of agents when the resource is deleted. */
      removal(id: string, properties: Properties): AgentChange[];
    };

/** Returns whether an agent matches a label or tag. If the service's data are not sufficient, returns undefined. */
export type GroupTest = (agent: KnownAgent) => Membership;

/** The properties that decide which agents run a test, and how often. An unknown number is NaN. */
export interface Schedule extends AgentSelector {
  /** Maximum number of agents that run the test. */
  readonly maxMachines: number;
  /** Seconds between two rounds of the test. */
  readonly interval: number;
  /** Whether the test is enabled. Undefined means that the value is unknown until the update. */
  readonly isEnabled: boolean | undefined;
  readonly isPrioritized: boolean;
}

/** The changes of an agent. A property that does not change is absent. */
export interface AgentChange {
  readonly agentId: string;
  /** Account group that the agent leaves, if it is known. */
  readonly from?: string;
  /** Account group that the agent moves to. */
  readonly accountGroupId?: string;
  readonly licenseType?: string;
  readonly enabled?: boolean;
  readonly deleted?: true;
}
