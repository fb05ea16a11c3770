import type { ExitCode, Invocation } from "../../command";
import { helpOf, overview } from "../../command/help";
import { topics } from "../../command/topics";

export async function run(_values: object, { out, commands, word = "" }: Invocation): Promise<ExitCode> {
  const command = commands.named(word);
  const text = command ? helpOf(command) : (topics[word]?.text(commands.all()) ?? overview(commands.groups()));
  out.result({ help: text }, text);
  return 0;
}
