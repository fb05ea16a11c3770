/**
 * The Node scripts that go beside an engine we built. The official download brings its own, and then ours are
 * neither installed nor used: a language host that does not carry our mark is never touched.
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
 * Whether the language host of an engine is the official one: a program of many megabytes, not worth reading to the end.
 * @param {string} bin Directory of the engine.
 */
export function isOfficial(bin) {
  const languageHost = path.join(bin, SCRIPTS[0]);
  const size = fs.statSync(languageHost, { throwIfNoEntry: false })?.size;
  return size !== undefined && (size > 1_000_000 || !read(languageHost).includes(MARK));
}

/**
 * Installs the scripts, or renews them where they differ. Does nothing beside an official engine.
 * @param {string} bin Directory of the engine.
 */
export function installScripts(bin) {
  if (isOfficial(bin)) return;
  for (const name of SCRIPTS) {
    const ours = fs.readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
    const target = path.join(bin, name);
    if (read(target) === ours) continue;
    // Renamed into place: an engine that runs right now must never start half a script.
    const draft = path.join(bin, `.${name}-${process.pid}`);
    fs.writeFileSync(draft, ours, { mode: 0o755 });
    fs.chmodSync(draft, 0o755);
    fs.renameSync(draft, target);
  }
}
