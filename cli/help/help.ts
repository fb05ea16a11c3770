export const help = `Shows the help of a command, or the list of all commands.

Usage: endpoint-monitoring help [COMMAND] [OPTIONS]

Options:
  --json   Print it as JSON: { data: { help } }
  --help   This text

Example:
  endpoint-monitoring help drift

Exit codes: 0 done, 1 there is no such command.
`;
