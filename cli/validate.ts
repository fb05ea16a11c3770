import { relative } from "node:path";
import { settings } from "../api";
import { type ExitCode, UsageError } from "./command";
import type { ValidateValues } from "./commands/validate";
import { Project } from "./engine/project";
import { positionText } from "./engine/state";
import type { Io } from "./io";
import { type ListItem, text } from "./report/document";
import type { Output } from "./report/output";
import { errorText } from "./report/phrase";
import { checkFiles, present } from "./report/present";
import { counted } from "./report/text";
import { readConfiguration } from "./validate/configuration";
import { byPosition, duplicatesAmong, type Fault, faultsBetween, faultsOf, isOurs } from "./validate/faults";
import { propertyPositions } from "./validate/position";
import { runProgram } from "./validate/run";

export async function runValidate(given: ValidateValues, out: Output, io: Io): Promise<ExitCode> {
  const { stack } = given;
  checkFiles(given);
  const project = Project.open(io);
  if (project.runtime !== "nodejs") {
    throw new UsageError(`The runtime of the project is ${project.runtime}, not nodejs`, "work");
  }
  const configuration = readConfiguration(project, stack);
  out.step(`Running the program of ${project.name}`);
  const { declarations, failure } = await runProgram(project, configuration, (done) =>
    out.count(done, undefined, done === 1 ? "resource" : "resources"),
  );
  const accountGroupId = configuration.values["endpoint-monitoring:accountGroupId"] ?? io.env[settings.accountGroupId.env];
  const ours = declarations.filter(isOurs);
  const duplicates = duplicatesAmong(ours);
  const own = ours.flatMap((one) => faultsOf(one, duplicates.has(one), accountGroupId));
  // An id that has not even the form of one is reported once.
  const isOwn = (fault: Fault): boolean =>
    own.some(({ resource, name, path }) => resource === fault.resource && name === fault.name && path === fault.path);
  const unique = ours.filter((one) => !duplicates.has(one));
  const all = [...own, ...faultsBetween(unique, accountGroupId).filter((fault) => !isOwn(fault))];
  const placed = await propertyPositions(all, project.programFolder);
  const shown = placed.toSorted(byPosition).map(({ position, ...fault }) => ({
    ...(position && { file: relative(io.cwd, position.file), line: position.line }),
    ...fault,
  }));
  const faults = shown.filter(({ isAdvice }) => !isAdvice);
  for (const { isAdvice, ...advice } of shown) if (isAdvice) out.warn(lineOf(advice));
  const wrong = new Set(faults.map(({ resource, name }) => `${resource} ${name}`));
  if (failure !== undefined) {
    for (const fault of faults) out.note(lineOf(fault));
    throw new UsageError(`The program failed, so what it declares after that was not checked:\n${failure}`, "work");
  }
  const declared = counted(ours.length, "resource");
  const unwritten = present(
    {
      data: { resources: ours.length, faults },
      blocks: (medium) => [
        ...(faults.length > 0 || medium === "machine"
          ? [{ kind: "list" as const, noun: "mistake", items: itemsOf(faults, declared) }]
          : []),
        text([
          faults.length === 0
            ? `${declared} checked: no mistake found.`
            : `${counted(faults.length, "mistake")} in ${wrong.size} of ${declared}.`,
        ]),
      ],
    },
    given,
    out,
    io,
  );
  if (unwritten !== undefined) out.error(unwritten);
  return unwritten !== undefined ? 1 : faults.length > 0 ? 2 : 0;
}

/** The mistakes. A program without any is one case that passes. */
function itemsOf(faults: readonly ShownFault[], declared: string): ListItem[] {
  if (faults.length > 0) return faults.map(itemOf);
  return [{ text: [declared], finding: { rule: "validate", level: "passed", name: declared } }];
}

function itemOf(fault: ShownFault): ListItem {
  const { file, line = 0, resource, name } = fault;
  const position = file === undefined ? undefined : { file, line, column: 0 };
  const finding = { rule: "validate", level: "error", name: `${resource} ${name}`, position } as const;
  return { text: [errorText(lineOf(fault))], finding };
}

/** A fault as the result has it. */
interface ShownFault extends Omit<Fault, "position"> {
  /** Relative to the folder that the command runs in. */
  readonly file?: string;
  readonly line?: number;
}

function lineOf({ file, line = 0, resource, name, path, reason }: ShownFault): string {
  const where = file === undefined ? "" : `${positionText({ file, line, column: 0 })}  `;
  return `${where}${resource} "${name}": ${path === "" ? "" : `${path} `}${reason}`;
}
