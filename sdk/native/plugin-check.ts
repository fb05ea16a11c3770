import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import * as pulumi from "../pulumi";
import { packageName } from "../token";

const executable = `pulumi-resource-${packageName}`;
let isFound: boolean | undefined;

/**
 * Stops the program if Pulumi does not find the native plugin. Without `checkPlugin`, the engine would search the network for
 * the plugin, and then report an unhelpful error.
 *
 * @param resource class and name of the resource that needs the plugin
 */
export function checkPlugin(resource: string): void {
  if ((isFound ??= hasPlugin(process.cwd(), process.env))) return;
  throw new pulumi.RunError(
    `${resource}: Pulumi does not know the native plugin of this package. Add these lines to Pulumi.yaml, then repeat this ` +
      `operation:\n\nplugins:\n  providers:\n    - name: ${packageName}\n` +
      "      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n\n" +
      "Or import the class from pulumi-endpoint-monitoring, which needs no plugin.",
  );
}

/**
 * Whether the engine finds the native plugin without searching the network. The result is always true for a program without a
 * project file.
 */
export function hasPlugin(programFolder: string, env: NodeJS.ProcessEnv): boolean {
  const project = projectFile(programFolder);
  if (project === undefined || namesPlugin(readFileSync(project, "utf8"))) return true;
  if ((env["PULUMI_DEBUG_PROVIDERS"] ?? "").includes(packageName)) return true;
  const inPath = (env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, executable)));
  return inPath || isInstalled(env["PULUMI_HOME"]);
}

function namesPlugin(text: string): boolean {
  return new RegExp(`^\\s+["']?${packageName}["']?:(\\s|$)|^\\s+(-\\s+)?name:\\s*["']?${packageName}["']?\\s*$`, "m").test(
    text,
  );
}

function projectFile(folder: string): string | undefined {
  const project = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]
    .map((name) => join(folder, name))
    .find((file) => existsSync(file));
  if (project !== undefined || dirname(folder) === folder) return project;
  return projectFile(dirname(folder));
}

function isInstalled(pulumiHome: string | undefined): boolean {
  try {
    const plugins = join(pulumiHome ?? join(homedir(), ".pulumi"), "plugins");
    return readdirSync(plugins).some((name) => name.startsWith(`resource-${packageName}-`));
  } catch {
    // An error means that the plugin folder cannot be read, or that the user has no home folder.
    return false;
  }
}
