/** Checks the names of types, and that the linter rejects import cycles, long files and unclear names (.oxlintrc.json). */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import ts from "typescript";
import { publishedModules, repository, sourcesOf } from "../support/imports";
import { temporary } from "../support/temporary";

test("published files declare each type name only once", () => {
  const files = publishedModules.flatMap((module) => sourcesOf(module)).filter((file) => !file.includes("/generated/"));
  const names = files.flatMap((file) => typesOf(file).map((name) => ({ name, file })));
  expect(names.length).toBeGreaterThan(900);
  const isOfFrontEnds = (name: string): boolean => name === "Provider" || name === "ProviderArgs";
  const twice = [...Map.groupBy(names, ({ name }) => name)]
    .map(([name, all]) => ({ name, files: [...new Set(all.map(({ file }) => file))] }))
    .filter(({ name, files: declaring }) => declaring.length > 1 && !isOfFrontEnds(name));
  expect(twice.map(({ name, files: declaring }) => `${name}: ${declaring.join(", ")}`)).toEqual([]);
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

test("the linter rejects import cycles, files over 250 lines and unclear names", () => {
  const folder = temporary();
  const published = join(folder, "plan");
  mkdirSync(published);
  copyFileSync(join(repository, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  writeFileSync(
    join(published, "a.ts"),
    'import type { B } from "./b";\nexport type A = B | undefined;\nexport const found = 1;\n',
  );
  writeFileSync(join(published, "b.ts"), 'import type { A } from "./a";\nexport type B = { a: A };\n');
  writeFileSync(join(published, "c.ts"), "export {};\n".repeat(251));
  // The linter searches PATH for its type-aware part. Only npm adds this folder to PATH.
  const programs = join(repository, "node_modules/.bin");
  const { stdout } = spawnSync(join(programs, "oxlint"), ["--format", "unix", "plan"], {
    cwd: folder,
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}` },
    encoding: "utf8",
  });
  for (const rule of ["import(no-cycle)", "eslint(max-lines)", "eslint(id-denylist)"]) expect(stdout).toContain(rule);
});
