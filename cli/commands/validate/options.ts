import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";

const options = { stack: stackOption("take the configuration of"), ...reportOptions } as const satisfies OptionSpecs;

export type ValidateValues = Values<typeof options>;

export const validate = defineCommand({
  name: "validate",
  summary: "Report all mistakes in the program, offline",
  about:
    "Reports every mistake of every resource in the program at once, with its file and line. It asks neither the service nor the engine.",
  examples: ["{} validate", "{} validate --stack production"],
  details: `It runs the program as a preview would, with the stack's configuration, and checks what it declares: words, limits, what goes together. A preview stops at the first resource that is wrong; this lists all of them, in about the time that the program takes to start.

What is not known before an update, such as the id of a label that is yet to be created, passes. A secret of the configuration is not decrypted: the program gets the text 0 for it. Functions that ask the service (getAgents, …) give outputs that are not known yet; in the form that gives a promise they fail, as a promise cannot be unknown.`,
  options,
  json: "{ resources, faults: [{ file?, line?, resource, name, path, reason }] }",
  exitCodes: { 0: "every resource is valid", 2: "some resources are not valid" },
});
