import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolder } from "../../api/manifest";
import type { Forge } from "./forges";
import type { PackageManager } from "./package-manager";

/** Files of the pipelines by forge: where each belongs in a repository, and its name in `examples/ci`. */
const files: Readonly<Record<Forge, Readonly<Record<string, string>>>> = {
  github: {
    ".github/workflows/endpoint-monitoring-review.yml": "github/endpoint-monitoring-review.yml",
    ".github/workflows/endpoint-monitoring-up.yml": "github/endpoint-monitoring-up.yml",
    ".github/workflows/endpoint-monitoring-drift.yml": "github/endpoint-monitoring-drift.yml",
    ".github/endpoint-monitoring/action.yml": "github/action.yml",
  },
  gitlab: {
    ".gitlab-ci.yml": "gitlab/.gitlab-ci.yml",
    ".gitlab/endpoint-monitoring.yml": "gitlab/endpoint-monitoring.yml",
    ".gitlab/endpoint-monitoring-up.yml": "gitlab/endpoint-monitoring-up.yml",
    ".gitlab/endpoint-monitoring-drift.yml": "gitlab/endpoint-monitoring-drift.yml",
  },
  azure: {
    "azure-pipelines.yml": "azure/azure-pipelines.yml",
    ".azure/endpoint-monitoring.yml": "azure/endpoint-monitoring.yml",
  },
  bitbucket: { "bitbucket-pipelines.yml": "bitbucket/bitbucket-pipelines.yml" },
};

/** Scripts that an earlier version copied beside its pipelines, which called them. */
const formerScripts = [
  "run.sh",
  "forge.mjs",
  "forge-api.mjs",
  "local.mjs",
  "local-forge.mjs",
  "action.yml",
  ".gitlab-ci.yml",
].map((name) => `ci/${name}`);

/** Returns the files of a forge's pipelines by their place in a repository. */
export function pipelineFiles(forge: Forge, manager: PackageManager): Record<string, string> {
  const text = (file: string): string => readFileSync(join(ownFolder(), "examples/ci", file), "utf8");
  return Object.fromEntries(
    Object.entries(files[forge]).map(([place, file]) => [
      place,
      text(file).replaceAll("npm ci --ignore-scripts", manager.cleanInstall),
    ]),
  );
}

/** Whether a file calls the scripts that an earlier version copied. */
export function isFormer(folder: string, path: string): boolean {
  const file = join(folder, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && formerCall.test(readFileSync(file, "utf8"));
}

/** The scripts that are there, where pipelines called them that are replaced. */
export function formerFiles(folder: string, forge: Forge): string[] {
  const isReplaced = Object.keys(files[forge]).some((path) => isFormer(folder, path));
  return isReplaced ? formerScripts.filter((path) => existsSync(join(folder, path))) : [];
}

const formerCall = /\bci\/run\.sh\b|^ +- uses: \.\/ci$/m;

/** Root of the repository that a folder belongs to; nothing where it is in none. */
export function repositoryRoot(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryRoot(parent);
}
