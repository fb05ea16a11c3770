import { type ExitCode, type Invocation } from "../../command";
import type { ValidateValues } from "./options";
import { Project } from "../../../engine/project";
import { type Block, type ListItem, type Medium, text } from "../../report/document";
import { errorText } from "../../../common/phrase";
import { checkFiles, present } from "../../report/present";
import { counted } from "../../../common/text";
import { checkProgram, lineOf, type ShownFault } from "./program";
import { UsageError } from "../../../common/errors";

export async function run(values: ValidateValues, { out, io }: Invocation): Promise<ExitCode> {
  const { stack } = values;
  checkFiles(values);
  const project = Project.open(io);
  if (project.runtime !== "nodejs") {
    throw new UsageError(`The runtime of the project is ${project.runtime}, not nodejs`, "work");
  }
  out.progress(`Running the program of ${project.name}`, "terminal");
  const { faults, advice, resources, failure } = await checkProgram(project, stack, io, (done) =>
    out.count(done, undefined, done === 1 ? "resource" : "resources"),
  );
  for (const note of advice) out.warn(lineOf(note));
  if (failure !== undefined) {
    for (const fault of faults) out.note(lineOf(fault));
    throw new UsageError(`The program failed, so what it declares after that was not checked:\n${failure}`, "work");
  }
  const blocks = (medium: Medium): Block[] => blocksOf(faults, counted(resources, "resource"), medium);
  const unwritten = present({ data: { resources, faults }, blocks }, values, out, io);
  if (unwritten !== undefined) out.error(unwritten);
  return unwritten !== undefined ? 1 : faults.length > 0 ? 2 : 0;
}

/** Reports the mistakes. For a machine, a program without any is one case that passes. */
function blocksOf(faults: readonly ShownFault[], declared: string, medium: Medium): Block[] {
  if (faults.length > 0) {
    const wrong = new Set(faults.map(({ resource, name }) => `${resource} ${name}`));
    const summary = `${counted(faults.length, "mistake")} in ${wrong.size} of ${declared}.`;
    return [{ kind: "list", noun: "mistake", items: faults.map(itemOf) }, text([summary])];
  }
  const passed: ListItem = { text: [declared], finding: { rule: "validate", level: "passed", name: declared } };
  return [
    ...(medium === "machine" ? [{ kind: "list" as const, noun: "mistake", items: [passed] }] : []),
    text([`${declared} checked: no mistake found.`]),
  ];
}

function itemOf(fault: ShownFault): ListItem {
  const { file, line = 0, resource, name } = fault;
  const position = file === undefined ? undefined : { file, line, column: 0 };
  const finding = { rule: "validate", level: "error", name: `${resource} ${name}`, position } as const;
  return { text: [errorText(lineOf(fault))], finding };
}
