/**
 * Where a Pulumi engine may already lie: on PATH, or in the cache that the npm launcher and the Automation API share.
 * An engine is only taken if it starts and says its version: a download that was cut short leaves a file, too.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** The engine that is fetched or built if the machine has none. go.mod names the same version. */
export const ENGINE_VERSION = "3.274.1";

/** Older engines cannot import with full state, which our `import` stands on. */
export const OLDEST_VERSION = "3.254.0";

const EXE = process.platform === "win32" ? ".exe" : "";

/**
 * @typedef {object} Engine
 * @property {string} pulumi Absolute path of the executable.
 * @property {string} dir Its directory: first on PATH, it makes plain `pulumi` this engine.
 * @property {"path" | "cache" | "download" | "built"} source Where it came from.
 * @property {string} version Without a leading `v`.
 */

/** The launcher's cache for our version; its own rule, so that both find what either put there. */
export function cacheDirectory(env = process.env) {
  return path.resolve(env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"), "versions", ENGINE_VERSION);
}

/** @returns {string} The engine's place below an install root. */
export const engineIn = (root) => path.join(root, "bin", `pulumi${EXE}`);

/**
 * The version that the executable reports, if it starts at all.
 * @param {string} pulumi
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>}
 */
export async function versionOf(pulumi, env) {
  // A home of its own: even `version` writes a log into PULUMI_HOME, and asks over the network whether it is the newest.
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

/** @returns {boolean} Whether version `a` is below `b`; a missing number is 0, what follows three does not count. */
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
 * The npm launcher is called `pulumi`, too, and fetches the engine when it is started: exactly what asking it for its
 * version must not do. npm links to it; pnpm and others write a small script that names it.
 */
function isLauncher(file) {
  const real = fs.realpathSync(file);
  if (/[\\/]node_modules[\\/]pulumi[\\/]/.test(real)) return true;
  return fs.statSync(real).size < 65_536 && fs.readFileSync(real, "utf8").includes("pulumi/run.js");
}

/**
 * The first usable engine on PATH.
 * @param {{ env: NodeJS.ProcessEnv, skip: (reason: string) => void }} options `skip` is told why one was passed over.
 * @returns {Promise<Engine | undefined>}
 */
export async function findOnPath({ env, skip }) {
  const directories = (env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const cached = engineIn(cacheDirectory(env));
  for (const dir of directories.map((directory) => path.resolve(directory))) {
    const pulumi = path.join(dir, `pulumi${EXE}`);
    if (!isExecutable(pulumi) || isLauncher(pulumi)) continue;
    // Ours, put on PATH by whoever started us: it counts as the cache, whose scripts are kept up to date.
    if (fs.existsSync(cached) && fs.realpathSync(pulumi) === fs.realpathSync(cached)) {
      const engine = await findInCache({ env });
      if (engine) return engine;
      continue;
    }

    const version = await versionOf(pulumi, env);
    const beside = path.dirname(fs.realpathSync(pulumi));
    const hasLanguageHost = [...directories, beside].some((directory) =>
      isExecutable(path.join(directory, `pulumi-language-nodejs${EXE}`)),
    );
    if (!version) skip(`${pulumi} does not say its version`);
    else if (isOlder(version, OLDEST_VERSION)) skip(`${pulumi} is ${version}, older than ${OLDEST_VERSION}`);
    else if (!hasLanguageHost) skip(`${pulumi} comes without pulumi-language-nodejs, which runs Node programs`);
    else return { pulumi, dir, source: "path", version };
  }
  return undefined;
}

/** @returns {Promise<Engine | undefined>} The cached engine, if it is whole. */
export async function findInCache({ env }) {
  const pulumi = engineIn(cacheDirectory(env));
  const version = isExecutable(pulumi) ? await versionOf(pulumi, env) : undefined;
  return version === ENGINE_VERSION ? { pulumi, dir: path.dirname(pulumi), source: "cache", version } : undefined;
}
