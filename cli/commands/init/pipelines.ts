import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../../../api/manifest";
import type { Forge } from "./options";
import { foldersUp } from "../../../common/files";
import type { PackageManager } from "./package-manager";

/** Pipeline files by CI provider: the path in a repository, and the name in `examples/ci`. */
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
};

/** Returns the pipeline files of a CI provider by their path in a repository. */
export function pipelineFiles(forge: Forge, manager: PackageManager): Record<string, string> {
  const text = (file: string): string => readFileSync(join(ownFolder(), "examples/ci", file), "utf8");
  return Object.fromEntries(
    Object.entries(files[forge]).map(([place, file]) => [
      place,
      text(file).replaceAll("npm ci --ignore-scripts", manager.cleanInstall),
    ]),
  );
}

export function repositoryRoot(folder: string): string | undefined {
  return foldersUp(folder).find((path) => existsSync(join(path, ".git")));
}
