import { stackOf } from "../../../engine/stacks";
import { execFile } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { ownManifest } from "../../../api/manifest";
import { registry } from "../../../provider/registry";
import { providerString } from "../../../sdk/token";
import { FileBackend } from "../../../engine/backend";
import { previewStack } from "../../../engine/preview";
import { Project } from "../../../engine/project";
import { projectFolder } from "../../../engine/project-file";
import { leastEngine } from "../../../engine/run";
import type { ProjectStack } from "../../../engine/stack";
import { parseJson } from "../../../common/files";
import type { Io } from "../../../engine/io";
import { counted, shellWord } from "../../../common/text";
import { sameRecord, sameRecordText } from "../../../plan/same-record";
import { isOlder, leastOf, versionIn } from "../../../api/versions";
import { type Checks, failed, type CheckOutcome, ok, type Outcome, skipped, warning } from "./checks";
import { UsageError } from "../../../common/errors";

/**
 * Time limit for external commands, such as `pulumi`. The time limit is long, because the npm package `pulumi` downloads the engine on its
 * first run.
 */
const commandTimeoutMs = 120_000;

export async function checkMachine(
  checks: Checks,
  stackName: string | undefined,
  io: Io,
): Promise<{ stack: Outcome<ProjectStack>; provider: Outcome }> {
  await checks.run("node", [], () => checkNode(process.versions.node));
  const engine = await checks.run("engine", [], () => checkEngine(io));
  const project = await checks.run(
    "project",
    [engine],
    () => openProject(stackName, io),
    "correct Pulumi.yaml: pulumi about shows how Pulumi reads it",
  );
  if (projectFolder(io.cwd) === undefined) return { stack: {}, provider: {} };
  const stack = await checks.run("stack", [project], (opened) => findStack(opened, stackName));
  const provider = await checks.run("provider", [project], ({ programFolder }) => loadProvider(programFolder, io));
  return { stack, provider };
}

export function checkNode(version: string): CheckOutcome {
  const least = leastOf(ownManifest().engines.node);
  if (!isOlder(version, least)) return ok(`${version}; ${least} or newer is needed`);
  return failed(`${version} is older than ${least}`, `install Node ${least} or newer: https://nodejs.org/en/download`);
}

async function checkEngine(io: Io): Promise<CheckOutcome> {
  const least = leastEngine();
  const install = `install Pulumi ${least} or newer: https://www.pulumi.com/docs/install/, or npm install --save-dev pulumi`;
  const run = await runCommand("pulumi", ["version"], io.cwd, io);
  if (run.missing) return failed("pulumi is not on the PATH", install);
  const version = versionIn(run.stdout);
  if (version === undefined) {
    const reason = stripVTControlCharacters(run.stderr).trim().split("\n").at(-1) ?? "";
    return failed(`\`pulumi version\` printed no version${reason === "" ? "" : ` (${reason})`}`, install);
  }
  if (!isOlder(version, least)) return ok(`pulumi ${version}; ${least} or newer is needed`);
  return warning(`pulumi ${version} is older than ${least}, which \`endpoint-monitoring import\` needs`, install);
}

function openProject(stackName: string | undefined, io: Io): CheckOutcome<Project> {
  if (projectFolder(io.cwd) === undefined) {
    if (stackName === undefined) return skipped("no Pulumi.yaml here or above: settings come from the environment");
    return failed(`no Pulumi.yaml here or above, so there is no stack ${stackName}`, "cd into the folder of the project");
  }
  const project = Project.open(io);
  return ok(`${project.name} in ${project.folder}`, project);
}

async function findStack(project: Project, name: string | undefined): Promise<CheckOutcome<ProjectStack>> {
  let names: string[];
  try {
    names = await project.stackNames();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return (
      (await emptyState(project)) ??
      failed(
        `the stacks cannot be listed: ${error.message}`,
        "log in to their backend with pulumi login, then run pulumi stack ls",
      )
    );
  }
  const [first] = names;
  if (first === undefined) return failed(`project ${project.name} has no stack`, "pulumi stack init dev");
  try {
    const stack = await stackOf(project, name);
    return ok(stack.name, stack);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const existing = `its ${names.length === 1 ? "stack is" : "stacks are"} ${names.join(", ")}`;
    if (name !== undefined) return failed(`project ${project.name} has no stack ${name}; ${existing}`, `--stack ${first}`);
    return failed(`no stack is selected; ${existing}`, `pulumi stack select ${first}, or --stack ${first}`);
  }
}

