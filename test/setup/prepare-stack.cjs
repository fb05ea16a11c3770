const { execFileSync } = require("node:child_process");
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const cache = join(__dirname, "../../node_modules/.cache");

/** What tests set as secrets again and again: a copied stack has the same key, so the engine encrypts them once. */
const secrets = ["emulator-token", "emulator-secret", "emulator-read-only-token", "wrong", "wrong-token", "wrong-secret"];

/**
 * Has the engine make a stack once on this machine, for tests to copy (test/engine/support/prepared.ts): `stack init` and three
 * settings are four starts of the engine, of which each derives a key from the passphrase.
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
  const run = (...args) => execFileSync(pulumi, args, { cwd: draft, env, stdio: "pipe" });
  run("stack", "init", "dev");
  run("config", "set-all", ...secrets.flatMap((secret) => ["--secret", `secrets:${secret}=${secret}`]));
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
};
