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

test("no two published files declare a type of the same name, except the classes of both front ends", () => {
  const files = publishedModules.flatMap((module) => sourcesOf(module)).filter((file) => !file.includes("/generated/"));
  const names = files.flatMap((file) => typesOf(file).map((name) => ({ name, file })));
  expect(names.length).toBeGreaterThan(900);
  const isOfFrontEnds = (name: string): boolean => name === "Provider" || name === "ProviderArgs";
  const twice = [...Map.groupBy(names, ({ name }) => name)]
    .map(([name, all]) => ({ name, files: [...new Set(all.map(({ file }) => file))] }))
    .filter(({ name, files: declaring }) => declaring.length > 1 && !isOfFrontEnds(name));
  expect(twice.map(({ name, files: declaring }) => `${name}: ${declaring.join(", ")}`)).toEqual([]);
});

test("circles are found", () => {
  const graph = { a: ["b", "d"], b: ["c"], c: ["a"], d: ["e"], e: ["d", "f"], f: [], g: ["g"], h: ["a"] };
  expect(circlesIn(new Map(Object.entries(graph))).map((circle) => circle.join(" "))).toEqual(["d e", "a b c", "g"]);
});

/** Returns the names of the types and classes that a file declares at its top level. */
function typesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(repository, file), "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);
    return isType && statement.name ? [statement.name.text] : [];
  });
}
