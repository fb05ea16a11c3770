import { defineCommand } from "../command/command";
import { completionOf, shells } from "../command/completion";

export const completion = defineCommand({
  name: "completion",
  summary: "Print the completion script for bash, zsh or fish",
  about: "Prints the script by which a shell completes commands, their options, and the words and files that these take.",
  usage: `${Object.keys(shells).join("|")} [OPTIONS]`,
  examples: ["source <(npx {} completion bash)", "source <(npx {} completion zsh)", "npx {} completion fish | source"],
  details:
    "Write the line into the start-up file of the shell for shells to come. It completes `endpoint-monitoring` in any folder, " +
    "such as node_modules/.bin/endpoint-monitoring; npx completes what npx runs. The script asks this command, so it stays the " +
    "same after an update of the package.",
  options: {},
  json: "{ script }",
  words: () => Object.keys(shells),
  needsWord: true,
  // Words behind `--` are a command line: the script asks how its last one goes on.
  run: async (_given, out, io, shell, line) => {
    const { script, line: lineOf } = shells[shell ?? ""] ?? { script: "", line: String };
    if (line.length === 0) out.result({ script }, script);
    else {
      const found = completionOf(line);
      const lines = typeof found === "string" ? [`:${found}`] : found.map(([word, summary]) => lineOf(word, summary));
      io.stdout.write(lines.map((one) => `${one}\n`).join(""));
    }
    return 0;
  },
});
