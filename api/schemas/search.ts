import { z } from "zod";
import { conditionalOperator, interfaceHardwareType, platform, sortOrder, thresholdOperator } from "./enums";

/** Values one of which an attribute must have. */
export const anyOf = z.array(z.string()).optional();

/** One key of a sort order. */
export function sortBy<K extends z.ZodType>(key: K) {
  return z.object({
    /** Figure or attribute to sort by. */
    sort: key,
    /** Ascending or descending. The default is not documented. */
    order: sortOrder.optional(),
  });
}

/** Numeric conditions of a search, on the metrics that `name` lists. A condition without one of its parts has no meaning. */
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
    /** Whether all conditions must hold (`and`) or one is enough (`or`). The default is not documented. */
    conditionalOperator: conditionalOperator.optional(),
  });
}

/** Members of the body of a search. */
export function search<S extends z.ZodType, T extends z.ZodType, F extends z.ZodType>(sort: S, threshold: T, filters: F) {
  return {
    /** Order of the rows: the first key counts most. */
    searchSort: z.array(sort).optional(),
    /** Conditions on metrics. */
    thresholdFilter: threshold.optional(),
    /** Conditions on attributes: each list holds values of which one must fit. */
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
  /** Places of agents. */
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
