/** Lets a plain Node process run the repository's TypeScript: `node -r <this file> cli/main.ts`. */
const { readFileSync } = require("node:fs");
const { transformSync } = require("@swc/core");

require.extensions[".ts"] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, "utf8"), {
    filename,
    jsc: { target: "es2023", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  // What Node's own loader of .js files does with the text it read.
  // oxlint-disable-next-line no-underscore-dangle
  module._compile(code, filename);
};
