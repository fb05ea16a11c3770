/**
 * Loaded into each Node process that the engine starts in tests, which has a second of CPU time less to spend for it. `@pulumi/pulumi`
 * prepares for the serialization of functions, for maps of sources and for automation, which nothing here uses, and zod for every
 * language. They are the same modules, loaded when something first asks for one of their members; only the debugger and the maps are
 * left out.
 */
const Module = require("node:module");
// The one place that every `require` passes, and that knows who asks.
// oxlint-disable-next-line no-underscore-dangle
const { _load: load } = Module;

/** Who asks for what: later, or never. */
const rules = [
  {
    of: /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/,
    later: ["@npmcli/arborist", "normalize-package-data", "../../typescript-shim"],
    // Enabled, the debugger tells where functions come from that are serialized.
    never: {
      inspector: {
        Session: class extends require("node:events") {
          connect() {}
          post(...given) {
            given.at(-1)(null, {});
          }
        },
      },
    },
  },
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]index\.js$/, later: ["./automation"] },
  // Stack traces of programs in TypeScript; those of tests are JavaScript.
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/, never: { "source-map-support/register": {} } },
  { of: /[\\/]zod[\\/]v4[\\/](core[\\/]index|classic[\\/]external)\.cjs$/, later: ["../locales/index.cjs"] },
];

// oxlint-disable-next-line no-underscore-dangle
Module._load = function (request, parent, ...rest) {
  const now = () => load.call(this, request, parent, ...rest);
  const rule = rules.find(
    ({ of, later = [], never = {} }) => (later.includes(request) || request in never) && of.test(parent?.filename ?? ""),
  );
  if (!rule) return now();
  if (rule.never && request in rule.never) return rule.never[request];
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
