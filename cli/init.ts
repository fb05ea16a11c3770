import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ExitCode, UsageError, wholeNumber, wordsOf } from "./command";
import type { InitValues } from "./commands/init";
import { writeWhole } from "./files";
import { commandsFor, emulatorCommand } from "./init/commands";
import { type Forge, forges } from "./init/forges";
import { packageManagerOf } from "./init/package-manager";
import { formerFiles, isFormer, repositoryRoot } from "./init/pipelines";
import { type Plan, planProject } from "./init/plan";
import { emulatorPort } from "./init/options";
import { isProjectName } from "./init/templates";
import { frontModules } from "./front";
import type { Io } from "./io";
import { pluginEntry } from "./plugin-lines";
import type { Output } from "./report/output";

/** A file of the result. */
interface FileOutcome {
  /** Relative to the folder. */
  readonly path: string;
  readonly outcome: "created" | "extended" | "kept" | "replaced" | "deleted";
  /** Additions to a file that existed: dependencies, or the entry for the plugin. */
  readonly added?: readonly string[];
}

export async function runInit(given: InitValues, out: Output, io: Io): Promise<ExitCode> {
  const forge = forgeOf(given.ci);
  const manager = packageManagerOf(io.cwd, io.env["npm_config_user_agent"]);
  const plan = planProject(
    io.cwd,
    { name: nameOf(given.name), emulatorPort: portOf(given.emulator, given.port), forge, native: given.native ?? false },
    manager,
  );
  const outcomes = [
    ...outcomesOf(io.cwd, plan, forge !== undefined),
    ...(forge ? formerFiles(io.cwd, forge) : []).map((path): FileOutcome => ({ path, outcome: "deleted" })),
  ];
  const files = given["dry-run"] ? outcomes : write(io.cwd, plan, outcomes, out);
  if (forge) warnOfSubfolder(io.cwd, out);
  if (plan.isDynamic) {
    out.warn(
      `The program imports dynamic resources: import them from ${frontModules.native} instead, and the next update moves them`,
    );
  }
  const emulator = given.emulator ? emulatorCommand(plan, manager) : undefined;
  const commands = commandsFor(plan, files, manager);
  out.result({ folder: io.cwd, files, ...(emulator !== undefined && { emulator }), commands }, () =>
    [...filesText(files, given["dry-run"] === true), "", ...commandsText(commands, emulator)].join("\n"),
  );
  return 0;
}

function forgeOf(value: string | undefined): Forge | undefined {
  return value === undefined ? undefined : wordsOf("ci", [value], forges)[0];
}

function nameOf(value: string | undefined): string | undefined {
  if (value === undefined || isProjectName(value)) return value;
  throw new UsageError(`--name takes letters, digits, -, _ and ., 100 of them at most, not "${value}"`);
}

function portOf(emulator: boolean | undefined, value: string | undefined): number | undefined {
  if (value !== undefined && !emulator) throw new UsageError("--port is the port of the emulator: it needs --emulator");
  const port = wholeNumber("port", value) ?? emulatorPort;
  if (port < 1 || port > 65_535) throw new UsageError(`--port takes a number from 1 to 65535, not "${value}"`);
  return emulator ? port : undefined;
}

/** Returns the outcome for each file. */
function outcomesOf(folder: string, { files, manifest, extended }: Plan, replaces: boolean): FileOutcome[] {
  const { path, added } = manifest;
  const outcome = !isThere(folder, path) ? "created" : added.length > 0 ? "extended" : "kept";
  const own: FileOutcome = { path, outcome, ...(added.length > 0 && { added }) };
  const others = [...files.keys()].map((file): FileOutcome => {
    if (file === extended?.path) return { path: file, outcome: "extended", added: [pluginEntry] };
    if (replaces && isFormer(folder, file)) return { path: file, outcome: "replaced" };
    return { path: file, outcome: isThere(folder, file) ? "kept" : "created" };
  });
  return [...others, own];
}

/** Whether a path is taken, if only by a link that leads nowhere. */
function isThere(folder: string, path: string): boolean {
  try {
    return lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Whatever is in its way, writing it reports that.
    return false;
  }
}

function write(folder: string, plan: Plan, outcomes: FileOutcome[], out: Output): FileOutcome[] {
  const written: string[] = [];
  for (const { path, outcome } of outcomes) {
    if (outcome === "kept") continue;
    const extended = [plan.manifest, plan.extended].find((one) => one?.path === path);
    const text = extended?.text ?? plan.files.get(path);
    if (outcome === "deleted") rmSync(join(folder, path));
    else writeWhole(join(folder, path), text ?? "");
    written.push(path);
    out.doneSoFar = `Written: ${written.join(", ")}. Run it again for the others.`;
  }
  return outcomes;
}

function warnOfSubfolder(folder: string, out: Output): void {
  const root = repositoryRoot(folder);
  if (root === undefined || root === folder) return;
  out.warn(`Pipelines belong into the root of the repository: move them to ${root}, and set the folder of the project in them`);
}

function filesText(files: readonly FileOutcome[], isDryRun: boolean): string[] {
  const pathsOf = (wanted: FileOutcome["outcome"]): string[] =>
    files
      .filter(({ outcome }) => outcome === wanted)
      .map(({ path, added = [] }) => `  ${path}${wanted === "extended" ? ` (${added.join(", ")})` : ""}`);
  const section = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? [title, ...lines] : []);
  return [
    ...section(isDryRun ? "Would create:" : "Created:", pathsOf("created")),
    ...section(isDryRun ? "Would add what is missing to:" : "Added what is missing to:", pathsOf("extended")),
    ...section(
      isDryRun ? "Would replace, since an earlier version wrote it:" : "Replaced, since an earlier version wrote it:",
      pathsOf("replaced"),
    ),
    ...section(
      isDryRun ? "Would delete, since the package runs it now:" : "Deleted, since the package runs it now:",
      pathsOf("deleted"),
    ),
    ...section("Left as they are:", pathsOf("kept")),
  ];
}

function commandsText(commands: readonly string[], emulator: string | undefined): string[] {
  const start = emulator === undefined ? [] : ["", "In another terminal, as long as you use it:", `  ${emulator}`];
  const [install, ...others] = commands;
  return ["Next:", `  ${install}`, ...start, ...(start.length > 0 ? ["", "Then:"] : []), ...others.map((line) => `  ${line}`)];
}
