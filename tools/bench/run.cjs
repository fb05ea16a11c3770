/** Runs the benchmarks from the sources: `npm run bench`. */
require("../../test/setup/typescript.cjs");
require("./command.ts");
