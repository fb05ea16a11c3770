#!/usr/bin/env node
import { type Command, UsageError } from "./command";
import { emulatorCommand } from "./emulator";

/** Every subcommand, in the order of the help. */
const commands: readonly Command[] = [emulatorCommand];

const program = "endpoint-monitoring";

const help = `${program}: endpoint monitoring as code

Usage: ${program} COMMAND [OPTIONS]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join("\n")}

"${program} COMMAND --help" tells more.
`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h") {
    process.stdout.write(help);
    return 0;
  }
  const command = commands.find((one) => one.name === name);
  const about = command ? `${program} ${command.name}` : program;
  try {
    if (!command) throw new UsageError(name === undefined ? "No command given" : `Unknown command "${name}"`);
    if (args.includes("--help") || args.includes("-h")) {
      process.stdout.write(command.help);
      return 0;
    }
    return await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint = error.exitCode === 2 ? ` Try "${about} --help".` : "";
    process.stderr.write(`${about}: ${error.message.replace(/\.?$/, ".")}${hint}\n`);
    return error.exitCode;
  }
}

async function runToExitCode(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2));
}

void runToExitCode();
