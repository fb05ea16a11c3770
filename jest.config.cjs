/** One runner for all suites: swc compiles, Node runs; nothing is mocked. */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  transform: {
    "^.+\\.(?:ts|esm\\.js)$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // The one package of tests that is an ES module only.
  transformIgnorePatterns: ["/node_modules/(?!marked/)"],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  globalSetup: "<rootDir>/test/global-setup.cjs",
  reporters: ["default", "<rootDir>/test/closing-line.cjs"],
  maxWorkers: 2,
  testTimeout: 20_000,
};
