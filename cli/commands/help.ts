import { defineCommand } from "../command/command";
import { helpOf, overview } from "../command/help";
import { commandNamed, commandNames } from "../command/list";
import { topics } from "../command/topics";

export const help = defineCommand({
  name: "help",
  summary: "Show the help of a command or topic",
  about: "Shows the help of a command or topic, or the list of all commands.",
  usage: "[COMMAND|TOPIC]",
  examples: ["{} help drift", "{} help exit-codes"],
  options: {},
  json: "{ help }",
  words: () => [...commandNames, ...Object.keys(topics)],
  wordName: "command or topic",
  run: async (_given, out, _io, word = "") => {
    const command = commandNamed(word);
    const text = command ? helpOf(command) : (topics[word]?.text() ?? overview());
    out.result({ help: text }, text);
    return 0;
  },
});
