const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

// Suites load the same files one after the other: V8 keeps their bytecode, or it compiles functions anew that a collection left no use of.
setFlagsFromString("--no-flush-bytecode");

/**
 * Jest's own environment, in a context whose global object is the plain one of V8. Jest's is a proxy behind an interceptor, which each use of a
 * global passes, `Object` and `Promise` included: suites that compute much took a quarter more CPU time.
 */
module.exports = class PlainContext extends TestEnvironment {
  constructor(...given) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
    // `@own-compiler` in the comment at the beginning of a suite: see runtime.cjs.
    this.ownCompiler = "own-compiler" in given[1].docblockPragmas;
  }
};
