/**
 * Loaded into each Node process that the engine starts in tests: `@pulumi/pulumi` loads an installer of packages and the TypeScript
 * compiler for the serialization of functions, which nothing here uses, and spends half of a program's CPU time on it. They are
 * the same modules, loaded when something first asks for one of their members.
 */
const Module = require("node:module");

const heavy = new Set(["@npmcli/arborist", "normalize-package-data", "../../typescript-shim"]);
// The one place that every `require` passes, and that knows who asks.
// oxlint-disable-next-line no-underscore-dangle
const { _load: load } = Module;

// oxlint-disable-next-line no-underscore-dangle
Module._load = function (request, parent, ...rest) {
  const now = () => load.call(this, request, parent, ...rest);
  if (!heavy.has(request) || !/[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/.test(parent?.filename ?? "")) return now();
  let loaded;
  const module = () => (loaded ??= now());
  return new Proxy(function later() {}, {
    // Taken for an ES module, it is not copied member by member, which would load it.
    get: (_target, key) => (key === "__esModule" ? true : module()[key]),
    has: (_target, key) => key in module(),
    apply: (_target, self, args) => Reflect.apply(module(), self, args),
    construct: (_target, args) => Reflect.construct(module(), args),
  });
};
