import { suggestion } from "../../api/error-text";
import type { Command, Commands, Run } from "./command";

/** Options that are valid without a command, with their help texts. */
export const programOptions = {
  "--cwd": "Run the command in this folder",
  "--help": "Show all commands",
  "--version": "Print the version",
};

interface ListedCommand {
  readonly table: () => Command;
  readonly run: () => Run;
}

/** All commands by group, in the order of the help. */
const groups: Readonly<Record<string, Readonly<Record<string, ListedCommand>>>> = {
  Start: {
    init: {
      table: () => (require("../commands/init/options") as typeof import("../commands/init/options")).init,
      run: () => (require("../commands/init/run") as typeof import("../commands/init/run")).run,
    },
    dev: {
      table: () => (require("../commands/dev/options") as typeof import("../commands/dev/options")).dev,
      run: () => (require("../commands/dev/run") as typeof import("../commands/dev/run")).run,
    },
    import: {
      table: () => (require("../commands/import/options") as typeof import("../commands/import/options")).importCommand,
      run: () => (require("../commands/import/run") as typeof import("../commands/import/run")).run,
    },
  },
  Develop: {
    validate: {
      table: () => (require("../commands/validate/options") as typeof import("../commands/validate/options")).validate,
      run: () => (require("../commands/validate/run") as typeof import("../commands/validate/run")).run,
    },
    review: {
      table: () => (require("../commands/review/options") as typeof import("../commands/review/options")).review,
      run: () => (require("../commands/review/run") as typeof import("../commands/review/run")).run,
    },
    rehearse: {
      table: () => (require("../commands/rehearse/options") as typeof import("../commands/rehearse/options")).rehearse,
      run: () => (require("../commands/rehearse/run") as typeof import("../commands/rehearse/run")).run,
    },
  },
  Deploy: {
    apply: {
      table: () => (require("../commands/apply/options") as typeof import("../commands/apply/options")).apply,
      run: () => (require("../commands/apply/run") as typeof import("../commands/apply/run")).run,
    },
    verify: {
      table: () => (require("../commands/verify/options") as typeof import("../commands/verify/options")).verify,
      run: () => (require("../commands/verify/run") as typeof import("../commands/verify/run")).run,
    },
    ci: {
      table: () => (require("../commands/ci/options") as typeof import("../commands/ci/options")).ci,
      run: () => (require("../commands/ci/run") as typeof import("../commands/ci/run")).run,
    },
  },
  Operate: {
    drift: {
      table: () => (require("../commands/drift/options") as typeof import("../commands/drift/options")).drift,
      run: () => (require("../commands/drift/run") as typeof import("../commands/drift/run")).run,
    },
    migrate: {
      table: () => (require("../commands/migrate/options") as typeof import("../commands/migrate/options")).migrate,
      run: () => (require("../commands/migrate/run") as typeof import("../commands/migrate/run")).run,
    },
    check: {
      table: () => (require("../commands/check/options") as typeof import("../commands/check/options")).check,
      run: () => (require("../commands/check/run") as typeof import("../commands/check/run")).run,
    },
  },
  Tools: {
    emulator: {
      table: () => (require("../commands/emulator/options") as typeof import("../commands/emulator/options")).emulator,
      run: () => (require("../commands/emulator/run") as typeof import("../commands/emulator/run")).run,
    },
    help: {
      table: () => (require("../commands/help/options") as typeof import("../commands/help/options")).help,
      run: () => (require("../commands/help/run") as typeof import("../commands/help/run")).run,
    },
    version: {
      table: () => (require("../commands/version/options") as typeof import("../commands/version/options")).version,
      run: () => (require("../commands/version/run") as typeof import("../commands/version/run")).run,
    },
  },
};

const entries = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));

export const commandNames: readonly string[] = [...entries.keys()];

export function allCommands(): Command[] {
  return [...entries.values()].map(({ table }) => table());
}

export function commandNamed(name: string): Command | undefined {
  return entries.get(name)?.table();
}

export const commands: Commands = {
  all: allCommands,
  groups: () => Object.entries(groups).map(([group, members]) => [group, Object.values(members).map(({ table }) => table())]),
  named: commandNamed,
};

export function runOf(name: string): Run | undefined {
  return entries.get(name)?.run();
}

export function unknownCommand(name: string): string {
  return `Unknown command "${name}"${suggestion(name, [...commandNames, ...Object.keys(programOptions)])}`;
}
