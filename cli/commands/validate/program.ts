import { relative } from "node:path";
import { settings } from "../../../api";
import type { Project } from "../../../engine/project";
import type { Finding } from "../../../common/finding";
import { phraseText } from "../../../common/phrase";
import { type Position, positionText } from "../../../common/position";
import type { Io } from "../../../engine/io";
import { readConfiguration } from "./configuration";
import { byPosition, findingsIn } from "./findings";
import { propertyPositions } from "../../../program/property-positions";
import { runProgram } from "./program-run";

export interface CheckedProgram {
  /** Mistakes in the program, and notes about unusual values that the service accepts. */
  readonly findings: readonly Finding[];
  readonly resources: number;
  /** Error report of the program's runner, or undefined if the program succeeded. */
  readonly failure: string | undefined;
}

/**
 * Runs a program without the engine and checks the resources that it declares.
 *
 * @param stack name of the stack, by default the selected stack
 * @param onDeclaration called for each resource, with the number of resources so far
 * @throws UsageError if the stack is unknown, or if several stacks are possible
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
  const { findings, resources } = findingsIn(declarations, accountGroupId);
  const placed = (await propertyPositions(findings, project.programFolder)).toSorted(byPosition);
  const fromHere = ({ file, ...at }: Position): Position => ({ ...at, file: relative(io.cwd, file) });
  const shown = placed.map((finding) => (finding.position ? { ...finding, position: fromHere(finding.position) } : finding));
  return { findings: shown, resources, failure };
}

export function lineOf({ position, text }: Finding): string {
  return `${position === undefined ? "" : `${positionText(position)}  `}${phraseText(text)}`;
}
