/**
 * One runner for all suites: swc compiles, Node runs; nothing is mocked. `fast` and `invariants` need only the sources. `engine` and `more`
 * need the build and the Pulumi engine, which their setup installs if it is missing. `npm test` runs all projects except `more`.
 */
const common = {
  testEnvironment: "<rootDir>/test/setup/environment.cjs",
  runtime: "<rootDir>/test/setup/runtime.cjs",
  transform: {
    "^.+\\.(?:ts|esm\\.js)$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // The one package of tests that is an ES module only.
  transformIgnorePatterns: ["/node_modules/(?!marked/)"],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
};

const suitesIn = (folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);

/** Suites of `more` in the folders of `fast`, because they install what they need. */
const installing = ["emulator/clients"];

/**
 * Suites of the engine and of processes for `more`. They repeat promises with many programs, many records, other hosts or other
 * languages, or repeat on the engine what a suite of `fast` or `invariants` shows on the engine's model. Other suites show each
 * promise once.
 */
const repeating = [
  "real/accept-stacks",
  "real/acceptance",
  "real/brownfield",
  "real/conformance",
  "real/conformance-commands",
  "real/debugger",
  "real/demo",
  "real/dev",
  "real/doubles",
  "real/drift-command-agrees",
  "real/drift-command-fix",
  "real/drift-command-many",
  "real/drift-command-stacks",
  "real/elsewhere",
  "real/examples",
  "real/fronts-agree",
  "real/import-cases",
  "real/import-shapes",
  "real/languages",
  "real/migrate-labels",
  "real/native-commands",
  "real/native-import-code",
  "real/native-trace",
  "real/no-wedge",
  "real/object-store",
  "real/policy-typed",
  "real/positions-commonjs",
  "real/preview-reach",
  "real/proxy",
  "real/random-life",
  "real/read-lag",
  "real/recipes",
  "real/rehearse-agrees",
  "real/reshaped",
  "real/review-agreement",
  "real/round-trips",
  "real/seams",
  "real/service-differences",
  "real/two-hosts",
  "smoke/plugin-hostile",
  "smoke/positions",
].map((suite) => `<rootDir>/test/${suite}.test.ts`);

const installed = ["/node_modules/", ...installing.map((folder) => `<rootDir>/test/${folder}/`)];
const globalSetup = "<rootDir>/test/setup/engine.cjs";

module.exports = {
  projects: [
    {
      ...common,
      displayName: "fast",
      testMatch: suitesIn([
        "engine",
        "sdk",
        "policy",
        "testing",
        "support",
        "api",
        "provider",
        "plugin",
        "emulator",
        "cli",
        "program",
        "plan",
        "common",
      ]),
      testPathIgnorePatterns: installed,
    },
    {
      ...common,
      displayName: "invariants",
      testMatch: suitesIn(["invariants", "acceptance", "service-differences", "tools"]),
    },
    {
      ...common,
      displayName: "engine",
      testMatch: suitesIn(["real", "smoke"]),
      testPathIgnorePatterns: ["/node_modules/", ...repeating],
      globalSetup,
    },
    {
      ...common,
      displayName: "more",
      testMatch: [...suitesIn(["ci", "chaos", "package", "page", ...installing]), ...repeating],
      globalSetup,
    },
  ],
  reporters: ["default", "<rootDir>/test/setup/closing-line.cjs"],
  testSequencer: "<rootDir>/test/setup/sequencer.cjs",
  // A third one uses what two leave while they wait for processes: engines that start, probes, package managers.
  maxWorkers: 3,
  // After many suites, a worker takes more than Jest's half second to free its memory. Jest then kills it and warns of open handles.
  workerGracefulExitTimeout: 10_000,
  // Only guards against hanging: on a busy machine, a test takes many times as long as on an idle one. Jest ignores this option in a project.
  testTimeout: 600_000,
};
