import type { Schedule } from "../reach";
import { isUnknown, type Properties, unknownValue } from "../values";
import { testProperties } from "./test-properties";

/** What of a test decides who runs it, and how often. Without a selector it is not known whom it selects. */
export function scheduleOf(properties: Properties): Schedule {
  const { agentSelectorType, agents, endpointAgentLabels, maxMachines, interval, isEnabled, isPrioritized } = properties;
  return {
    agentSelectorType: typeof agentSelectorType === "string" ? agentSelectorType : unknownValue,
    agents: idsOf(agents),
    endpointAgentLabels: idsOf(endpointAgentLabels),
    maxMachines: numberOr(maxMachines, testProperties.maxMachines.schema.def.defaultValue),
    interval: numberOr(interval, testProperties.interval.schema.def.defaultValue),
    isEnabled: isUnknown(isEnabled) ? undefined : isEnabled !== false,
    isPrioritized: isPrioritized === true,
  };
}

/** Ids of a list. One that is not known yet as a whole, or is none, is one id that is not known. */
function idsOf(list: unknown): string[] | undefined {
  if (list === undefined) return undefined;
  return Array.isArray(list) ? list.map(String) : [unknownValue];
}

/** One that is not known yet is no number. */
function numberOr(value: unknown, fallback: unknown): number {
  return Number(value === undefined ? fallback : value);
}
