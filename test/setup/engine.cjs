const { existsSync } = require("node:fs");
const { delimiter, dirname, join } = require("node:path");
const { prepareStack } = require("./prepare-stack.cjs");

/** Adds the Pulumi engine, which it installs if necessary, and this Node to the PATH of the engine suites. */
module.exports = async () => {
  if (!existsSync(join(__dirname, "../../dist/sdk/index.js"))) throw new Error("There is no build. Run `npm run build` first.");
  const { ensureEngine } = await import("../../tools/engine/ensure.mjs");
  const engine = await ensureEngine();
  process.env.PATH = [dirname(process.execPath), engine.dir, process.env.PATH].join(delimiter);
  prepareStack(engine);
};
