import { relative } from "node:path";
import { settings } from "../../../api";
import type { Project } from "../../../engine/project";
import { positionText } from "../../../common/position";
import type { Io } from "../../../engine/io";
import { readConfiguration } from "./configuration";
import { byPosition, type ProgramFault, faultsIn } from "./faults";
import { propertyPositions } from "../../../program/property-positions";
import { runProgram } from "./program-run";

export interface ShownFault extends Omit<ProgramFault, "position"> {
  readonly file?: string;
  readonly line?: number;
}

/** The result of running a program without the engine. */
export interface CheckedProgram {
  readonly faults: readonly ShownFault[];
  /** Notes about values that the service accepts. */
  readonly advice: readonly ShownFault[];
  /** Number of resources of this provider. */
  readonly resources: number;
  /** The report of the program's runner, if the program failed. */
  readonly failure: string | undefined;
}

/**
 * Runs a program without the engine and checks the resources that it declares.
 *
 * @param stack name of the stack; by default the selected one
 * @param onDeclaration called at each resource, with their number so far
 * @throws UsageError if no stack can be chosen
 */
export async function checkProgram(
  project: Project,
  stack: string | undefined,
  io: Io,
  onDeclaration: (count: number) => void,
): Promise<CheckedProgram> {
  const configuration = readConfiguration(project, stack);
  const { declarations, failure } = await runProgram(project, configuration, onDeclaration);
  const accountGroupId = configuration.values["endpoint-monitoring:accountGroupId"] ?? io.env[settings.accountGroupId.env];
  const { faults, resources } = faultsIn(declarations, accountGroupId);
  const placed = (await propertyPositions(faults, project.programFolder)).toSorted(byPosition);
  const all = placed.map(({ position, ...fault }): ShownFault => {
    return { ...(position && { file: relative(io.cwd, position.file), line: position.line }), ...fault };
  });
  const [wrong, advice] = [all.filter(({ isAdvice }) => !isAdvice), all.filter(({ isAdvice }) => isAdvice)];
  return { faults: wrong, advice, resources, failure };
}

/** Describes a mistake in a line. */
export function lineOf({ file, line = 0, resource, name, path, reason }: ShownFault): string {
  const where = file === undefined ? "" : `${positionText({ file, line, column: 0 })}  `;
  return `${where}${resource} "${name}": ${path === "" ? "" : `${path} `}${reason}`;
}
