import type { Command } from "./command";

/**
 * Every subcommand, in the order of the help. What one needs is loaded when it runs: help, and a mistake in the command line, wait
 * for nothing.
 */
export const commands: readonly Command[] = [
  {
    name: "init",
    summary: "Make a project in this folder, or add what it lacks, and say what to run next",
    help: () => (require("./init/help") as typeof import("./init/help")).help,
    options: () => (require("./init/help") as typeof import("./init/help")).initOptions,
    run: (...given) => (require("./init") as typeof import("./init")).runInit(...given),
  },
  {
    name: "import",
    summary: "Write the program that declares what exists, and import it into Pulumi",
    help: () => (require("./import/help") as typeof import("./import/help")).help,
    options: () => (require("./import/help") as typeof import("./import/help")).importOptions,
    run: (...given) => (require("./import") as typeof import("./import")).runImport(...given),
  },
  {
    name: "validate",
    summary: "Report every mistake of every resource in the program at once, offline",
    help: () => (require("./validate/help") as typeof import("./validate/help")).help,
    options: () => (require("./validate/help") as typeof import("./validate/help")).validateOptions,
    run: (...given) => (require("./validate") as typeof import("./validate")).runValidate(...given),
  },
  {
    name: "review",
    summary: "Report what a change does: properties, replacements, agents reached, load",
    help: () => (require("./review/help") as typeof import("./review/help")).help,
    options: () => (require("./review/help") as typeof import("./review/help")).reviewOptions,
    run: (...given) => (require("./review") as typeof import("./review")).runReview(...given),
  },
  {
    name: "rehearse",
    summary: "Run the update on a copy of the account, and report what would happen",
    help: () => (require("./rehearse/help") as typeof import("./rehearse/help")).help,
    options: () => (require("./rehearse/help") as typeof import("./rehearse/help")).rehearseOptions,
    run: (...given) => (require("./rehearse") as typeof import("./rehearse")).runRehearse(...given),
  },
  {
    name: "apply",
    summary: "Apply exactly what was approved, and nothing else",
    help: () => (require("./apply/help") as typeof import("./apply/help")).help,
    options: () => (require("./apply/help") as typeof import("./apply/help")).applyOptions,
    run: (...given) => (require("./apply") as typeof import("./apply")).runApply(...given),
  },
  {
    name: "drift",
    summary: "Report what was changed, deleted or created outside of Pulumi, and fix it",
    help: () => (require("./drift/help") as typeof import("./drift/help")).help,
    options: () => (require("./drift/help") as typeof import("./drift/help")).driftOptions,
    run: (...given) => (require("./drift") as typeof import("./drift")).runDrift(...given),
  },
  {
    name: "migrate",
    summary: "Replace labels by tags, step by step",
    help: () => (require("./migrate/help") as typeof import("./migrate/help")).help,
    options: () => (require("./migrate/help") as typeof import("./migrate/help")).migrateOptions,
    words: () => (require("./migrate/help") as typeof import("./migrate/help")).subjects,
    run: (...given) => (require("./migrate") as typeof import("./migrate")).runMigrate(...given),
  },
  {
    name: "verify",
    summary: "Run the tests that an update changed, and compare their results with bounds",
    help: () => (require("./verify/help") as typeof import("./verify/help")).help,
    options: () => (require("./verify/options") as typeof import("./verify/options")).verifyOptions,
    run: (...given) => (require("./verify") as typeof import("./verify")).runVerify(...given),
  },
  {
    name: "check",
    summary: "Check that engine, credentials, account groups, clock and rate budget are in order",
    help: () => (require("./check/help") as typeof import("./check/help")).help,
    options: () => (require("./check/help") as typeof import("./check/help")).checkOptions,
    run: (...given) => (require("./check") as typeof import("./check")).runCheck(...given),
  },
  {
    name: "emulator",
    summary: "Run the service on this machine, for trying, testing and CI",
    help: () => (require("./emulator/help") as typeof import("./emulator/help")).help,
    options: () => (require("./emulator/help") as typeof import("./emulator/help")).emulatorOptions,
    run: (...given) => (require("./emulator") as typeof import("./emulator")).runEmulator(...given),
  },
  {
    name: "completion",
    summary: "Print the script by which a shell completes commands, options and their words",
    help: () => (require("./completion/help") as typeof import("./completion/help")).help,
    options: () => ({}),
    words: () => (require("./completion/help") as typeof import("./completion/help")).shells,
    run: (args, out) => (require("./completion") as typeof import("./completion")).runCompletion(args, out),
  },
  {
    name: "help",
    summary: "Show the help of a command, or the list of all commands",
    help: () => (require("./help/help") as typeof import("./help/help")).help,
    options: () => ({}),
    words: () => commands.map(({ name }) => name),
    run: (args, out) => (require("./help") as typeof import("./help")).runHelp(args, out),
  },
];
