import type { Schedule } from "../reach";
import { isUnknown, type Properties, unknownValue } from "../values";
import { testProperties } from "./test-properties";

/**
 * Returns the properties that decide which agents run a test and how often the agents run the test. If the agent selector is
 * missing, `agentSelectorType` is unknown.
 */
export function scheduleOf(properties: Properties): Schedule {
  const { agentSelectorType, agents, endpointAgentLabels, tagIds, maxMachines, interval, isEnabled, isPrioritized } =
    properties;
  return {
    agentSelectorType: typeof agentSelectorType === "string" ? agentSelectorType : unknownValue,
    agents: idsOf(agents),
    endpointAgentLabels: idsOf(endpointAgentLabels),
    tagIds: idsOf(tagIds),
    maxMachines: numberOr(maxMachines, testProperties.maxMachines.schema.def.defaultValue),
    interval: numberOr(interval, testProperties.interval.schema.def.defaultValue),
    isEnabled: isUnknown(isEnabled) ? undefined : isEnabled !== false,
    isPrioritized: isPrioritized === true,
  };
}

/** Returns the ids in a list. For an unknown or invalid list, returns one unknown id. */
function idsOf(list: unknown): string[] | undefined {
  if (list === undefined) return undefined;
  return Array.isArray(list) ? list.map(String) : [unknownValue];
}

/** Returns a number, the default for an omitted number, or NaN for an unknown number. */
function numberOr(value: unknown, fallback: unknown): number {
  return Number(value === undefined ? fallback : value);
}
