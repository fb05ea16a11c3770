/**
 * Downloads the official Pulumi engine with the npm launcher's installer. The installer writes directly into the cache, where
 * an interrupted download would leave an incomplete engine. This module downloads to a temporary folder and then moves the
 * complete engine.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { ENGINE_VERSION, engineIn, isExecutable, versionOf } from "./find.mjs";
import { run } from "./processes.mjs";
import { withProgress } from "./progress.mjs";

/** Time limit for the first response, in ms. A firewall that drops packets would otherwise delay the download for minutes. */
const ANSWER_WITHIN = 20_000;
const FINISH_WITHIN = 300_000;

/** Program for a separate process, because the installer blocks its process. */
const INSTALL = `
const [launcher, version, root, limit] = process.argv.slice(1);
const fetchText = async (url) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(Number(limit)) });
  if (!answer.ok) throw new Error("the response was HTTP " + answer.status);
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

export async function download({ root, work, env, log }) {
  const installer = launcherInstaller();
  if (!installer) return "the npm package `pulumi` is not installed (run npm ci)";

  const result = await withProgress(
    log,
    () => `Downloading the Pulumi engine ${ENGINE_VERSION}`,
    () =>
      run(process.execPath, ["-e", INSTALL, installer, ENGINE_VERSION, work, String(ANSWER_WITHIN)], {
        // Node's fetch ignores the usual proxy settings unless this variable is set.
        env: { ...env, NODE_USE_ENV_PROXY: "1" },
        timeout: FINISH_WITHIN,
      }),
  );
  if (!result.ok) return result.tail.at(-1) ?? `the download took more than ${FINISH_WITHIN / 60_000} minutes`;
  const version = await versionOf(engineIn(work), env);
  if (version !== ENGINE_VERSION) return `the download is not engine ${ENGINE_VERSION} for this machine`;

  const from = path.dirname(engineIn(work));
  const to = path.dirname(engineIn(root));
  fs.mkdirSync(to, { recursive: true });
  const engine = path.basename(engineIn(work));
  // The engine's executable is moved last, so an existing executable means a complete engine.
  for (const name of [...fs.readdirSync(from).filter((entry) => entry !== engine), engine]) {
    fs.rmSync(path.join(to, name), { recursive: true, force: true });
    fs.renameSync(path.join(from, name), path.join(to, name));
  }
  return isExecutable(engineIn(root)) ? undefined : "the engine could not be put into the cache";
}
