/** Runs sources in TypeScript on plain Node, compiled as the tests are: `node --require ./test/setup/typescript.cjs FILE`. */
const { readFileSync } = require("node:fs");
const { transformSync } = require("@swc/core");

const compile = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, "utf8"), {
    filename,
    swcrc: false,
    sourceMaps: "inline",
    jsc: { target: "es2023", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  // What Node's own compiler of files calls, the one way there is to hand it text.
  Reflect.get(module, "_compile").call(module, code, filename);
};

require.extensions[".ts"] = compile;
