/**
 * Builds the program generator for `pulumi import` (`generator/`) next to an engine that we built. The official engine contains
 * a generator. The build takes seconds, because Go reuses the compiled code of the engine.
 *
 * `node tools/engine/generator.mjs` builds the generator for the engine that `ensure.mjs` finds.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { buildArguments, goIn } from "./build.mjs";
import { ensureEngine } from "./ensure.mjs";
import { EngineError } from "./errors.mjs";
import { takeLock } from "./lock.mjs";
import { interruptible } from "./processes.mjs";
import { logTo, withProgress } from "./progress.mjs";
import { isOfficial } from "./scripts.mjs";

const NAME = `pulumi-nodejs-generator${process.platform === "win32" ? ".exe" : ""}`;
const SOURCE = fileURLToPath(new URL("generator/main.go", import.meta.url));

/**
 * Whether the generator in a directory is current. The directory contains a copy of the source that the generator was built
 * from.
 */
function isThere(bin) {
  const source = path.join(bin, `${NAME}.go`);
  if (!fs.existsSync(path.join(bin, NAME)) || !fs.existsSync(source)) return false;
  return fs.readFileSync(source, "utf8") === fs.readFileSync(SOURCE, "utf8");
}

/** Builds the generator into a directory. The caller must hold the directory's lock. */
async function build({ bin, work, env, log }) {
  const go = await goIn({ work, env, log });
  fs.mkdirSync(path.join(work, "generator"));
  fs.copyFileSync(SOURCE, path.join(work, "generator/main.go"));
  const made = path.join(work, NAME);
  const args = [...buildArguments, "-ldflags", "-s -w", "-o", made, "./generator"];
  let compiled = 0;
  await withProgress(
    log,
    () => `Building the generator of programs with Go: compiled ${compiled} packages`,
    () => go("The generator of programs could not be built", args, { onLine: () => compiled++ }),
  );
  fs.renameSync(made, path.join(bin, NAME));
  fs.copyFileSync(SOURCE, path.join(bin, `${NAME}.go`));
}

/**
 * Builds the generator if the engine uses our language host and has no generator.
 * @param {{ dir: string }} engine An engine from `ensureEngine`.
 * @param {{ log?: import("./progress.mjs").Log, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>} Throws `EngineError` with a message for the user.
 */
export async function ensureGenerator({ dir: bin }, { log = logTo(process.stderr), env = process.env } = {}) {
  if (isOfficial(bin) || isThere(bin)) return;
  const release = await takeLock(bin, log);
  const work = fs.mkdtempSync(path.join(bin, ".work-"));
  const undo = () => {
    fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 });
    release();
  };
  try {
    await interruptible(undo, async () => {
      // Another process may have built the generator during the wait for the lock.
      if (!isThere(bin)) await build({ bin, work, env, log });
    });
  } finally {
    undo();
  }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await ensureGenerator(await ensureEngine());
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(`No generator of programs. ${error.message}`);
    process.exitCode = 1;
  }
}
