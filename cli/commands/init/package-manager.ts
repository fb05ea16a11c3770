import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { foldersUp } from "../../../common/files";

type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

/** The program that installs the packages of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  readonly install: string;
  readonly run: string;
  /** Installs what the lock file lists, and runs no script of a package: in a pipeline. */
  readonly cleanInstall: string;
  /** Files that it needs so that programs find the package, by their name. */
  readonly files: Readonly<Record<string, string>>;
}

const managers: Record<ManagerName, Omit<PackageManager, "name">> = {
  npm: { install: "npm install", run: "npx", cleanInstall: "npm ci --ignore-scripts", files: {} },
  pnpm: {
    install: "pnpm install",
    run: "pnpm exec",
    cleanInstall: "corepack pnpm install --frozen-lockfile --ignore-scripts",
    // pnpm refuses to install while nobody has decided about an install script. This one only checks versions.
    files: { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
  },
  yarn: {
    install: "yarn install",
    run: "yarn",
    cleanInstall: "corepack yarn install --immutable --mode=skip-build",
    // The engine starts the provider without Plug'n'Play, which Yarn 2 and newer use by default. Yarn 1 ignores the file.
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
 * Finds the package manager of a folder: the one whose lock file is there, else the one that runs this command, else the one whose lock
 * file is in a folder above, else npm.
 *
 * @param agent `npm_config_user_agent`, which package managers set, such as `pnpm/10.1.0 npm/? node/v24.0.0`
 */
export function packageManagerOf(folder: string, agent = ""): PackageManager {
  const running = /^(npm|pnpm|yarn|bun)\//.exec(agent)?.[1] as ManagerName | undefined;
  const [locked, ...lockedAbove] = foldersUp(folder).map(lockedIn);
  const name = locked ?? running ?? lockedAbove.find((manager) => manager !== undefined) ?? "npm";
  // A file of a folder above applies here, too.
  const isAbove = (file: string): boolean => foldersUp(dirname(folder)).some((above) => existsSync(join(above, file)));
  const files = Object.entries(managers[name].files).filter(([file]) => !isAbove(file));
  return { name, ...managers[name], files: Object.fromEntries(files) };
}

function lockedIn(folder: string): ManagerName | undefined {
  return Object.entries(locks).find(([file]) => existsSync(join(folder, file)))?.[1];
}
