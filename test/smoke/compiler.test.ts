import { cpSync } from "node:fs";
import { join } from "node:path";
import { repository, runNode } from "../support/process";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

test("the error for a missing TypeScript compiler recommends its installation", async () => {
  // The built command, without any packages.
  cpSync(join(repository, "dist"), folder, { recursive: true });
  const script = `require(${JSON.stringify(join(folder, "program/typescript.js"))}).loadTypeScript("/project").catch(
      (error) => console.log(error.name, error.about, error.message))`;
  expect((await runNode(["-e", script], { cwd: folder })).stdout.trim()).toBe(
    "UsageError work The TypeScript compiler, which reads the program, is not installed. " +
      'Run "npm install --save-dev typescript@6" in /project',
  );
});
