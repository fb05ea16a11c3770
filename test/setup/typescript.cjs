/** Runs sources in TypeScript on plain Node, compiled as in tests: `node --require ./test/setup/typescript.cjs FILE`. */
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
  // The function that Node's own compiler calls, the only way to pass it text.
  Reflect.get(module, "_compile").call(module, code, filename);
};

require.extensions[".ts"] = compile;
