const { default: Runtime } = require("jest-runtime");

/** The compiler of this repository, by the path that it is loaded from. */
const compiler = require.resolve("typescript");

/**
 * Jest's own runtime, but all suites of a process share one TypeScript: it keeps no state between programs, and to load and warm up nine
 * megabytes takes each suite longer than what most of them ask it. Every other module is still a suite's own. The errors that it throws are
 * no `Error` of the suite; a suite to which that matters has `@own-compiler` in the comment at its beginning.
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
