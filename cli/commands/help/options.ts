import { defineCommand } from "../../command/command";
import { topics } from "../../command/topics";

export const help = defineCommand({
  name: "help",
  summary: "Show help for a command or topic",
  about: "Shows help for a command or topic, or lists all commands.",
  usage: "[COMMAND|TOPIC]",
  examples: ["{} help drift", "{} help exit-codes"],
  options: {},
  json: "{ help }",
  words: (commands) => [...commands, ...Object.keys(topics)],
  wordName: "command or topic",
});
