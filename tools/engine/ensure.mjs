/**
 * Finds or installs the Pulumi engine. The order is an installed CLI, the npm launcher's cache, the official download, and a
 * build with Go. The user's login, stacks and plugins are not used.
 *
 * `node tools/engine/ensure.mjs` prints the result. `--no-download` skips the official download.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "./build.mjs";
import { download } from "./download.mjs";
import { EngineError } from "./errors.mjs";
import { cacheDirectory, ENGINE_VERSION, findInCache, findOnPath, OLDEST_VERSION } from "./find.mjs";
import { takeLock } from "./lock.mjs";
import { interruptible } from "./processes.mjs";
import { logTo } from "./progress.mjs";
import { installScripts } from "./scripts.mjs";

/** Name prefix of folders for current downloads and builds. The holder of the lock deletes folders of killed processes. */
const WORK = ".work-";

function removeLeftovers(root) {
  const leftovers = fs.readdirSync(root).filter((name) => name.startsWith(WORK));
  for (const name of leftovers) fs.rmSync(path.join(root, name), { recursive: true, force: true, maxRetries: 5 });
}

/** Minutes of build time on one core, measured on two cores. */
const BUILD_CORE_MINUTES = 16;

function buildTime() {
  const cores = os.availableParallelism();
  const minutes = Math.max(2, Math.ceil(BUILD_CORE_MINUTES / cores));
  return `about ${minutes} minutes on ${cores} ${cores === 1 ? "core" : "cores"}, this once`;
}

/** Downloads or builds the engine. The caller must hold the lock. @returns {Promise<"download" | "built">} */
async function obtain({ root, env, log, mayDownload }) {
  const folder = () => fs.mkdtempSync(path.join(root, WORK));
  if (mayDownload) {
    const problem = await download({ root, work: folder(), env, log });
    if (!problem) return "download";
    log(`The official engine cannot be downloaded (${problem}): building it with Go, ${buildTime()}`);
  }
  await build({ root, work: folder(), env, log });
  return "built";
}

/** Fills the cache under its lock, unless another process has already filled the cache. @returns {Promise<Engine>} */
async function fillCache({ env, log, mayDownload }) {
  const root = cacheDirectory(env);
  fs.mkdirSync(root, { recursive: true });
  const release = await takeLock(root, log);
  const undo = () => {
    removeLeftovers(root);
    release();
  };
  try {
    return await interruptible(undo, async () => {
      const cached = await findInCache({ env });
      if (cached) return cached;
      removeLeftovers(root);
      const source = await obtain({ root, env, log, mayDownload });
      return { ...(await findInCache({ env })), source };
    });
  } finally {
    undo();
  }
}

export async function ensureEngine({ log = logTo(process.stderr), env = process.env, mayDownload = true } = {}) {
  const onPath = await findOnPath({ env, skip: (reason) => log(`Not used: ${reason}`) });
  if (onPath?.source === "path") return onPath;
  try {
    const engine = onPath ?? (await findInCache({ env })) ?? (await fillCache({ env, log, mayDownload }));
    installScripts(engine.dir);
    return engine;
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"].includes(error.code)) throw error;
    throw new EngineError(
      "not-writable",
      `The Pulumi engine ${ENGINE_VERSION} could not be put into ${cacheDirectory(env)}: ${error.message}. Set ` +
        `PULUMI_HOME to a folder with space that you may write to, or install the Pulumi CLI, ${OLDEST_VERSION} or newer.`,
      { cause: error },
    );
  }
}

const ORIGIN = {
  path: "installed on this machine",
  cache: "from the cache",
  download: "downloaded",
  built: "built with Go",
};

async function main() {
  try {
    const engine = await ensureEngine({ mayDownload: !process.argv.includes("--no-download") });
    console.log(`Pulumi engine ${engine.version}, ${ORIGIN[engine.source]}: ${engine.pulumi}`);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(`No Pulumi engine. ${error.message}`);
    process.exitCode = 1;
  }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
