import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";

const options = { stack: stackOption("read the configuration of"), ...reportOptions } as const satisfies OptionSpecs;

export type ValidateValues = Values<typeof options>;

export const validate = defineCommand({
  name: "validate",
  summary: "Report all mistakes in the program, offline",
  about: "Reports every mistake in the program with its file and line. `validate` contacts neither the service nor the engine.",
  examples: ["{} validate", "{} validate --stack production"],
  details: `\`validate\` runs the program with the stack's configuration. Then \`validate\` checks the allowed values, limits and combinations of all declared resources. \`pulumi preview\` stops at the first resource that has an error.

Values that are unknown before an update, such as the id of a new label, count as valid. Secrets are not decrypted, and the program gets the string "0" instead of a secret. Functions that read from the service (getAgents, …) return unknown outputs. Function variants that return a promise fail, because a promise cannot be unknown.`,
  options,
  json: "{ resources, findings: [{ rule, level, property?, file?, line?, text }] }",
  exitCodes: { 0: "every resource is valid", 2: "some resources are not valid" },
});
