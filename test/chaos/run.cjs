/** Runs the harness from the sources: `npm run chaos`. */
require("../setup/typescript.cjs");
require("./command.ts");
