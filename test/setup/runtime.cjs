const { join } = require("node:path");
const { default: Runtime } = require("jest-runtime");

/** The compiler of this repository, by its path. */
const compilerPath = require.resolve("typescript");
const packages = join(__dirname, "../../node_modules/");

let shared;

/** Returns the compiler, which parses each file of an installed package only once. */
function sharedCompiler() {
  if (shared) return shared;
  const compiler = require(compilerPath);
  const parsed = new Map();
  const createCompilerHost = (options, ...rest) => {
    const host = compiler.createCompilerHost(options, ...rest);
    // The binder reads the options of the program. Options with paths differ in each test, and the binder does not read them.
    const settings = Object.entries(options).filter(([, value]) => !JSON.stringify(value ?? "").includes("/"));
    const { getSourceFile } = host;
    host.getSourceFile = (path, version, ...hostOptions) => {
      if (!path.startsWith(packages)) return getSourceFile(path, version, ...hostOptions);
      const key = JSON.stringify([path, version, settings]);
      if (!parsed.has(key)) parsed.set(key, getSourceFile(path, version, ...hostOptions));
      return parsed.get(key);
    };
    return host;
  };
  const members = Object.getOwnPropertyDescriptors(compiler);
  shared = Object.defineProperties({}, { ...members, createCompilerHost: { value: createCompilerHost, enumerable: true } });
  return shared;
}

/**
 * Jest's runtime, except that all suites of a process share one TypeScript. TypeScript keeps no state between programs, and
 * loading its nine megabytes takes longer than most suites use it. All other modules belong to the suite. Errors that it
 * throws are not instances of the suite's `Error`.
 */
module.exports = class SharedCompiler extends Runtime {
  requireModule(from, moduleName, ...rest) {
    const isCompiler = moduleName?.includes("typescript") && this.cjsLoader.resolution.resolveCjs(from, moduleName);
    return isCompiler === compilerPath ? sharedCompiler() : super.requireModule(from, moduleName, ...rest);
  }
};
