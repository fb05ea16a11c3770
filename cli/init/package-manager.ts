import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

/** The program that installs the packages of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  /** Installs what package.json lists. */
  readonly install: string;
  /** Runs a command of an installed package. */
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
    files: {},
  },
  bun: { install: "bun install", run: "bunx", cleanInstall: "bun install --frozen-lockfile --ignore-scripts", files: {} },
};

/** The engine starts the provider without Plug'n'Play, which Yarn 2 and newer use by default. */
const yarnFiles = { ".yarnrc.yml": "nodeLinker: node-modules\n" };

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
  const [, running, version = ""] = /^(npm|pnpm|yarn|bun)\/(\d+)/.exec(agent) ?? [];
  const name = lockedIn(folder) ?? (running as ManagerName | undefined) ?? lockedAbove(folder) ?? "npm";
  const isClassic = name === "yarn" && (running === "yarn" ? Number(version) < 2 : isClassicLock(folder));
  const files = Object.entries(name === "yarn" && !isClassic ? yarnFiles : managers[name].files);
  return { name, ...managers[name], files: Object.fromEntries(files.filter(([file]) => !isAbove(folder, file))) };
}

/** Whether a folder above has a file, which then is in force. */
function isAbove(folder: string, file: string): boolean {
  const parent = dirname(folder);
  return parent !== folder && (existsSync(join(parent, file)) || isAbove(parent, file));
}

function lockedIn(folder: string): ManagerName | undefined {
  return Object.entries(locks).find(([file]) => existsSync(join(folder, file)))?.[1];
}

function lockedAbove(folder: string): ManagerName | undefined {
  const parent = dirname(folder);
  return parent === folder ? undefined : (lockedIn(parent) ?? lockedAbove(parent));
}

/** Whether a lock file is one of Yarn 1. */
function isClassicLock(folder: string): boolean {
  const file = join(folder, "yarn.lock");
  return existsSync(file) && readFileSync(file, "utf8").includes("# yarn lockfile v1");
}
