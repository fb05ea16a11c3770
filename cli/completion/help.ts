/** The shells that there is a script for. */
export const shells = ["bash", "zsh", "fish"] as const;

export const help = `Prints the script by which a shell completes commands, their options, and the words and files that these take.

Usage: endpoint-monitoring completion ${shells.join("|")} [OPTIONS]

Options:
  --json   Print it as JSON: { data: { script } }
  --help   This text

Examples, for the shell that runs now; in its start-up file for those to come:
  source <(npx endpoint-monitoring completion bash)
  source <(npx endpoint-monitoring completion zsh)
  npx endpoint-monitoring completion fish | source

It completes \`endpoint-monitoring\`, whatever folder that is in: node_modules/.bin/endpoint-monitoring, too. What \`npx\` runs is
completed by npx. The script is that of this version: print it again after an update of the package.

Exit codes: 0 done, 1 failed.
`;
