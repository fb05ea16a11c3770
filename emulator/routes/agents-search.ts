import type { z } from "zod";
import type { AgentSearchFilters, agentSearchRequest } from "../../api/schemas";
import type { FleetAgent } from "../fleet/fleet";
import { lastSeen } from "../fleet/silent";
import { Order } from "../order";
import type { Service } from "../service";

type Search = z.output<typeof agentSearchRequest>;
/** How a search filter compares its values with the attributes of an agent. */
type Comparer = readonly [how: "exact" | "prefix", values: (agent: FleetAgent) => readonly (string | undefined)[]];

/** The type of comparison for each search filter. Prefix comparisons ignore case, but exact comparisons do not. */
const comparisons: Record<keyof AgentSearchFilters, Comparer> = {
  id: ["exact", ({ id }) => [id]],
  agentName: ["exact", ({ body }) => [body.name]],
  computerName: ["exact", ({ body }) => [body.computerName]],
  username: ["prefix", userNames],
  userPrincipalName: ["prefix", ({ body }) => body.clients.map(({ userProfile }) => userProfile.userPrincipalName)],
  platform: ["exact", ({ body }) => [body.platform]],
  osVersion: ["prefix", ({ body }) => [body.osVersion]],
  nicModel: ["exact", ({ body }) => [body.nicModel]],
  nicDriverVersion: ["exact", ({ body }) => [body.nicDriverVersion]],
  serialNumber: ["prefix", ({ body }) => [body.serialNumber]],
  locationCountryISO: ["exact", ({ body }) => [body.region?.countryISO]],
  locationSubdivision1Code: ["exact", ({ body }) => [body.region?.subdivision1Code]],
  locationCity: ["prefix", ({ body }) => [body.region?.city]],
  licenseType: ["exact", ({ body }) => [body.licenseType]],
  anyConnectDeviceId: [
    "exact",
    ({ body }) => body.externalMetadata.map(({ key, value }) => (key === "anyConnectDeviceId" ? value : undefined)),
  ],
};

const keys: Record<NonNullable<Search["searchSort"]>[number]["sort"], (agent: FleetAgent) => string | undefined> = {
  platform: ({ body }) => body.platform,
  osVersion: ({ body }) => body.osVersion,
  name: ({ body }) => body.name,
  userName: (agent) => userNames(agent)[0],
  city: ({ body }) => body.region?.city,
  serialNumber: ({ body }) => body.serialNumber,
};

/**
 * Whether an agent matches all filters. In the service, an agent probably matches a filter if at least one of the filter's values matches
 * (emulator/DIFFERENCES.md).
 */
export function isFound(
  service: Pick<Service, "settings">,
  filters: Search["searchFilters"],
  thresholds: Search["thresholdFilter"],
): (agent: FleetAgent) => boolean {
  const tests = Object.entries(comparisons).flatMap(([name, [how, valuesOf]]) => {
    const wanted: readonly string[] = filters?.[name as keyof AgentSearchFilters] ?? [];
    if (wanted.length === 0) return [];
    const fits = how === "exact" ? exact(wanted) : prefix(wanted);
    return [(agent: FleetAgent) => valuesOf(agent).some((value) => value !== undefined && fits(value))];
  });
  const isRecent = threshold(service, thresholds);
  return (agent) => tests.every((holds) => holds(agent)) && isRecent(agent);
}

/**
 * Returns the sort order that the search requests. Agents without a value for the sort key come last. Agents with equal values are in the
 * order of creation.
 */
export function orderOf(orders: NonNullable<Search["searchSort"]>): Order<FleetAgent> {
  const sortKeys = orders.map(({ sort, order }) => ({
    value: (agent: FleetAgent) => keys[sort](agent)?.toLowerCase(),
    descending: order === "desc",
  }));
  return new Order(sortKeys, "oldest first");
}

function threshold(service: Pick<Service, "settings">, thresholds: Search["thresholdFilter"]): (agent: FleetAgent) => boolean {
  const { filters = [], conditionalOperator = "and" } = thresholds ?? {};
  if (filters.length === 0) return () => true;
  const now = service.settings.now();
  return (agent) => {
    const age = now - Date.parse(lastSeen(service, agent));
    const hold = filters.map(({ operator, value }) => (operator === "gte" ? age >= value : age <= value));
    return conditionalOperator === "and" ? hold.every(Boolean) : hold.some(Boolean);
  };
}

function exact(wanted: readonly string[]): (value: string) => boolean {
  const set = new Set(wanted);
  return (value) => set.has(value);
}

function prefix(wanted: readonly string[]): (value: string) => boolean {
  const folded = wanted.map((value) => value.toLowerCase());
  return (value) => folded.some((beginning) => value.toLowerCase().startsWith(beginning));
}

function userNames({ body }: FleetAgent): string[] {
  return body.clients.map(({ userProfile }) => userProfile.userName);
}
