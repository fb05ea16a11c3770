const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

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
  }
};
