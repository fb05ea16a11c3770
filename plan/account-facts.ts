import { type Client, EndpointMonitoringError } from "../api";
import { count } from "../common/text";

export interface LicensePeak {
  license: string;
  /** Maximum number of enabled agents with this license in any hour of the current month. */
  peak: number;
  included: number;
}

/** Permissions that the token's roles grant in an account group, as labels such as `Edit tests`. */
export interface RoleLabels {
  roles: string[];
  edits: string[];
}

/**
 * Maps each license to a prefix of member names in the usage response. The prefix for `advantage` is a guess (docs/service/account.md,
 * Usage).
 */
const licenses = {
  advantage: "endpointAgents",
  essentials: "endpointAgentsEssentials",
  embedded: "endpointAgentsEmbedded",
} as const;

/** Returns the peak use of each license, or an empty list if the token cannot read the usage. */
export async function licensePeaks(client: Client, accountGroupId: string | undefined): Promise<LicensePeak[]> {
  const answer = await orNothing(client.account.usage({ query: { aid: accountGroupId } }));
  return Object.entries(licenses).flatMap(([license, member]) => {
    const [peak, included] = [answer?.usage[`${member}Used`], answer?.usage.quota?.[`${member}Included`]];
    return peak === undefined || included === undefined ? [] : [{ license, peak, included }];
  });
}

export function peaksText(peaks: readonly LicensePeak[]): string {
  const all = peaks.map(({ license, peak, included }) => `${license} ${count(peak)} of ${count(included)}`).join(", ");
  return `peak license use of the organization this month (enabled agents in the busiest hour, of the licenses in the contract): ${all}`;
}

/** Returns undefined if a role of the token's user cannot be read, or if no permission label begins with `View` or `Edit`. */
export async function roleLabels(client: Client, accountGroupId: string | undefined): Promise<RoleLabels | undefined> {
  const user = await orNothing(client.account.user());
  const group = accountGroupId ?? user?.loginAccountGroup?.aid;
  const inGroup = (user?.accountGroupRoles ?? []).filter(({ accountGroup }) => accountGroup?.aid === group);
  const assigned = [...inGroup.flatMap(({ roles = [] }) => roles), ...(user?.allAccountGroupRoles ?? [])];
  const read = await Promise.all(
    assigned.map(async ({ roleId: id }) => id && orNothing(client.account.role({ path: { id }, query: { aid: group } }))),
  );
  const permissions = read.map((role) => (role ? role.permissions : undefined));
  const labels = permissions.flatMap((some = []) => some.flatMap(({ label }) => label ?? []));
  const isUnderstood =
    permissions.every((permission) => permission !== undefined) && labels.some((label) => /^(view|edit)\b/i.test(label));
  if (!isUnderstood) return undefined;
  return {
    roles: [...new Set(assigned.map(({ name, roleId = "" }) => name ?? roleId))],
    edits: [...new Set(labels.filter((label) => /^edit\b/i.test(label)))],
  };
}

export function noEditText({ roles }: RoleLabels): string {
  return `${roles.length === 1 ? "the role" : "the roles"} ${roles.join(", ")} ${roles.length === 1 ? "has" : "have"} no permission labeled "Edit …", so the service may refuse changes`;
}

async function orNothing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof EndpointMonitoringError) return undefined;
    throw error;
  }
}
