/** Runs the suite from the sources: `npm run acceptance`. */
require("../../test/setup/typescript.cjs");
const { endAll } = require("../../test/support/process.ts");
const { main } = require("./command.ts");

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void endAll().then(() => process.exit(130)));
main(process.argv.slice(2), process.env).then(
  (code) => process.exit(code),
  async (error) => {
    await endAll();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
