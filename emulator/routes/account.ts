import { operations } from "../../api/schemas";
import { fleetOf } from "../fleet/fleet";
import { handle } from "../handler";
import { type Permission, users } from "../organization";
import { Problem } from "../problem";

const calls = operations.account;

const names = {
  advantage: "endpointAgents",
  essentials: "endpointAgentsEssentials",
  embedded: "endpointAgentsEmbedded",
} as const;

/** For each of the emulator's permissions, the names of the ThousandEyes permissions that it covers. */
const labels: Record<Permission, readonly string[]> = {
  edit: ["Edit endpoint agent settings", "Edit tags", "Edit alert rules"],
  "edit-endpoint-tests": ["Edit endpoint tests"],
  "view-personal-data": ["View endpoint data that identifies users"],
  "view-account": ["View Billing", "View roles"],
};

export const accountRoutes = [
  handle(
    calls.usage,
    ({ service }) => {
      const enabled = fleetOf(service)
        .list()
        .filter(({ body }) => body.status === "enabled" && !body.deleted);
      const licenses = Object.entries(names).map(([type, name]) => ({
        name,
        included: service.settings.licenses[type as keyof typeof names],
        used: enabled.filter(({ body }) => body.licenseType === type).length,
      }));
      const quota = licenses.flatMap(({ name, included }) => (included === undefined ? [] : [[`${name}Included`, included]]));
      const used = licenses.map((license) => [`${license.name}Used`, license.used]);
      return { body: { usage: { quota: Object.fromEntries(quota), ...Object.fromEntries(used) } } };
    },
    { permission: "view-account" },
  ),
  handle(calls.user, ({ caller }) => {
    const roles = [{ roleId: caller.userId, name: caller.role.name, isBuiltin: true }];
    const groups = caller.accountGroups.map((group) => ({ ...group }));
    const accountGroupRoles = groups.map((accountGroup) => ({ accountGroup, roles }));
    return { body: { name: caller.name, uid: caller.userId, loginAccountGroup: groups[0], accountGroupRoles } };
  }),
  handle(
    calls.role,
    ({ path, caller }) => {
      const role = [caller, ...users].find(({ userId }) => userId === path.id)?.role;
      if (!role) throw new Problem(404, `There is no role ${path.id}`);
      const permissions = ["View endpoint tests", ...role.permissions.flatMap((permission) => labels[permission])];
      return { body: { roleId: path.id, name: role.name, permissions: permissions.map((label) => ({ label })) } };
    },
    { permission: "view-account" },
  ),
];
