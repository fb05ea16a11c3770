import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ownFolder } from "../../../api/manifest";
import type { CiProviderName } from "./options";
import { UsageError } from "../../../common/errors";
import { foldersUp } from "../../../common/files";
import type { PackageManager } from "./package-manager";

/** Pipeline files of each CI provider. The keys are paths in the user's repository, and the values are paths in `examples/ci`. */
const files: Readonly<Record<CiProviderName, Readonly<Record<string, string>>>> = {
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

/**
 * Returns the contents of pipeline files, by path relative to the project folder. The files belong below the repository's root folder, even
 * if the project is in a subfolder.
 *
 * @throws UsageError if the project path has characters that a shell or YAML may interpret
 */
export function pipelineFiles(ciProvider: CiProviderName, manager: PackageManager, folder: string): Record<string, string> {
  const root = repositoryRoot(folder) ?? folder;
  const project = relative(root, folder).split(sep).join("/") || ".";
  if (!/^[\w.][\w./-]*$/.test(project)) {
    throw new UsageError(
      `The project's path in the repository, "${project}", has characters that --ci does not support. Use only letters, digits and the characters ._-/`,
      "work",
    );
  }
  const text = (file: string): string => readFileSync(join(ownFolder(), "examples/ci", file), "utf8");
  return Object.fromEntries(
    Object.entries(files[ciProvider]).map(([pathInRepository, file]) => [
      relative(folder, join(root, pathInRepository)),
      text(file)
        .replaceAll("npm ci --ignore-scripts", manager.cleanInstall)
        .replaceAll("${PROJECT:-.}", `\${PROJECT:-${project}}`)
        .replace("PROJECT: . ", `PROJECT: ${project} `),
    ]),
  );
}

function repositoryRoot(folder: string): string | undefined {
  return foldersUp(folder).find((path) => existsSync(join(path, ".git")));
}
