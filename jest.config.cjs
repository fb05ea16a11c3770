/**
 * One runner for all suites: swc compiles, Node runs; nothing is mocked. `fast` runs on the sources alone; `engine` takes the build and
 * the Pulumi engine, and gets the engine where it is missing.
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

/** Folders in a folder of `fast` whose suites install what they need. */
const installing = ["emulator/clients"];

module.exports = {
  projects: [
    {
      ...common,
      displayName: "fast",
      testMatch: suitesIn([
        "unit",
        "api",
        "provider",
        "plugin",
        "emulator",
        "cli",
        "acceptance",
        "service-differences",
        "invariants",
        "program",
        "plan",
        "common",
      ]),
      testPathIgnorePatterns: ["/node_modules/", ...installing.map((folder) => `<rootDir>/test/${folder}/`)],
    },
    {
      ...common,
      displayName: "engine",
      testMatch: suitesIn(["engine", "ci", "chaos", "package", "page", "smoke", ...installing]),
      globalSetup: "<rootDir>/test/setup/engine.cjs",
    },
  ],
  reporters: ["default", "<rootDir>/test/setup/closing-line.cjs"],
  testSequencer: "<rootDir>/test/setup/sequencer.cjs",
  // A third one uses what two leave while they wait for processes: engines that start, probes, package managers.
  maxWorkers: 3,
  // Of a project it would be ignored. A machine of few cores that is busy takes several times what an idle one does.
  testTimeout: 60_000,
};
