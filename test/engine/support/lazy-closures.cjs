/**
 * Loaded into each Node process that the engine starts in tests, which has a second of CPU time less to spend for it. `@pulumi/pulumi`
 * prepares for the serialization of functions, for maps of sources and for automation, which nothing here uses, and zod for every
 * language. They are the same modules, loaded when something first asks for one of their members.
 */
const Module = require("node:module");
// The one place that every `require` passes, and that knows who asks.
// oxlint-disable-next-line no-underscore-dangle
const { _load: load } = Module;

/**
 * The session with the debugger, which tells where functions come from that are serialized: enabled when it is first asked for anything
 * else, and it then tells of all scripts.
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
    post: (method, ...given) =>
      method === "Debugger.enable" && !real ? given.at(-1)(null, {}) : session().post(method, ...given),
  };
  return new Proxy(function unused() {}, {
    // No promise.
    get: (_target, key) => (key === "then" ? undefined : (!real && waiting[key]) || bound(session(), key)),
  });
}

function bound(object, key) {
  const value = object[key];
  return typeof value === "function" ? value.bind(object) : value;
}

/** Who asks for what that comes later, or something else instead. */
const rules = [
  {
    of: /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/,
    later: ["@npmcli/arborist", "normalize-package-data", "../../typescript-shim"],
    // Enabled, the debugger tells where functions come from that are serialized.
    instead: { inspector: { Session: laterSession } },
  },
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]index\.js$/, later: ["./automation"] },
  // Tracing, which takes names out of what it requires as soon as it is loaded.
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]tracing\.js$/, laterMembers: /^@opentelemetry\/(?!api$)/ },
  { of: /[\\/]@pulumi[\\/]pulumi[\\/](?:cmd|runtime)[\\/]/, later: ["semver", "js-yaml"] },
  // Stack traces of programs in TypeScript; those of tests are JavaScript.
  { of: /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/, instead: { "source-map-support/register": {} } },
  { of: /[\\/]zod[\\/]v4[\\/](core[\\/]index|classic[\\/]external)\.cjs$/, later: ["../locales/index.cjs"] },
];

/** Stands for a module, or for a function of it, until it is used. */
function later(get) {
  return new Proxy(function unused() {}, {
    // Taken for an ES module, it is not copied member by member, which would load it.
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
