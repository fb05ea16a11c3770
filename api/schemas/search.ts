import { z } from "zod";
import { conditionalOperator, interfaceHardwareType, platform, sortOrder, thresholdOperator } from "./enums";

/** Values of a filter. The attribute must have one of these values. */
export const anyOf = z.array(z.string()).optional();

/** Returns the schema of a sort key. */
export function sortBy<K extends z.ZodType>(key: K) {
  return z.object({
    /** Metric or attribute to sort by. */
    sort: key,
    /** Ascending or descending. The default is not documented. */
    order: sortOrder.optional(),
  });
}

/** Returns the schema of conditions on the metrics in `name`. All parts of a condition are required. */
export function thresholds<N extends z.ZodType>(name: N) {
  return z.object({
    /** Conditions on metrics. */
    filters: z
      .array(
        z.object({
          /** Metric to compare, in its unit. */
          name,
          /** Number to compare the metric with. */
          value: z.number(),
          /** `gte`: at least the value; `lte`: at most the value. */
          operator: thresholdOperator,
        }),
      )
      .optional(),
    /** `and`: all conditions must hold. `or`: one is enough. The default is not documented. */
    conditionalOperator: conditionalOperator.optional(),
  });
}

/** Members of the body of a search. */
export function search<S extends z.ZodType, T extends z.ZodType, F extends z.ZodType>(sort: S, threshold: T, filters: F) {
  return {
    /** Order of the rows, by the first key and then the others. */
    searchSort: z.array(sort).optional(),
    /** Conditions on metrics. */
    thresholdFilter: threshold.optional(),
    /** Conditions on attributes. A row matches a list if its attribute has one of the values. */
    searchFilters: filters.optional(),
  };
}

/** Filters of a search for results of tests. */
export const deviceFilters = {
  /** Identifiers of agents. */
  agentId: anyOf,
  /** Models of network cards. */
  nicModel: anyOf,
  /** Driver versions of network cards. */
  nicDriverVersion: anyOf,
};

/** Filters of a search for local networks and real user tests. */
export const surroundingsFilters = {
  /** Locations of agents. */
  location: anyOf,
  /** Kinds of network interface. */
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
  /** Identifiers of local networks, as in the records of local networks. */
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
