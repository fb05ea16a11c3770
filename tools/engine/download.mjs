/**
 * Downloads the official engine with the npm launcher's installer. The launcher installs directly into the cache, so an interrupted
 * download would leave a part of an engine there. This module downloads to another folder, and moves the complete engine.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { ENGINE_VERSION, engineIn, isExecutable, versionOf } from "./find.mjs";
import { run } from "./processes.mjs";
import { withProgress } from "./progress.mjs";

/** Without a network, name resolution fails at once. With a firewall that drops packets, the download takes the first limit. */
const ANSWER_WITHIN = 20_000;
const FINISH_WITHIN = 300_000;

/** Runs in a separate process, because the launcher's installer blocks its process. */
const INSTALL = `
const [launcher, version, root, limit] = process.argv.slice(1);
const fetchText = async (url) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(Number(limit)) });
  if (!answer.ok) throw new Error("the answer was HTTP " + answer.status);
  return answer.text();
};
require(launcher).installCLI(version, root, { fetchText }).catch((error) => {
  console.error(error.cause?.message || error.message);
  process.exitCode = 1;
});
`;

function launcherInstaller() {
  const { resolve } = createRequire(import.meta.url);
  try {
    return path.join(path.dirname(resolve("pulumi/package.json")), "lib", "download.js");
  } catch {
    return undefined;
  }
}

/**
 * Tries to download the engine into the cache.
 * @param {{ root: string, work: string, env: NodeJS.ProcessEnv, log: import("./progress.mjs").Log }} options `work` is
 *   an empty directory on the file system of `root`.
 * @returns {Promise<string | undefined>} The reason of a failure; undefined after a success.
 */
export async function download({ root, work, env, log }) {
  const installer = launcherInstaller();
  if (!installer) return "the npm package `pulumi` is not installed (run npm ci)";

  const result = await withProgress(
    log,
    () => `Downloading the Pulumi engine ${ENGINE_VERSION}`,
    () =>
      run(process.execPath, ["-e", INSTALL, installer, ENGINE_VERSION, work, String(ANSWER_WITHIN)], {
        // Without this variable, Node's fetch ignores the usual proxy settings.
        env: { ...env, NODE_USE_ENV_PROXY: "1" },
        timeout: FINISH_WITHIN,
      }),
  );
  if (!result.ok) return result.tail.at(-1) ?? `it was not done within ${FINISH_WITHIN / 60_000} minutes`;
  const version = await versionOf(engineIn(work), env);
  if (version !== ENGINE_VERSION) return `what came is not engine ${ENGINE_VERSION} for this machine`;

  const from = path.dirname(engineIn(work));
  const to = path.dirname(engineIn(root));
  fs.mkdirSync(to, { recursive: true });
  const engine = path.basename(engineIn(work));
  // The engine is the last file, so that an existing engine is complete.
  for (const name of [...fs.readdirSync(from).filter((entry) => entry !== engine), engine]) {
    fs.rmSync(path.join(to, name), { recursive: true, force: true });
    fs.renameSync(path.join(from, name), path.join(to, name));
  }
  return isExecutable(engineIn(root)) ? undefined : "it could not be put into the cache";
}
