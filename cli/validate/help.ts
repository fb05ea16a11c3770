import type { OptionSpecs } from "../command";

export const validateOptions = { stack: { type: "string" } } as const satisfies OptionSpecs;

export const help = `Reports every mistake of every resource in the program at once, with its file and line. Nothing is asked of the service or the engine.

Usage: endpoint-monitoring validate [OPTIONS]

It runs the program as a preview would, with the stack's configuration, and checks what it declares: words, limits, what goes together.
A preview stops at the first resource that is wrong; this lists all of them, in about the time that the program takes to start.

What is not known before an update, such as the id of a label that is yet to be created, passes. A secret of the configuration is not
decrypted: the program gets the text 0 for it. Functions that ask the service (getAgents, …) give outputs that are not known yet; in the
form that gives a promise they fail, as a promise cannot be unknown.

Options:
  --stack NAME   Stack whose configuration the program gets (default: the selected one, or the only one)
  --json         Print the result as JSON: { data: { resources, faults: [{ file?, line?, resource, name, path, reason }] } }
  --help         This text

Example:
  endpoint-monitoring validate --stack production

Exit codes: 0 every resource is valid; 2 some are not; 1 the program could not be run; 130 interrupted.
`;
