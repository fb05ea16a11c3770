/** Compares the claims of package.json about the modules with the modules. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { installPackage } from "./support/installed";

const manifest = z.object({
  author: z.string(),
  license: z.string(),
  sideEffects: z.array(z.string()),
  exports: z.record(z.string(), z.unknown()),
});

let folder: string;
let root: string;
beforeAll(() => {
  folder = installPackage();
  root = join(folder, "node_modules/pulumi-endpoint-monitoring");
});

const read = () => manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

/** Names that a module declares at its top level. */
function ownNames(source: ts.SourceFile): Set<string> {
  const names = source.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? statement.declarationList.declarations.map(({ name }) => name.getText()) : [],
  );
  return new Set([...names, "exports", "module.exports", "Object.defineProperty(exports", "__exportStar"]);
}

/** Statements with side effects in a compiled module: a call or an assignment to a name that it does not declare. */
function effectsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const declaredNames = [...ownNames(source)];
  return source.statements
    .filter((statement) => ts.isExpressionStatement(statement) && !ts.isStringLiteral(statement.expression))
    .map((statement) => statement.getText().replaceAll(/^void /g, ""))
    .filter((text) => !declaredNames.some((name) => text.startsWith(name) && !/\w/.test(text[name.length] ?? "")));
}

it("package.json names the author and the license", () => {
  expect(read()).toMatchObject({ author: "The pulumi-endpoint-monitoring authors", license: "Apache-2.0" });
});

it("the field sideEffects lists exactly the modules with side effects", () => {
  const doing = globSync("dist/**/*.js", { cwd: root }).filter((file) => effectsOf(file).length > 0);
  expect(read().sideEffects.toSorted()).toEqual(doing.map((file) => `./${file}`).toSorted());
});

it("loading the package changes neither global variables nor the process environment", () => {
  const names = Object.keys(read().exports).map((name) => join("pulumi-endpoint-monitoring", name));
  const script = `
    require("@pulumi/pulumi"); require("undici"); require("zod");
    const look = () => JSON.stringify([process.eventNames().map(String), Reflect.ownKeys(globalThis).map(String),
      process.getActiveResourcesInfo(), { ...process.env }, Object.getOwnPropertyNames(Array.prototype)]);
    const before = look();
    for (const name of ${JSON.stringify(names)}) require(name);
    console.log(look() === before);`;
  expect(execFileSync(process.execPath, ["-e", script], { cwd: folder, encoding: "utf8" })).toBe("true\n");
});
