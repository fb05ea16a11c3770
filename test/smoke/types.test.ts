import { join } from "node:path";
import ts from "typescript";
import { repository, runNode } from "../support/process";

it("each member of the exported types has a description", async () => {
  const { stderr } = await runNode(["tools/docs/types.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
});

it("the native classes match the dynamic classes", async () => {
  const { stderr } = await runNode(["tools/docs/native.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
});

it("the plugin's schema matches the resource types and documented interfaces", async () => {
  const { stderr } = await runNode(["tools/docs/schema.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
});

it("the native plugin's functions have the same documentation as the dynamic functions", () => {
  const dynamic = join(repository, "dist/sdk/index.d.ts");
  const native = join(repository, "dist/sdk/native/index.d.ts");
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  const program = ts.createProgram([dynamic, native], options);
  const checker = program.getTypeChecker();
  const functionsOf = (file: string) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    return new Map(
      checker.getExportsOfModule(module).flatMap((exported) => {
        if (!exported.name.startsWith("get")) return [];
        const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
        const type = checker.typeToString(checker.getTypeOfSymbol(symbol));
        return [[exported.name, { type, text: ts.displayPartsToString(symbol.getDocumentationComment(checker)) }] as const];
      }),
    );
  };
  const declared = functionsOf(dynamic);
  const functions = functionsOf(native);
  expect([...functions.keys()].toSorted()).toEqual([...declared.keys()].toSorted());
  for (const [name, { type, text }] of functions) {
    expect({ name, type, text }).toEqual({ name, type: `Native${declared.get(name)?.type}`, text: declared.get(name)?.text });
    expect(text).not.toBe("");
  }
});
