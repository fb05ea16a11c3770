import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";

const options = { stack: stackOption("read the configuration of"), ...reportOptions } as const satisfies OptionSpecs;

export type ValidateValues = Values<typeof options>;

export const validate = defineCommand({
  name: "validate",
  summary: "Report all mistakes in the program without sending requests",
  about: "Reports every mistake in the program with its file and line. `validate` contacts neither the service nor the engine.",
  examples: ["{} validate", "{} validate --stack production"],
  details: `\`validate\` runs the program with the stack's configuration. Then \`validate\` checks the properties of all declared resources: their allowed values, limits and combinations. Unlike \`pulumi preview\`, \`validate\` does not stop at the first resource with an error.

Values that are unknown before an update, such as the id of a new label, count as valid. \`validate\` does not decrypt secrets. The program receives the string "0" instead of each secret. Functions that return outputs, such as getAgentsOutput, return unknown outputs. Functions that return promises, such as getAgents, fail because \`validate\` sends no requests.`,
  options,
  json: "{ resources, findings: [{ rule, level, property?, file?, line?, text }] }",
  exitCodes: { 0: "every resource is valid", 2: "some resources are not valid" },
});
