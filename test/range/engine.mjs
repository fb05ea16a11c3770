/** Returns an engine of a version: the one of `npm run engine`, or another, which Go builds once on each machine. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { buildArguments } from "../../tools/engine/build.mjs";
import { ensureEngine } from "../../tools/engine/ensure.mjs";
import { cacheDirectory, ENGINE_VERSION, engineIn, versionOf } from "../../tools/engine/find.mjs";
import { run } from "../../tools/engine/processes.mjs";
import { installScripts } from "../../tools/engine/scripts.mjs";

const MODULE = "github.com/pulumi/pulumi";

/**
 * @param {string} version
 * @param {(line: string) => void} log
 * @returns {Promise<string>} folder of the executable
 */
export async function engineOf(version, log) {
  if (version === ENGINE_VERSION) return (await ensureEngine({ log })).dir;
  const root = path.join(path.dirname(cacheDirectory()), version);
  const pulumi = engineIn(root);
  if ((await versionOf(pulumi, process.env)) !== version) await build(version, pulumi, log);
  installScripts(path.dirname(pulumi));
  return path.dirname(pulumi);
}

/** Builds it from its own modules in its own dependency versions. */
async function build(version, target, log) {
  log(`Building the Pulumi engine ${version} with Go`);
  const work = fs.mkdtempSync(path.join(os.tmpdir(), "range-engine-"));
  try {
    const [, goVersion] = /^go (\S+)$/m.exec(fs.readFileSync(new URL("../../tools/engine/go.mod", import.meta.url), "utf8"));
    const modules = ["pkg", "sdk"].map((name) => `require ${MODULE}/${name}/v3 v${version}\n`);
    fs.writeFileSync(path.join(work, "go.mod"), `module range\n\ngo ${goVersion}\n\n${modules.join("")}`);
    const made = path.join(work, path.basename(target));
    const stamp = `-s -w -X ${MODULE}/sdk/v3/go/common/version.Version=v${version}`;
    const args = buildArguments.map((argument) => (argument === "-mod=readonly" ? "-mod=mod" : argument));
    const { ok, tail } = await run("go", [...args, "-ldflags", stamp, "-o", made, `${MODULE}/pkg/v3/cmd/pulumi`], {
      cwd: work,
      env: { CGO_ENABLED: "0", GOGC: "400", ...process.env, GOWORK: "off" },
      onLine: () => undefined,
    });
    if (!ok) throw new Error(`The engine ${version} could not be built:\n${tail.join("\n")}`);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(made, target);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}
