/**
 * How long the compiler takes for a program that imports one class, against the same program without it. `npm run benchmark:compile`
 * prints both and their ratio; each is the fastest of several runs.
 */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackage, repository } from "../package/support/installed";

const runs = 3;

const programs = {
  without: `import * as pulumi from "@pulumi/pulumi";\nexport const name = pulumi.getStack();\n`,
  with: `import * as pulumi from "@pulumi/pulumi";
import { Label } from "pulumi-endpoint-monitoring";
export const label = new Label(pulumi.getStack(), { name: "Office", matchType: "or", filters: [] });
`,
};

const folder = installPackage();
try {
  const best = { without: Infinity, with: Infinity };
  for (let run = 0; run < runs; run += 1) {
    for (const name of ["without", "with"] as const) best[name] = Math.min(best[name], secondsOf(programs[name]));
  }
  const ratio = (best.with / best.without).toFixed(2);
  console.log(`without ${best.without.toFixed(2)} s, with ${best.with.toFixed(2)} s: ${ratio} times as long`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Seconds of computing that the compiler takes for a program, with all declarations checked. */
function secondsOf(program: string): number {
  writeFileSync(join(folder, "index.ts"), program);
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--types", "node"];
  const tsc = join(repository, "node_modules/typescript/lib/tsc.js");
  // Waiting for other processes is no work of the compiler.
  const watched = `process.on("exit", () => process.stderr.write(String(process.cpuUsage().user))); require(${JSON.stringify(tsc)});`;
  const given = ["-e", watched, "tsc", ...options, "index.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, given, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout + stderr);
  return Number(stderr) / 1_000_000;
}
