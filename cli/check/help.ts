import type { OptionSpecs } from "../command";

/** Seconds that one answer may take. */
export const defaultTimeout = 10;

export const checkOptions = { stack: { type: "string" }, timeout: { type: "string" } } as const satisfies OptionSpecs;

export const help = `Checks everything that the program and these commands need, a line each, with what to do where it is not in order.

Usage: endpoint-monitoring check [OPTIONS]

It looks at Node and the Pulumi engine; in a project, at the stack, its state (whether its secrets can be opened, and whether two resources
stand for the same record), its lock, and the provider package of the program; at the settings; then at the service: whether it can be
reached, its clock, the token, the account group, what may be read and changed there, and what is left of the request budget. At last the
engine previews the program, as \`review\` and \`pulumi up\` begin. Nothing is changed: whether changes are forbidden is tried with an empty
change of what does not exist.

Inside a Pulumi project settings come from the stack's configuration, then the environment; elsewhere from the environment.

Options:
  --stack NAME        Stack whose configuration is looked at (default: the selected one, or the only one)
  --timeout SECONDS   Longest wait for one answer of the service (default ${defaultTimeout})
  --json              Print the result as JSON: { data: { checks: [{ name, status, message, fix? }] } }
  --help              This text

Example:
  endpoint-monitoring check --stack production

Exit codes: 0 everything is in order, warnings aside; 2 something is not; 1 the check itself could not be carried out; 130
interrupted.
`;
