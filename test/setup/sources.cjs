/** Lets Node load the sources and tests in TypeScript as they are, where no test runner does: `node --require ./test/setup/sources.cjs`. */
const { readFileSync } = require("node:fs");
const { transformSync } = require("@swc/core");

const options = {
  jsc: { target: "es2023", parser: { syntax: "typescript" } },
  module: { type: "commonjs" },
  sourceMaps: "inline",
};

require.extensions[".ts"] = (module, filename) => {
  // What Node calls for a file of a format of its own.
  // oxlint-disable-next-line no-underscore-dangle
  module._compile(transformSync(readFileSync(filename, "utf8"), { ...options, filename }).code, filename);
};
