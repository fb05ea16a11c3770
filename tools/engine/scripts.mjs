/**
 * Installs Node scripts next to an engine that we built. The official download has its own, so ours are neither installed nor used there:
 * a language host without our mark never changes.
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
 * Whether the language host of an engine is the official one. That is a large program, so this reads only its beginning.
 * @param {string} bin Directory of the engine.
 */
export function isOfficial(bin) {
  const languageHost = path.join(bin, SCRIPTS[0]);
  const size = fs.statSync(languageHost, { throwIfNoEntry: false })?.size;
  return size !== undefined && (size > 1_000_000 || !read(languageHost).includes(MARK));
}

/**
 * Installs or updates the scripts. Does nothing for an official engine.
 * @param {string} bin Directory of the engine.
 */
export function installScripts(bin) {
  if (isOfficial(bin)) return;
  for (const name of SCRIPTS) {
    const ours = fs.readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
    const target = path.join(bin, name);
    if (read(target) === ours) continue;
    // Renames a complete file, so that a running engine never starts a part of a script.
    const draft = path.join(bin, `.${name}-${process.pid}`);
    fs.writeFileSync(draft, ours, { mode: 0o755 });
    fs.chmodSync(draft, 0o755);
    fs.renameSync(draft, target);
  }
}
