/** The shape of the sources: what the compiler and the linter let pass, and a reader stumbles over. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { circlesIn, circlesOf } from "../support/cycles";
import { publishedModules, repository, sourcesOf } from "../support/imports";

test("no file of a published module loads itself through others", () => {
  expect(circlesOf(publishedModules, ({ typeOnly, lazy }) => !typeOnly && !lazy)).toEqual([]);
});

test("no files of the provider refer to each other in a circle, types included", () => {
  // What a function loads when it is called may refer to the types of its caller.
  expect(circlesOf(["provider"], ({ lazy }) => !lazy)).toEqual([]);
});

test("no two files of the command line export a type of the same name", () => {
  const names = sourcesOf("cli").flatMap((file) => typesOf(file).map((name) => ({ name, file })));
  expect(names.length).toBeGreaterThan(100);
  const twice = [...Map.groupBy(names, ({ name }) => name)].filter(([, all]) => all.length > 1);
  expect(twice.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(", ")}`)).toEqual([]);
});

test("circles are found", () => {
  const graph = { a: ["b", "d"], b: ["c"], c: ["a"], d: ["e"], e: ["d", "f"], f: [], g: ["g"], h: ["a"] };
  expect(circlesIn(new Map(Object.entries(graph))).map((circle) => circle.join(" "))).toEqual(["d e", "a b c", "g"]);
});

/** The names of the types and classes that a file declares and exports. */
function typesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(repository, file), "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((one) => {
    if (!ts.isInterfaceDeclaration(one) && !ts.isTypeAliasDeclaration(one) && !ts.isClassDeclaration(one)) return [];
    const isExported = one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported && one.name ? [one.name.text] : [];
  });
}
