import type { AgentSelector } from "../api/agent-selection";
import type { KnownAgent, Membership, TagRule } from "../api/tag-match";
import type { Properties } from "./values";

/**
 * How resources of a type affect agents. Reviews show the agents that a change affects. An id may be a placeholder for a
 * record that does not exist yet.
 */
export type ReachDeclaration =
  | {
      /** A label or tag, which groups the agents that match its filters. */
      readonly means: "group";
      /** The `agentSelectorType` of tests that select agents by labels or tags of this type. */
      readonly selector: AgentSelector["agentSelectorType"];
      rule(properties: Properties): TagRule;
      /** Returns a function that decides whether an agent matches the label or tag, or the reason why no decision is possible. */
      compile(rule: TagRule): { value: GroupTest; why?: undefined } | { value?: undefined; why: string };
      /** The reason why some agents may or may not match, as the end of a sentence. */
      readonly unclear: string;
      /** Whether the service's agent search interprets the filters as a label or tag does. */
      readonly isSearchable: boolean;
    }
  | {
      /** A test, which runs on the selected agents. */
      readonly means: "test";
      /** Whether agents run the test on a schedule. Agents run an instant test only once. */
      readonly scheduled: boolean;
      schedule(properties: Properties): Schedule;
    }
  | {
      /** A change to agents, such as a transfer to another account group. */
      readonly means: "agents";
      changes(id: string | undefined, properties: Properties): AgentChange[];
      /** Returns the changes to agents that the deletion of the resource causes. */
      removal(id: string, properties: Properties): AgentChange[];
    };

/** Returns whether an agent matches a label or tag, or undefined if the agent's properties are not sufficient to decide. */
export type GroupTest = (agent: KnownAgent) => Membership;

/**
 * The properties that decide which agents run a test and how often the agents run the test. The value NaN represents a number that is
 * unknown until the update.
 */
export interface Schedule extends AgentSelector {
  /** Maximum number of agents that run the test. */
  readonly maxMachines: number;
  /** Seconds between consecutive rounds of the test. */
  readonly interval: number;
  /** Whether the test is enabled. Undefined means that the value is unknown until the update. */
  readonly isEnabled: boolean | undefined;
  readonly isPrioritized: boolean;
}

/** The changes to an agent's properties. Unchanged properties are undefined. */
export interface AgentChange {
  readonly agentId: string;
  /** Account group that the agent leaves, if that account group is known. */
  readonly from?: string;
  /** Account group that the agent moves to. */
  readonly accountGroupId?: string;
  readonly licenseType?: string;
  readonly enabled?: boolean;
  readonly deleted?: true;
}
