import { lstatSync } from "node:fs";
import { join } from "node:path";
import { settings, type SettingName } from "../../../api";
import { type ExitCode, wholeNumber, wordsOf, type Invocation } from "../../command";
import { emulatorPort, ciProviders, type InitValues } from "./options";
import { writeWhole } from "../../../common/files";
import { frontModules } from "../../../program/front";
import { type PackageManager, packageManagerOf } from "./package-manager";
import { type Plan, type PlannedFile, planProject } from "./plan";
import { firstStack, serviceUrl } from "./templates";
import type { Output } from "../../report/output";
import { UsageError } from "../../../common/errors";

interface FileOutcome extends Pick<PlannedFile, "path" | "added"> {
  readonly outcome: "created" | "extended" | "kept";
}

const pipelineSettings =
  "The pipelines also need variables and secrets: node_modules/pulumi-endpoint-monitoring/examples/ci/README.md lists them.";

const dataFile = "emulator.db";

export async function run(values: InitValues, { out, io }: Invocation): Promise<ExitCode> {
  const [ciProvider] = wordsOf("ci", values.ci === undefined ? [] : [values.ci], ciProviders);
  const manager = packageManagerOf(io.cwd, io.env["npm_config_user_agent"]);
  const wanted = { emulatorPort: portOf(values), ciProvider, native: values.native ?? false };
  const plan = planProject(io.cwd, wanted, manager);
  const files = plan.files.map((file) => outcomeOf(io.cwd, file));
  if (!values["dry-run"]) write(io.cwd, plan.files, files, out);
  if (plan.isDynamic) {
    out.warn(
      `The program imports dynamic resources. Import them from ${frontModules.native} instead. The next update then moves the resources to the native plugin`,
    );
  }
  const { port } = new URL(plan.settings["baseUrl"] ?? "http://localhost");
  const emulator = values.emulator
    ? `${manager.run} endpoint-monitoring emulator --port ${port} --data ${dataFile}`
    : undefined;
  const commands = commandsAfter(plan, files, manager);
  out.result({ folder: io.cwd, files, ...(emulator !== undefined && { emulator }), commands }, () =>
    [
      ...filesText(files, values["dry-run"] === true),
      "",
      ...commandsText(commands, emulator),
      ...(ciProvider === undefined ? [] : ["", pipelineSettings]),
    ].join("\n"),
  );
  return 0;
}

function portOf({ emulator, port: value }: InitValues): number | undefined {
  if (value !== undefined && !emulator) throw new UsageError("--port requires --emulator");
  const port = wholeNumber("port", value) ?? emulatorPort;
  if (port < 1 || port > 65_535) throw new UsageError(`--port takes a number from 1 to 65535, not "${value}"`);
  return emulator ? port : undefined;
}

function outcomeOf(folder: string, { path, added = [] }: PlannedFile): FileOutcome {
  if (!exists(join(folder, path))) return { path, outcome: "created" };
  return added.length > 0 ? { path, outcome: "extended", added } : { path, outcome: "kept" };
}

/** Whether a path exists. A broken symbolic link also counts as existing. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The command reports problems such as missing permissions later, when it writes the file.
    return false;
  }
}

function write(folder: string, files: readonly PlannedFile[], outcomes: readonly FileOutcome[], out: Output): void {
  const kept = new Set(outcomes.flatMap(({ path, outcome }) => (outcome === "kept" ? [path] : [])));
  const written: string[] = [];
  for (const { path, text } of files) {
    if (kept.has(path)) continue;
    writeWhole(join(folder, path), text);
    written.push(path);
    out.doneSoFar = `Written: ${written.join(", ")}. Run the command again to write the others.`;
  }
}

/**
 * Returns the commands that the user should run next, in order. Without a value on the command line, `pulumi config set` prompts for the
 * value.
 */
function commandsAfter(
  { hasStack, hasBaseUrl, settings: values }: Plan,
  files: readonly FileOutcome[],
  manager: PackageManager,
): string[] {
  const stackFile = files.find(({ path }) => path === `Pulumi.${firstStack}.yaml`);
  const isConfigured = stackFile?.outcome === "created";
  const isNewStack = isConfigured || (stackFile === undefined && !hasStack);
  const configure = (name: SettingName): string => {
    const options = [...(stackFile ? ["--stack", firstStack] : []), ...("secret" in settings[name] ? ["--secret"] : [])];
    const value = values[name] ?? (name === "baseUrl" ? serviceUrl : []);
    return ["pulumi config set", ...options, `endpoint-monitoring:${name}`, ...[value].flat()].join(" ");
  };
  return [
    manager.install,
    ...(isNewStack ? [`pulumi stack init ${firstStack}`] : []),
    ...(isConfigured || (stackFile === undefined && hasBaseUrl) ? [] : [configure("baseUrl"), configure("token")]),
    `${manager.run} endpoint-monitoring validate`,
    `pulumi preview${isNewStack || stackFile === undefined ? "" : ` --stack ${firstStack}`}`,
  ];
}

function filesText(files: readonly FileOutcome[], isDryRun: boolean): string[] {
  const section = (wanted: FileOutcome["outcome"], title: string): string[] => {
    const matching = files.filter(({ outcome }) => outcome === wanted);
    return matching.length === 0
      ? []
      : [title, ...matching.map(({ path, added }) => `  ${path}${added ? ` (${added.join(", ")})` : ""}`)];
  };
  return [
    ...section("created", isDryRun ? "Would create:" : "Created:"),
    ...section("extended", isDryRun ? "Would extend:" : "Extended:"),
    ...section("kept", "Unchanged:"),
  ];
}

function commandsText([install, ...others]: readonly string[], emulator: string | undefined): string[] {
  const start = emulator === undefined ? [] : ["", "In another terminal, keep this running:", `  ${emulator}`, "", "Then:"];
  return ["Next:", `  ${install}`, ...start, ...others.map((line) => `  ${line}`)];
}
