import type { Command } from "./command";
import { allOptions, program } from "./help";
import { allCommands, commandNamed, programOptions } from "./list";
import type { OptionSpec } from "./option";

/** Completions of a word: words with their meanings, or paths. */
export type Completion = readonly (readonly [word: string, summary: string])[] | "file";

/** Longest summary, in characters: a shell shows it in a column beside the word. */
const maxSummary = 72;

/** Completes the last word of a command line. @param line the words behind the name of the program */
export function completionOf(line: readonly string[]): Completion {
  // Bash takes "=" for a word of its own.
  const words = line.filter((word, at) => word !== "=" || at === line.length - 1).map((word) => (word === "=" ? "" : word));
  while (words.length > 2 && (words[0] === "-C" || words[0] === "--cwd")) words.splice(0, 2);
  const [name = "", ...args] = words;
  if (args.length === 1 && (name === "-C" || name === "--cwd")) return "file";
  if (args.length === 0) {
    const all = [...allCommands().map((one) => [one.name, one.summary] as const), ...Object.entries(programOptions)];
    return all.filter(([word]) => word.startsWith(name));
  }
  const command = commandNamed(name);
  return command === undefined ? [] : argumentOf(command, args.at(-2) ?? "", args.at(-1) ?? "");
}

function argumentOf(command: Command, before: string, current: string): Completion {
  const all = new Map(allOptions(command).map(([option, spec]) => [`--${option}`, spec]));
  // fish and zsh complete `--option=value` as one word.
  const [, flag = "", value = ""] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const own = all.get(flag);
  if (own) return valueOf(own, value, `${flag}=`);
  const spec = all.get(before) ?? [...all.values()].find(({ short }) => before === `-${short}`);
  if (spec?.type === "string") return valueOf(spec, current, "");
  const words = (command.words?.() ?? []).map((word) => [word, ""] as const);
  const flags = [...all].map(([word, { help }]) => [word, summaryOf(help)] as const);
  return [...words, ...flags].filter(([word]) => word.startsWith(current));
}

/** @param prefix the part of the word before the value */
function valueOf({ words = [], names }: OptionSpec, value: string, prefix: string): Completion {
  if (names !== undefined) return names;
  const listed = value.slice(0, value.lastIndexOf(",") + 1);
  return words.map((word) => [prefix + listed + word, ""] as const).filter(([word]) => word.startsWith(prefix + value));
}

export function summaryOf(help: string): string {
  const [sentence = ""] = help.split(/[.:;]\s|\n/);
  const plain = sentence.replace(/[:;,.]$/, "").replaceAll(/\s+/g, " ");
  return plain.length > maxSummary ? `${plain.slice(0, maxSummary - 1).trimEnd()}…` : plain;
}

/** A shell: the script that asks this command, and the form in which it takes an answer. */
interface Shell {
  readonly script: string;
  readonly line: (word: string, summary: string) => string;
}

const asks = (shell: string): string => `completion ${shell} --`;

/** Paths are completed by the shells themselves: `:file` asks for that. */
export const shells: Readonly<Record<string, Shell>> = {
  bash: {
    line: (word) => word,
    // Runs on the bash 3.2 of macOS, too.
    script: `# Completion of ${program} for bash: source <(${program} completion bash)
_endpoint_monitoring() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]} lines
  [[ $current == "=" ]] && current=
  lines=($("\${COMP_WORDS[0]}" ${asks("bash")} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  case \${lines[0]-} in
    :file) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null ;;
    *) COMPREPLY=("\${lines[@]-}") ;;
  esac
}
complete -F _endpoint_monitoring ${program}
`,
  },
  zsh: {
    line: (word, summary) => `${word.replaceAll(":", "\\:")}:${summary}`,
    script: `#compdef ${program}
# Completion of ${program} for zsh: source <(${program} completion zsh), or as a file _${program} in $fpath
_endpoint_monitoring() {
  local -a lines
  lines=("\${(@f)$($words[1] ${asks("zsh")} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
    :file) compset -P '*='; _files ;;
    ?*) _describe word lines ;;
  esac
}
if [[ $funcstack[1] == _${program} ]]; then
  _endpoint_monitoring "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _endpoint_monitoring ${program}
fi
`,
  },
  fish: {
    line: (word, summary) => `${word}\t${summary}`,
    script: `# Completion of ${program} for fish: ${program} completion fish | source
function __endpoint_monitoring
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] ${asks("fish")} $words[2..] "$current" 2>/dev/null)
    switch "$lines[1]"
        case :file
            __fish_complete_path "$current"
        case '*'
            printf '%s\\n' $lines
    end
end
complete -c ${program} -e
complete -c ${program} -f -a '(__endpoint_monitoring)'
`,
  },
};
