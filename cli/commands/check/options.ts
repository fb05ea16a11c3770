import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";

const options = { stack: stackOption("check") } as const satisfies OptionSpecs;

export type CheckValues = Values<typeof options>;

export const check = defineCommand({
  name: "check",
  summary: "Check the engine, stack, credentials and ThousandEyes API",
  about: "Checks everything that the program and this package's commands need, and suggests a fix for each problem.",
  examples: ["{} check", "{} check --stack production"],
  details: `\`check\` first examines Node.js, the Pulumi engine, the stack with its state and lock, and the program's provider package. Then \`check\` examines the settings, the connection to the ThousandEyes API, the token and the account group. For each resource type, \`check\` tests read and write access. \`check\` also finds records that several stacks manage (rule adopts-foreign) or that exist more than once (rule doubled). Finally, \`check\` previews the program.

Outside a Pulumi project, \`check\` examines only the engine, the environment and the API.

\`check\` changes nothing. To test write access, \`check\` sends an empty update for a record id that does not exist.`,
  options,
  json: "{ findings: [{ rule, level, text, fix? }] }",
  exitCodes: { 0: "no problem, or only warnings", 2: "a check failed" },
});
