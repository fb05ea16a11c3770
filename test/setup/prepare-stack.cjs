const { execFileSync } = require("node:child_process");
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const cache = join(__dirname, "../../node_modules/.cache");

/**
 * Makes the engine create a stack once on this machine, for tests to copy (test/real/support/prepared.ts). `stack init`
 * starts the engine, which derives a key from the passphrase.
 */
exports.prepareStack = ({ pulumi, version }) => {
  const folder = join(cache, `prepared-stack-${version}`);
  process.env.TEST_PREPARED_STACK = folder;
  if (existsSync(folder)) return;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, ".prepared-"));
  mkdirSync(join(draft, "backend"));
  writeFileSync(join(draft, "Pulumi.yaml"), "name: prepared\nruntime: nodejs\n");
  const env = {
    PATH: process.env.PATH,
    PULUMI_HOME: join(draft, "home"),
    PULUMI_BACKEND_URL: `file://${join(draft, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  execFileSync(pulumi, ["stack", "init", "dev"], { cwd: draft, env, stdio: "pipe" });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run finished first.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
};
