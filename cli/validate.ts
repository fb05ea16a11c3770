import { relative, resolve } from "node:path";
import { stringOf } from "../provider/values";
import { type ExitCode, options, UsageError } from "./command";
import type { Io } from "./io";
import type { Output } from "./report/output";
import { programEntry } from "./program-entry";
import { projectFolder, readProjectFile } from "./engine/project-file";
import { readConfiguration } from "./validate/configuration";
import { byPlace, duplicatesAmong, type Fault, faultsOf, isOurs } from "./validate/faults";
import { runProgram } from "./validate/run";
import { propertyPlace } from "./validate/place";
import { counted } from "./report/text";

/** Runs the command. */
export async function runValidate(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const { stack } = options(args, { stack: { type: "string" } });
  const root = projectFolder(io.cwd);
  if (root === undefined) {
    throw new UsageError(`There is no Pulumi.yaml in ${io.cwd} or above it. Go to a Pulumi project, or make one`, "work");
  }
  const { name: project, main, runtime } = readProjectFile(root);
  if (runtime.name !== "nodejs") throw new UsageError(`The runtime of the project is ${runtime.name}, not nodejs`, "work");
  const { folder, file } = programEntry(root, main);
  const configuration = readConfiguration(root, project, stack);
  const tsconfig = stringOf(runtime.options["tsconfig"]);
  out.step(`Running the program of ${project}`);
  const nodeArguments = (stringOf(runtime.options["nodeargs"]) ?? "").split(/\s+/).filter((word) => word !== "");
  const program = {
    project,
    folder,
    file,
    nodeArguments,
    tsconfig: tsconfig === undefined ? undefined : resolve(folder, tsconfig),
  };
  const { monitor, failure, interrupted } = await runProgram(program, configuration, io);
  if (interrupted) return 130;
  const accountGroupId =
    configuration.values["endpoint-monitoring:accountGroupId"] ?? io.env["ENDPOINT_MONITORING_ACCOUNT_GROUP_ID"];
  const ours = monitor.declarations.filter(isOurs);
  const duplicates = duplicatesAmong(ours);
  const wrong = ours.map((one) => faultsOf(one, duplicates.has(one), accountGroupId)).filter((faults) => faults.length > 0);
  const placed = await Promise.all(
    wrong.flat().map(async (fault) => ({ ...fault, place: await propertyPlace(fault, folder) })),
  );
  const faults = placed.toSorted(byPlace).map(({ place, ...fault }) => ({
    ...(place && { file: relative(io.cwd, place.file), line: place.line }),
    ...fault,
  }));
  if (failure !== undefined) {
    for (const fault of faults) out.note(lineOf(fault));
    throw new UsageError(`The program failed, so what it declares after that was not checked:\n${failure}`, "work");
  }
  out.result({ resources: ours.length, faults }, () => {
    const declared = counted(ours.length, "resource");
    if (faults.length === 0) return `${declared} checked: no mistake found.`;
    const summary = `${counted(faults.length, "mistake")} in ${wrong.length} of ${declared}.`;
    return [...faults.map((fault) => lineOf(fault)), "", out.paint("red", summary)].join("\n");
  });
  return faults.length > 0 ? 2 : 0;
}

/** A fault as the result has it. */
interface ShownFault extends Omit<Fault, "place"> {
  /** Relative to the folder that the command runs in. */
  readonly file?: string;
  readonly line?: number;
}

function lineOf({ file, line, resource, name, path, reason }: ShownFault): string {
  const where = file === undefined ? "" : `${file}:${line}  `;
  return `${where}${resource} "${name}": ${path === "" ? "" : `${path} `}${reason}`;
}
