import { type ExitCode, UsageError, wordAmong } from "./command";
import { bashScript } from "./completion/bash";
import { completedCommands, type CompletedCommand } from "./completion/commands";
import { fishScript } from "./completion/fish";
import { shells } from "./completion/help";
import { zshScript } from "./completion/zsh";
import type { Output } from "./report/output";

const scripts: Record<(typeof shells)[number], (commands: readonly CompletedCommand[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function runCompletion(args: readonly string[], out: Output): Promise<ExitCode> {
  const given = wordAmong(args);
  const shell = shells.find((one) => one === given);
  if (shell === undefined) {
    throw new UsageError(`It takes the name of a shell: ${shells.join(", ")}${given === undefined ? "" : `, not "${given}"`}`);
  }
  const script = scripts[shell](completedCommands());
  out.result({ script }, script);
  return 0;
}