/** Returns a failure if `pulumi` cannot list the project's stacks because a state file is empty. */
async function emptyState(project: Project): Promise<CheckOutcome<never> | undefined> {
  const [empty, ...others] = (await FileBackend.of(project))?.emptyStates() ?? [];
  if (!empty) return undefined;
  const { stack, file, backup } = empty;
  const more =
    others.length === 0 ? "" : `, and so ${others.length === 1 ? "is" : "are"} ${others.map((state) => state.file).join(", ")}`;
  const problem = `the state file of stack ${stack} is empty (${file})${more}: an engine was killed while it wrote the file`;
  if (backup === undefined) {
    return failed(
      problem,
      `there is no backup: delete the file, then run pulumi stack init ${stack} and endpoint-monitoring import --run`,
    );
  }
  // If an update was killed, the backup may lack changes that this update made in the service.
  const steps = [`cp ${shellWord(backup)} ${shellWord(file)}`, `pulumi cancel --yes --stack ${stack}`];
  return failed(
    problem,
    `${steps.join(" && ")}, then recover as after a crash: pulumi refresh --clear-pending-creates, pulumi config set endpoint-monitoring:adopt identical, pulumi up`,
  );
}

/** Loads every resource type in the same way as Pulumi's provider process. */
async function loadProvider(folder: string, io: Io): Promise<CheckOutcome> {
  const kinds = Object.values(registry).map(({ name }) => name);
  const script = `
    const exports = {}, missing = [];
    const load = () => { ${kinds
      .map((name) => `${providerString(name)}; if (typeof exports.handler()?.create !== "function") missing.push("${name}");`)
      .join("\n")} };
    try { load(); } catch (error) { console.log(JSON.stringify({ code: error.code, message: error.message })); process.exit(); }
    const { version } = require("module").createRequire(process.cwd() + "/_.js")("pulumi-endpoint-monitoring/package.json");
    console.log(JSON.stringify({ version, missing }));`;
  // The engine runs programs with the `node` on the PATH.
  const run = await runCommand("node", ["-e", script], folder, io);
  if (run.missing) return failed("node is not on the PATH, but the engine needs it to run programs", "put node on the PATH");
  const manifest = ownManifest();
  const install = `cd ${folder} && npm install ${manifest.name}@${manifest.version}`;
  // The type assertion is safe, because `script` prints JSON of this type.
  const answer = parseJson(run.stdout) as
    | { version: string; missing: string[] }
    | { code?: string; message: string }
    | undefined;
  if (!answer) return failed(`loading ${manifest.name} ended the process: ${run.stderr.trim().split("\n").at(-1)}`, install);
  if ("message" in answer) {
    if (answer.code === "MODULE_NOT_FOUND") return failed(`${manifest.name} cannot be loaded from ${folder}`, install);
    return failed(`${manifest.name} cannot be loaded from ${folder}: ${answer.message.split("\n")[0]}`, install);
  }
  if (answer.missing.length > 0) {
    return failed(`${manifest.name} ${answer.version} in ${folder} does not support ${answer.missing.join(", ")}`, install);
  }
  if (answer.version === manifest.version) return ok(`${manifest.name} ${answer.version}`);
  const differs = `${manifest.name} is ${answer.version} in ${folder}, but this command is ${manifest.version}`;
  return warning(differs, `cd ${folder} && npx endpoint-monitoring check, or ${install}`);
}

function runCommand(command: string, args: readonly string[], cwd: string, { env }: Io) {
  return new Promise<{ stdout: string; stderr: string; missing: boolean }>((resolve) => {
    execFile(command, [...args], { cwd, env, timeout: commandTimeoutMs }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, missing: error !== null && error.code === "ENOENT" });
    });
  });
}

/**
 * Checks a stack's lock and its state. Like `drift` and `verify`, the function reads the state with decrypted secrets.
 * @returns the outcome of the state check
 */
export async function checkState(checks: Checks, stack: ProjectStack): Promise<Outcome> {
  const { name } = stack;
  const read = async () => {
    const managedResources = await stack.managed();
    const [group, ...others] = sameRecord(managedResources);
    if (group === undefined)
      return ok(`${counted(managedResources.length, "resource")} of this package, and its secrets can be decrypted`);
    const { message, fix } = sameRecordText(group);
    return warning(others.length === 0 ? message : `${message}; ${counted(others.length, "similar case")} more`, fix);
  };
  const advice = `make sure that pulumi stack export --show-secrets --stack ${name} works; if the stack has a passphrase, export PULUMI_CONFIG_PASSPHRASE`;
  const start = `the state of stack ${name} cannot be read with its secrets: `;
  const state = await checks.run("state", [], read, advice, start);
  await checks.run("lock", [], async () => {
    const backend = await FileBackend.of(stack.project);
    if (backend === undefined) return skipped("not checked: the backend manages its own locks");
    if (backend.locks(name).length === 0) return ok("the stack is not locked");
    const message = `stack ${name} is locked: an update is running, or was killed`;
    return failed(message, `if no update is running: pulumi cancel --stack ${name}`);
  });
  return state;
}

/** Previews a stack. A successful preview proves that the engine, the provider and the program start. */
export async function checkPreview(checks: Checks, stack: ProjectStack, needs: Outcome<unknown>[]): Promise<void> {
  const preview = async (): Promise<CheckOutcome> => {
    await previewStack(stack, `stack ${stack.name} cannot be previewed`);
    return ok(`stack ${stack.name} can be previewed`);
  };
  const fix = "endpoint-monitoring validate lists the mistakes of the program; pulumi preview shows the rest";
  await checks.run("preview", needs, preview, fix);
}
