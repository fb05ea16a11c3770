import { type ExitCode, type Invocation } from "../../command";
import type { ValidateValues } from "./options";
import { Project } from "../../../engine/project";
import { type Finding, findingData } from "../../../common/finding";
import { type Block, list, type Report, text } from "../../report/document";
import { errorText } from "../../../common/phrase";
import { checkFiles, present } from "../../report/present";
import { counted } from "../../../common/text";
import { checkProgram, lineOf } from "./program";
import { UsageError } from "../../../common/errors";

export async function run(values: ValidateValues, { out, io }: Invocation): Promise<ExitCode> {
  const { stack } = values;
  checkFiles(values);
  const project = Project.open(io);
  if (project.runtime !== "nodejs") {
    throw new UsageError(`The project's runtime is ${project.runtime}, but this command requires nodejs`, "work");
  }
  out.progress(`Running the program of ${project.name}`, "terminal");
  const { findings, resources, failure } = await checkProgram(project, stack, io, (done) =>
    out.count(done, undefined, done === 1 ? "resource" : "resources"),
  );
  const [mistakes, advice] = [
    findings.filter(({ level }) => level === "error"),
    findings.filter(({ level }) => level === "note"),
  ];
  for (const note of advice) out.warn(lineOf(note));
  if (failure !== undefined) {
    for (const mistake of mistakes) out.note(lineOf(mistake));
    throw new UsageError(`The program failed, so later declarations were not checked:\n${failure}`, "work");
  }
  const unwritten = present(validateReport(mistakes, resources), values, out, io);
  if (unwritten !== undefined) out.error(unwritten);
  return unwritten !== undefined ? 1 : mistakes.length > 0 ? 2 : 0;
}

/** If the program has no mistakes, the JUnit report contains a single test case that passed. */
function validateReport(mistakes: readonly Finding[], resources: number): Report {
  const declared = counted(resources, "resource");
  const subject = { noun: "program", name: `of ${declared}` };
  const passed: Finding = { rule: "validate", level: "passed", subject, text: [declared] };
  return {
    data: { resources, findings: mistakes.map(findingData) },
    findings: mistakes.length > 0 ? mistakes : [passed],
    blocks: () => blocksOf(mistakes, declared),
  };
}

function blocksOf(mistakes: readonly Finding[], declared: string): Block[] {
  if (mistakes.length === 0) return [text([`${declared} checked: no mistake found.`])];
  const wrong = new Set(mistakes.map(({ subject }) => `${subject?.noun} ${subject?.name}`));
  const summary = `${counted(mistakes.length, "mistake")} in ${wrong.size} of ${declared}.`;
  return [list("mistake", mistakes, (mistake) => [errorText(lineOf(mistake))]), text([summary])];
}
