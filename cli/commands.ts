import type { Command } from "./command";

/**
 * Every subcommand, in the order of the help. What one needs is loaded when it runs: help, and a mistake in the command line, wait
 * for nothing.
 */
export const commands: readonly Command[] = [
  {
    name: "import",
    summary: "Write the program that declares what exists, and import it into Pulumi",
    help: () => (require("./import/help") as typeof import("./import/help")).help,
    run: (...given) => (require("./import") as typeof import("./import")).runImport(...given),
  },
  {
    name: "validate",
    summary: "Report every mistake of every resource in the program at once, offline",
    help: () => (require("./validate/help") as typeof import("./validate/help")).help,
    run: (...given) => (require("./validate") as typeof import("./validate")).runValidate(...given),
  },
  {
    name: "review",
    summary: "Report what a change does: properties, replacements, agents reached, load",
    help: () => (require("./review/help") as typeof import("./review/help")).help,
    run: (...given) => (require("./review") as typeof import("./review")).runReview(...given),
  },
  {
    name: "drift",
    summary: "Report what was changed, deleted or created outside of Pulumi, and fix it",
    help: () => (require("./drift/help") as typeof import("./drift/help")).help,
    run: (...given) => (require("./drift") as typeof import("./drift")).runDrift(...given),
  },
  {
    name: "migrate",
    summary: "Replace labels by tags, step by step, in the program and what it manages",
    help: () => (require("./migrate/help") as typeof import("./migrate/help")).help,
    run: (...given) => (require("./migrate") as typeof import("./migrate")).runMigrate(...given),
  },
  {
    name: "verify",
    summary: "Run the tests that an update changed, and compare their results with bounds",
    help: () => (require("./verify/help") as typeof import("./verify/help")).help,
    run: (...given) => (require("./verify") as typeof import("./verify")).runVerify(...given),
  },
  {
    name: "check",
    summary: "Check that engine, credentials, account groups, clock and rate budget are in order",
    help: () => (require("./check/help") as typeof import("./check/help")).help,
    run: (...given) => (require("./check") as typeof import("./check")).runCheck(...given),
  },
  {
    name: "emulator",
    summary: "Run the service on this machine, for trying, testing and CI",
    help: () => (require("./emulator/help") as typeof import("./emulator/help")).help,
    run: (...given) => (require("./emulator") as typeof import("./emulator")).runEmulator(...given),
  },
];
