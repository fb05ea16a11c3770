/**
 * Finds an installed Pulumi engine on PATH, or in the cache that the npm launcher and the Automation API share. An engine must
 * start and report its version, because an interrupted download also leaves a file.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** Version to download or build if the machine has no engine. go.mod must name the same version. */
export const ENGINE_VERSION = "3.274.1";

/** The `import` command requires an engine that can import full state. Older engines cannot. */
export const OLDEST_VERSION = "3.254.0";

const EXE = process.platform === "win32" ? ".exe" : "";

/**
 * @typedef {object} Engine
 * @property {string} pulumi Absolute path of the executable.
 * @property {string} dir Directory of the executable. Put this directory first on PATH to run the engine as `pulumi`.
 * @property {"path" | "cache" | "download" | "built"} source The origin of the engine.
 * @property {string} version Version without a leading `v`.
 */

/**
 * Returns the npm launcher's cache folder for our version. The launcher and this package find each other's engines in the
 * cache.
 */
export function cacheDirectory(env = process.env) {
  return path.resolve(env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"), "versions", ENGINE_VERSION);
}

/** @returns {string} The path of the engine below an installation folder. */
export const engineIn = (root) => path.join(root, "bin", `pulumi${EXE}`);

/**
 * Returns the version that an executable reports; undefined if the executable does not start.
 * @param {string} pulumi
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>}
 */
export async function versionOf(pulumi, env) {
  // A temporary PULUMI_HOME, because even `pulumi version` writes a log there and checks for updates.
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "pulumi-version-"));
  const options = { env: { ...env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" }, timeout: 30_000 };
  try {
    const { stdout } = await promisify(execFile)(pulumi, ["version"], options);
    return /^v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/**
 * @returns {boolean} Whether version `a` is older than version `b`. Only the three numbers count, and a missing number is 0.
 */
export function isOlder(a, b) {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/));
  const numbers = [0, 1, 2].map((at) => [Number(left[at] ?? 0), Number(right[at] ?? 0)]);
  const different = numbers.find(([one, other]) => one !== other);
  return different !== undefined && different[0] < different[1];
}

export function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a file is the npm launcher. The launcher is also named `pulumi`, but would download an engine instead of reporting
 * its version. Package managers link to the launcher, or write a script that contains its path.
 */
function isLauncher(file) {
  const real = fs.realpathSync(file);
  if (/[\\/]node_modules[\\/]pulumi[\\/]/.test(real)) return true;
  return fs.statSync(real).size < 65_536 && fs.readFileSync(real, "utf8").includes("pulumi/run.js");
}

/**
 * Finds the first usable engine on PATH.
 * @param {{ env: NodeJS.ProcessEnv, skip: (reason: string) => void }} options `skip` receives the reason for each skipped
 * engine.
 * @returns {Promise<Engine | undefined>}
 */
export async function findOnPath({ env, skip }) {
  const directories = (env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const cached = engineIn(cacheDirectory(env));
  for (const dir of directories.map((directory) => path.resolve(directory))) {
    const pulumi = path.join(dir, `pulumi${EXE}`);
    if (!isExecutable(pulumi) || isLauncher(pulumi)) continue;
    // If a caller puts the cached engine on PATH, the engine still counts as cached, so that its scripts are updated.
    if (fs.existsSync(cached) && fs.realpathSync(pulumi) === fs.realpathSync(cached)) {
      const engine = await findInCache({ env });
      if (engine) return engine;
      continue;
    }

    const version = await versionOf(pulumi, env);
    const ofEngine = path.dirname(fs.realpathSync(pulumi));
    const hasLanguageHost = [...directories, ofEngine].some((directory) =>
      isExecutable(path.join(directory, `pulumi-language-nodejs${EXE}`)),
    );
    if (!version) skip(`${pulumi} does not print its version`);
    else if (isOlder(version, OLDEST_VERSION)) skip(`${pulumi} is ${version}, older than ${OLDEST_VERSION}`);
    else if (!hasLanguageHost) skip(`${pulumi} comes without pulumi-language-nodejs, which runs Node programs`);
    else return { pulumi, dir, source: "path", version };
  }
  return undefined;
}

/** @returns {Promise<Engine | undefined>} The cached engine, if the cache contains a complete engine. */
export async function findInCache({ env }) {
  const pulumi = engineIn(cacheDirectory(env));
  const version = isExecutable(pulumi) ? await versionOf(pulumi, env) : undefined;
  return version === ENGINE_VERSION ? { pulumi, dir: path.dirname(pulumi), source: "cache", version } : undefined;
}
