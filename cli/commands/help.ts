import { defineCommand } from "../command/command";
import { helpOf, overview } from "../command/help";
import { commandNamed, commandNames } from "../command/list";

export const help = defineCommand({
  name: "help",
  summary: "Show the help of a command, or the list of all commands",
  about: "Shows the help of a command, or the list of all commands.",
  usage: "[COMMAND] [OPTIONS]",
  examples: ["{} help drift"],
  options: {},
  json: "{ help }",
  exitCodes: { 0: "done", 1: "there is no such command" },
  words: () => commandNames,
  run: async (_given, out, _io, word) => {
    const command = word === undefined ? undefined : commandNamed(word);
    const text = command ? helpOf(command) : overview();
    out.result({ help: text }, text);
    return 0;
  },
});
