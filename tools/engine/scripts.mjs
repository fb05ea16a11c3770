/**
 * Installs Node scripts next to an engine that we built. The official download contains its own scripts, which are never
 * replaced.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPTS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs", "pulumi-analyzer-policy"];
const MARK = "pulumi-endpoint-monitoring engine script";

function read(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Whether an engine has the official language host. The official host is a large program, so only its beginning is read.
 * @param {string} bin Directory of the engine.
 */
export function isOfficial(bin) {
  const languageHost = path.join(bin, SCRIPTS[0]);
  const size = fs.statSync(languageHost, { throwIfNoEntry: false })?.size;
  return size !== undefined && (size > 1_000_000 || !read(languageHost).includes(MARK));
}

/**
 * Installs or updates the scripts, unless the engine is official.
 * @param {string} bin Directory of the engine.
 */
export function installScripts(bin) {
  if (isOfficial(bin)) return;
  for (const name of SCRIPTS) {
    const ours = fs.readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
    const target = path.join(bin, name);
    if (read(target) === ours) continue;
    // The script is renamed when complete, so that a running engine never starts an incomplete script.
    const draft = path.join(bin, `.${name}-${process.pid}`);
    fs.writeFileSync(draft, ours, { mode: 0o755 });
    fs.chmodSync(draft, 0o755);
    fs.renameSync(draft, target);
  }
}
