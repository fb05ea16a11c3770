import { z } from "zod";
import { conditionalOperator, interfaceHardwareType, platform, sortOrder, thresholdOperator } from "./enums";

/** Values of a filter. An agent attribute matches if it has one of the values in the array. */
export const anyOf = z.array(z.string()).optional();

/** Returns the schema of a sort key. */
export function sortBy<K extends z.ZodType>(key: K) {
  return z.object({
    /** Metric or attribute that determines the order. */
    sort: key,
    /** Ascending or descending order. The service does not document the default order. */
    order: sortOrder.optional(),
  });
}

/** Returns the schema of conditions on metrics. `name` is the schema of the metric names. */
export function thresholds<N extends z.ZodType>(name: N) {
  return z.object({
    /** Conditions on metrics. */
    filters: z
      .array(
        z.object({
          /** Metric that the condition compares with `value`. */
          name,
          /** Number that the condition compares with the metric, in the metric's unit. */
          value: z.number(),
          /** With `gte`, the metric must be at least the value. With `lte`, the metric must be at most the value. */
          operator: thresholdOperator,
        }),
      )
      .optional(),
    /**
     * With `and`, a result must meet all conditions. With `or`, a result must meet at least one condition. The service does not
     * document the default operator.
     */
    conditionalOperator: conditionalOperator.optional(),
  });
}

/** Returns the members of a search's request body. */
export function search<S extends z.ZodType, T extends z.ZodType, F extends z.ZodType>(sort: S, threshold: T, filters: F) {
  return {
    /** Sort keys of the results. Each further key sorts the results that all earlier keys treat as equal. */
    searchSort: z.array(sort).optional(),
    /** Conditions on metrics. */
    thresholdFilter: threshold.optional(),
    /** Conditions on attributes. A result matches a filter if its attribute has one of the filter's values. */
    searchFilters: filters.optional(),
  };
}

/** Filters for a search in test results. */
export const deviceFilters = {
  /** Identifiers of agents. */
  agentId: anyOf,
  /** Models of network cards. */
  nicModel: anyOf,
  /** Driver versions of network cards. */
  nicDriverVersion: anyOf,
};

/** Filters for a search in local networks or real user tests. */
export const surroundingsFilters = {
  /** Locations of agents. */
  location: anyOf,
  /** Types of the network hardware. */
  connection: z.array(interfaceHardwareType).optional(),
  /** Families of operating systems. */
  platform: z.array(platform).optional(),
  /** Addresses of gateways. */
  gateway: anyOf,
  /** Addresses of proxies. */
  proxyTarget: anyOf,
  /** Addresses of VPN gateways. */
  vpnTarget: anyOf,
  /** Identifiers of agents. */
  agentId: anyOf,
  /** Identifiers of local networks, as returned by `localNetworks.list`. */
  networkId: anyOf,
  /** Names of wireless networks. */
  ssid: anyOf,
  /** Addresses of access points. */
  bssid: anyOf,
  /** Models of network cards. */
  nicModel: anyOf,
  /** Driver versions of network cards. */
  nicDriverVersion: anyOf,
};
