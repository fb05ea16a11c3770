import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { foldersUp } from "../../../common/files";

type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export interface PackageManager {
  readonly name: ManagerName;
  readonly install: string;
  readonly run: string;
  /** Command that installs the locked versions in a pipeline, without running package scripts. */
  readonly cleanInstall: string;
  /** Contents of the package manager's additional configuration files, by file name. */
  readonly files: Readonly<Record<string, string>>;
}

const managers: Record<ManagerName, Omit<PackageManager, "name">> = {
  npm: { install: "npm install", run: "npx", cleanInstall: "npm ci --ignore-scripts", files: {} },
  pnpm: {
    install: "pnpm install",
    run: "pnpm exec",
    cleanInstall: "corepack pnpm install --frozen-lockfile --ignore-scripts",
    // `pnpm install` fails until the project allows or denies protobufjs's install script. The install script of protobufjs only checks
    // versions.
    files: { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
  },
  yarn: {
    install: "yarn install",
    run: "yarn",
    cleanInstall: "corepack yarn install --immutable --mode=skip-build",
    // Yarn 2 and newer use Plug'n'Play by default, but the engine starts the provider without Plug'n'Play. Yarn 1 ignores `.yarnrc.yml`.
    files: { ".yarnrc.yml": "nodeLinker: node-modules\n" },
  },
  bun: { install: "bun install", run: "bunx", cleanInstall: "bun install --frozen-lockfile --ignore-scripts", files: {} },
};

const locks: Record<string, ManagerName> = {
  "package-lock.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

/**
 * Returns the package manager of a folder, by default npm. A lock file in the folder has priority over the package manager that runs this
 * command. Lock files in parent folders have the lowest priority.
 *
 * @param agent value of `npm_config_user_agent`, such as `pnpm/10.1.0 npm/? node/v24.0.0`
 */
export function packageManagerOf(folder: string, agent = ""): PackageManager {
  const running = /^(npm|pnpm|yarn|bun)\//.exec(agent)?.[1] as ManagerName | undefined;
  const [locked, ...lockedAbove] = foldersUp(folder).map(lockedIn);
  const name = locked ?? running ?? lockedAbove.find((manager) => manager !== undefined) ?? "npm";
  const isAbove = (file: string): boolean => foldersUp(dirname(folder)).some((above) => existsSync(join(above, file)));
  const files = Object.entries(managers[name].files).filter(([file]) => !isAbove(file));
  return { name, ...managers[name], files: Object.fromEntries(files) };
}

function lockedIn(folder: string): ManagerName | undefined {
  return Object.entries(locks).find(([file]) => existsSync(join(folder, file)))?.[1];
}
