/** Measures the compiler with a program that imports one class. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackage, repository } from "../../../test/package/support/installed";
import { compared, inTurns, timed } from "../measure";
import type { Row } from "../row";

const programs = {
  without: `import * as pulumi from "@pulumi/pulumi";\nexport const name = pulumi.getStack();\n`,
  with: `import * as pulumi from "@pulumi/pulumi";
import { Label } from "pulumi-endpoint-monitoring";
export const label = new Label(pulumi.getStack(), { name: "Office", matchType: "or", filters: [] });
`,
};

export const types: Row = {
  name: "types",
  what: "the compiler checks a program that imports one class, and all declarations",
  // A difference of a few hundredths: five pairs have shown 1.03 as well as 1.09.
  pairs: 9,
  run: async ({ pairs, progress }) => {
    progress("installing the package");
    const folder = installPackage();
    try {
      const check = (program: string) => async (): Promise<number> => {
        writeFileSync(join(folder, "index.ts"), program);
        const tsc = join(repository, "node_modules/typescript/lib/tsc.js");
        const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--types", "node"];
        return (await timed(process.execPath, [tsc, ...options, "index.ts"], { cwd: folder })).cpu;
      };
      progress(`${pairs} pairs`);
      const spent = await inTurns(pairs, { without: check(programs.without), with: check(programs.with) });
      const line = {
        what: "type check of a program with one import",
        against: "the same without",
        measure: "CPU time",
      } as const;
      return [compared({ ...line, unit: "s", goal: { atMost: 1.05 } }, spent.with, spent.without)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
