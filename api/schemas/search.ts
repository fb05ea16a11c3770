import { z } from "zod";
import { conditionalOperator, interfaceHardwareType, platform, sortOrder, thresholdOperator } from "./enums";

/** Values one of which an attribute must have. */
export const anyOf = z.array(z.string()).optional();

/** Sort order of a search: the first key counts most. */
export function searchSort<K extends z.ZodType>(key: K) {
  return z.array(z.object({ sort: key, order: sortOrder.optional() })).optional();
}

/** Numeric conditions of a search, on the metrics `name` knows. A condition that lacks a part could not be meant by anybody. */
export function thresholdFilter<N extends z.ZodType>(name: N) {
  return z
    .object({
      filters: z.array(z.object({ name, value: z.number(), operator: thresholdOperator })).optional(),
      conditionalOperator: conditionalOperator.optional(),
    })
    .optional();
}

/** What local networks and real user tests are searched by: each list holds the values that will do. */
export const surroundingsFilters = {
  location: anyOf,
  connection: z.array(interfaceHardwareType).optional(),
  platform: z.array(platform).optional(),
  gateway: anyOf,
  proxyTarget: anyOf,
  vpnTarget: anyOf,
  agentId: anyOf,
  networkId: anyOf,
  ssid: anyOf,
  bssid: anyOf,
  nicModel: anyOf,
  nicDriverVersion: anyOf,
};
