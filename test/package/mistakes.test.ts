import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { installPackage } from "./support/installed";
import { type Mistake, mistakes, preamble } from "./support/mistakes";

/** Longest list of alternatives in a readable message. */
const maxLength = 300;

describe("messages of the compiler", () => {
  let folder: string;
  let program: ts.Program;
  const fileOf = (mistake: Mistake) => join(folder, `mistake-${mistakes.indexOf(mistake)}.ts`);
  beforeAll(() => {
    folder = installPackage();
    writeFileSync(join(folder, "preamble.ts"), preamble);
    for (const mistake of mistakes) {
      const imports = 'import { all, client, gateway, label, pages, pulumi, start } from "./preamble";';
      writeFileSync(fileOf(mistake), `${imports}\n${mistake.program}\nexport {};\n`);
    }
    program = ts.createProgram(mistakes.map(fileOf), {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      types: ["node"],
    });
  });

  function refuses(mistake: Mistake): void {
    const messages = program
      .getSemanticDiagnostics(program.getSourceFile(fileOf(mistake)))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(messages).toEqual([expect.stringContaining(mistake.names)]);
    expect(messages[0]?.split("\n")[0]?.length).toBeLessThanOrEqual(maxLength);
  }

  it.each(mistakes.filter(({ isOfForms }) => !isOfForms))("the compiler explains the mistake in one message: $name", refuses);
  it.each(mistakes.filter(({ isOfForms }) => isOfForms))(
    "the compiler explains the mistake in arguments that depend on each other: $name",
    refuses,
  );
});
