/**
 * Loaded into each Node process that the engine starts in tests, which saves a second of CPU time for each. `@pulumi/pulumi`
 * prepares for serialization of functions, source maps and automation, which no test uses, and zod for each language. These
 * modules are loaded when a member is first used.
 */
const Module = require("node:module");
// The one place that every `require` passes, and that knows who asks.
// oxlint-disable-next-line no-underscore-dangle
const { _load: load } = Module;

/**
 * The debugger session that locates serialized functions. It is enabled when another member is first used, and then reports
 * all scripts.
 */
function laterSession() {
  let real;
  const listeners = [];
  const session = () => {
    if (!real) {
      const { Session } = require("node:inspector");
      real = new Session();
      real.connect();
      for (const listener of listeners) real.addListener(...listener);
      real.post("Debugger.enable");
    }
    return real;
  };
  const waiting = {
    connect: () => undefined,
    addListener: (...listener) => void listeners.push(listener),
    post: (method, ...parameters) =>
      method === "Debugger.enable" && !real ? parameters.at(-1)(null, {}) : session().post(method, ...parameters),
  };
  return new Proxy(function unused() {}, {
    // Not a promise.
    get: (_target, key) => (key === "then" ? undefined : (!real && waiting[key]) || bound(session(), key)),
  });
}

function bound(object, key) {
  const value = object[key];
  return typeof value === "function" ? value.bind(object) : value;
}

/** Importers whose modules are loaded later or replaced. */
const rules = [
  {
    of: /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/,
    later: ["@npmcli/arborist", "normalize-package-data", "../../typescript-shim"],
    // When enabled, the debugger locates serialized functions.
    instead: { inspector: { Session: laterSession } },
  },
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]index\.js$/, later: ["./automation"] },
  // Tracing, which reads members of its imports as soon as it is loaded.
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]tracing\.js$/, laterMembers: /^@opentelemetry\/(?!api$)/ },
  { of: /[\\/]@pulumi[\\/]pulumi[\\/](?:cmd|runtime)[\\/]/, later: ["semver", "js-yaml"] },
  // Stack traces of programs in TypeScript. The tests' programs are JavaScript.
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/, instead: { "source-map-support/register": {} } },
  { of: /[\\/]zod[\\/]v4[\\/](core[\\/]index|classic[\\/]external)\.cjs$/, later: ["../locales/index.cjs"] },
];

/** Replaces a module, or a function of it, until it is used. */
function later(get) {
  return new Proxy(function unused() {}, {
    // A module marked as ES module is not copied member by member, which would load it.
    get: (_target, key) => (key === "__esModule" ? true : get()[key]),
    has: (_target, key) => key in get(),
    apply: (_target, self, args) => Reflect.apply(get(), self, args),
    construct: (_target, args) => Reflect.construct(get(), args),
  });
}

// oxlint-disable-next-line no-underscore-dangle
Module._load = function (request, parent, ...rest) {
  const now = () => load.call(this, request, parent, ...rest);
  const rule = rules.find(
    ({ of, later: names = [], laterMembers, instead = {} }) =>
      (names.includes(request) || laterMembers?.test(request) || request in instead) && of.test(parent?.filename ?? ""),
  );
  if (!rule) return now();
  if (rule.instead && request in rule.instead) return rule.instead[request];
  let loaded;
  const module = () => (loaded ??= now());
  if (rule.laterMembers) return new Proxy({}, { get: (_target, key) => later(() => module()[key]) });
  return later(module);
};
