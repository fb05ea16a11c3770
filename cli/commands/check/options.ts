import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";

const options = { stack: stackOption("check") } as const satisfies OptionSpecs;

export type CheckValues = Values<typeof options>;

export const check = defineCommand({
  name: "check",
  summary: "Check engine, stack, credentials and the ThousandEyes API",
  about: "Checks everything that the program and the commands of this package need, and suggests a fix for each problem.",
  examples: ["{} check", "{} check --stack production"],
  details: `Checks, in this order: Node and the Pulumi engine; the stack, its state and its lock; the provider package of the program; the settings; the connection to the ThousandEyes API, the token and the account group; read and write access for each resource type; records that several stacks manage (adopts-foreign) or that exist more than once (doubled); and a preview of the program. Outside a project, it checks the engine, the environment and the API.

It changes nothing. To find out whether writes are forbidden, it sends an empty update for an id that does not exist.`,
  options,
  json: "{ findings: [{ rule, level, text, fix? }] }",
  exitCodes: { 0: "no problem, or only warnings", 2: "a check failed" },
});
