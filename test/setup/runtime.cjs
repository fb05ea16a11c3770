const { default: Runtime } = require("jest-runtime");

/** The compiler of this repository, by its path. */
const compiler = require.resolve("typescript");

/**
 * Jest's runtime, except that all suites of a process share one TypeScript. TypeScript keeps no state between programs, and
 * loading its nine megabytes takes longer than most suites use it. All other modules belong to the suite. Errors that it
 * throws are not instances of the suite's `Error`, so a suite that needs them has `@own-compiler` in the comment at its
 * beginning.
 */
module.exports = class SharedCompiler extends Runtime {
  #shares;

  constructor(config, environment, ...given) {
    super(config, environment, ...given);
    this.#shares = !environment.ownCompiler;
  }

  requireModule(from, moduleName, ...rest) {
    const isCompiler = this.#shares && moduleName?.includes("typescript");
    if (isCompiler && this.cjsLoader.resolution.resolveCjs(from, moduleName) === compiler) return require(compiler);
    return super.requireModule(from, moduleName, ...rest);
  }
};
