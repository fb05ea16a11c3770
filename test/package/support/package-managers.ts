/** pnpm and Yarn in fixed versions from the registry, installed once on this machine. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const dependencies = { pnpm: "12.21.0", "@yarnpkg/cli-dist": "4.18.1" };

/** Longest time of the installation. */
const limitMs = 120_000;

/** Returns the folder of their commands, in this user's cache folder. */
export function packageManagers(): string {
  const manifest = JSON.stringify({ private: true, dependencies });
  const key = createHash("sha256").update(manifest).digest("hex").slice(0, 16);
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "pulumi-endpoint-monitoring", `package-managers-${key}`);
  if (!existsSync(folder)) installInto(folder, manifest);
  return join(folder, "node_modules/.bin");
}

function installInto(folder: string, manifest: string): void {
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, "package.json"), manifest);
    execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: draft, stdio: "pipe", timeout: limitMs });
    // Another run may have been faster.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
