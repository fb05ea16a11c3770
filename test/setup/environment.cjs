const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

// Suites load the same files one after the other. V8 keeps their bytecode, or it would compile unused functions again after a
// garbage collection.
setFlagsFromString("--no-flush-bytecode");

/**
 * Jest's environment, in a context with V8's plain global object. Jest's global object is a proxy behind an interceptor,
 * which each use of a global passes, including `Object` and `Promise`. Suites with much computation took a quarter more CPU
 * time.
 */
module.exports = class PlainContext extends TestEnvironment {
  constructor(...settings) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...settings);
    } finally {
      vm.createContext = createContext;
    }
  }
};
