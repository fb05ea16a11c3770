import { type CompletedCommand, type CompletedOption, programOptions } from "./commands";

const complete = "complete -c endpoint-monitoring";
const noCommand = "not __endpoint_monitoring_command";

export function fishScript(commands: readonly CompletedCommand[]): string {
  const first = [
    ...commands.map(({ name, summary }) => `${complete} -n ${quoted(noCommand)} -a ${name} -d ${quoted(summary)}`),
    ...programOptions.map(([flag, summary]) => `${complete} -n ${quoted(noCommand)} -l ${flag.slice(2)} -d ${quoted(summary)}`),
  ];
  return `# Completion of endpoint-monitoring for fish: endpoint-monitoring completion fish | source
# The command on the line; with a name, whether it is that one.
function __endpoint_monitoring_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; or return 1
    test (count $argv) -eq 0; or test $words[2] = $argv[1]
end
${complete} -e
${complete} -f
${[...first, ...commands.flatMap(commandLines)].join("\n")}
`;
}

function commandLines({ name, options, words }: CompletedCommand): string[] {
  const of = `${complete} -n ${quoted(`__endpoint_monitoring_command ${name}`)}`;
  const own = words.length === 0 ? [] : [`${of} -a ${quoted(words.join(" "))}`];
  return [
    ...own,
    ...options.map((option) => `${of} -l ${option.flag.slice(2)}${valueOf(option)} -d ${quoted(option.summary)}`),
  ];
}

/** What is completed after an option; words are a list with commas. */
function valueOf({ type, words, names }: CompletedOption): string {
  if (type === "boolean") return "";
  if (words) return ` -x -a ${quoted(`(__fish_append , ${words.join(" ")})`)}`;
  if (names === "folder") return " -x -a '(__fish_complete_directories)'";
  return names === "file" ? " -r -F" : " -x";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
