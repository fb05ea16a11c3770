import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ForbiddenError, NotFoundError } from "../api";
import { ownManifest } from "../api/manifest";
import { settings, type SettingName } from "../api/setting-names";
import type { ProjectStack } from "../engine/stack";
import type { OwnOperation } from "./read";

/** Settings that determine the account, the client or the behavior of the provider. */
const decisive = [
  "baseUrl",
  "accountGroupId",
  "tenantId",
  "clientId",
  "scope",
  "adopt",
  "replaceOrder",
] as const satisfies readonly SettingName[];

export async function identityOf({ stack, session }: OwnOperation): Promise<Record<string, string>> {
  const configured = await stack.configured();
  const entries = decisive.flatMap((name) => {
    const value = configured(name) || stack.project.io.env[settings[name].env];
    return value ? [[name, value] as const] : [];
  });
  const { client } = await session();
  try {
    const { accountGroups } = await client.accountGroups.list();
    const current = accountGroups.find((group) => group.isCurrentAccountGroup) ?? accountGroups[0];
    const organization = current?.organizationName;
    return Object.fromEntries([...entries, ...(organization === undefined ? [] : [["organization", organization] as const])]);
  } catch (error) {
    // A user without permission to list account groups cannot see the name of the organization.
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return Object.fromEntries(entries);
    throw error;
  } finally {
    await client.close();
  }
}

/** Returns the npm package that a stack's provider runs, with a digest of the package's code. */
export function loadedPackage({ project }: ProjectStack) {
  const folder = project.packageFolder(ownManifest().name);
  if (folder === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const hash = createHash("sha256");
  for (const file of ["api", "provider", "plugin", "sdk"].flatMap((module) => codeIn(join(folder, "dist", module)))) {
    hash.update(`${file.slice(folder.length)}\n`).update(readFileSync(file));
  }
  return { version, integrity: `sha256-${hash.digest("base64")}` };
}

function codeIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".js"))
    .map((file) => join(folder, file))
    .toSorted();
}
