import { type CompletedCommand, type CompletedOption, programOptions } from "./commands";

export function zshScript(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, summary }) => `      ${quoted(`${colonEscaped(name)}:${summary}`)}`);
  return `#compdef endpoint-monitoring
# Completion of endpoint-monitoring for zsh: source <(endpoint-monitoring completion zsh), or as a file _endpoint-monitoring in $fpath
_endpoint_monitoring() {
  if ((CURRENT == 2)); then
    local -a commands options
    commands=(
${described.join("\n")}
    )
    options=(${programOptions.map(([flag, summary]) => quoted(`${flag}:${summary}`)).join(" ")})
    _describe -t commands command commands
    _describe -o -t options option options
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT -= 1))
  case $command in
${commands.map((command) => commandCase(command)).join("\n")}
  esac
}
if [[ $funcstack[1] == _endpoint-monitoring ]]; then
  _endpoint_monitoring "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _endpoint_monitoring endpoint-monitoring
fi
`;
}

function commandCase({ name, options, words }: CompletedCommand): string {
  const specs = options.map((option) => `        ${quoted(optionSpec(option))}`);
  const positional = words.length === 0 ? [] : [`        ${quoted(`1:word:(${words.join(" ")})`)}`];
  return [`    ${name})`, "      _arguments \\", [...specs, ...positional].join(" \\\n"), "      ;;"].join("\n");
}

/** `*--only[Kinds to import]:words:…`: a star where it may be repeated, and what completes its value. */
function optionSpec({ flag, type, multiple = false, summary, words, names }: CompletedOption): string {
  const escaped = summary.replace(/[[\]:\\]/g, "\\$&");
  const spec = `${multiple ? "*" : ""}${flag}[${escaped}]`;
  if (type === "boolean") return spec;
  if (words) return `${spec}:word:_values -s , word ${words.join(" ")}`;
  if (names === "folder") return `${spec}:folder:_files -/`;
  return names === "file" ? `${spec}:file:_files` : `${spec}:value: `;
}

function colonEscaped(text: string): string {
  return text.replaceAll(":", "\\:");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
