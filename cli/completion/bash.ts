import { type CompletedCommand, type CompletedOption, programOptions } from "./commands";

/** Runs on the bash 3.2 of macOS, too. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const first = [...commands.map(({ name }) => name), ...programOptions.map(([flag]) => flag)];
  return `# Completion of endpoint-monitoring for bash: source <(endpoint-monitoring completion bash)
_endpoint_monitoring() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words= before=
  # Bash takes "=" for a word of its own.
  if [[ $current == "=" ]]; then current=
  elif [[ $previous == "=" ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${first.join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))).join("\n")}
  esac
  if [[ -n $words ]]; then
    # Several words, with commas between.
    [[ $current == *,* ]] && before=\${current%,*},
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "\${current##*,}"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options, words }) => `    ${name}) words="${[...words, ...options.map(({ flag }) => flag)].join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _endpoint_monitoring endpoint-monitoring
`;
}

/** What is completed after an option that takes a value. */
function valueCase(command: string, { flag, type, words, names }: CompletedOption): string[] {
  if (type === "boolean") return [];
  if (words) return [`    "${command} ${flag}") words="${words.join(" ")}" ;;`];
  if (names === undefined) return [`    "${command} ${flag}") return ;;`];
  const files = `local IFS=$'\\n'; COMPREPLY=($(compgen -${names === "folder" ? "d" : "f"} -- "$current"))`;
  return [`    "${command} ${flag}") ${files}; compopt -o filenames 2>/dev/null; return ;;`];
}
