import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolder } from "../../api/manifest";
import type { Forge } from "./forges";
import type { PackageManager } from "./package-manager";

/** What every pipeline runs. */
const scripts = ["run.sh", "forge.mjs", "forge-api.mjs", "local.mjs", "local-forge.mjs"];

/**
 * Returns the files of a forge's pipelines by their place in a repository.
 *
 * @param folder folder of the project: where it has a GitLab pipeline already, ours is a file to include
 */
export function pipelineFiles(forge: Forge, folder: string, manager: PackageManager): Record<string, string> {
  const source = join(ownFolder(), "examples/ci");
  const text = (file: string): string => readFileSync(join(source, file), "utf8").replaceAll("npm ci", manager.cleanInstall);
  const common = Object.fromEntries(scripts.map((name) => [`ci/${name}`, text(name)]));
  if (forge === "gitlab") {
    const pipeline = text(".gitlab-ci.yml");
    return { [placeIn(folder, pipeline)]: pipeline, ...common };
  }
  const workflows = readdirSync(join(source, "github")).map((name) => [`.github/workflows/${name}`, text(`github/${name}`)]);
  return { ...(Object.fromEntries(workflows) as Record<string, string>), "ci/action.yml": text("action.yml"), ...common };
}

/** Place of a GitLab pipeline: beside the one that there is, unless it is this. */
function placeIn(folder: string, pipeline: string): string {
  const place = ".gitlab-ci.yml";
  const file = join(folder, place);
  return existsSync(file) && readFileSync(file, "utf8") !== pipeline ? `ci/${place}` : place;
}

/** Root of the repository that a folder belongs to; nothing where it is in none. */
export function repositoryRoot(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryRoot(parent);
}
