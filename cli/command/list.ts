import { suggestion } from "../../api/error-text";
import type { Command } from "./command";

/** Options that stand in the place of a command, with what they do. */
export const programOptions = {
  "--cwd": "Run in this folder",
  "--help": "Show all commands",
  "--version": "Print the version",
};

type Tables = Readonly<Record<string, () => Command>>;

/** Loads the table of each command, by group, in the order of the help. A table loads what the command needs when it runs. */
const groups: Readonly<Record<string, Tables>> = {
  Start: {
    init: () => (require("../commands/init") as typeof import("../commands/init")).init,
    dev: () => (require("../commands/dev") as typeof import("../commands/dev")).dev,
    import: () => (require("../commands/import") as typeof import("../commands/import")).importCommand,
  },
  Develop: {
    validate: () => (require("../commands/validate") as typeof import("../commands/validate")).validate,
    test: () => (require("../commands/test") as typeof import("../commands/test")).test,
    review: () => (require("../commands/review") as typeof import("../commands/review")).review,
    rehearse: () => (require("../commands/rehearse") as typeof import("../commands/rehearse")).rehearse,
  },
  Deploy: {
    apply: () => (require("../commands/apply") as typeof import("../commands/apply")).apply,
    verify: () => (require("../commands/verify") as typeof import("../commands/verify")).verify,
    ci: () => (require("../commands/ci") as typeof import("../commands/ci")).ci,
  },
  Operate: {
    drift: () => (require("../commands/drift") as typeof import("../commands/drift")).drift,
    migrate: () => (require("../commands/migrate") as typeof import("../commands/migrate")).migrate,
    check: () => (require("../commands/check") as typeof import("../commands/check")).check,
  },
  Tools: {
    emulator: () => (require("../commands/emulator") as typeof import("../commands/emulator")).emulator,
    completion: () => (require("../commands/completion") as typeof import("../commands/completion")).completion,
    help: () => (require("../commands/help") as typeof import("../commands/help")).help,
    version: () => (require("../commands/version") as typeof import("../commands/version")).version,
  },
};

const tables = Object.fromEntries(Object.values(groups).flatMap((group) => Object.entries(group))) as Tables;

export const commandNames: readonly string[] = Object.keys(tables);

export function allCommands(): Command[] {
  return Object.values(tables).map((load) => load());
}

export function commandGroups(): [group: string, commands: Command[]][] {
  return Object.entries(groups).map(([group, own]) => [group, Object.values(own).map((load) => load())]);
}

export function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(tables, name) ? tables[name]?.() : undefined;
}

export function unknownCommand(name: string): string {
  return `Unknown command "${name}"${suggestion(name, [...commandNames, ...Object.keys(programOptions)])}`;
}
