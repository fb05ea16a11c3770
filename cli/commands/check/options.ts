import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";

/** Seconds that one answer may take. */
export const defaultTimeout = 10;

const options = {
  stack: stackOption("check"),
  "managed-by": {
    type: "string",
    multiple: true,
    value: "NAME",
    help:
      "Other stacks that may manage the same records: the full name of a stack in the same backend, the folder of another Pulumi " +
      "project, or a file that `pulumi stack export` wrote. May be repeated",
  },
  timeout: {
    type: "string",
    value: "SECONDS",
    help: `Longest wait for one answer of the service (default ${defaultTimeout})`,
  },
} as const satisfies OptionSpecs;

export type CheckValues = Values<typeof options>;

export const check = defineCommand({
  name: "check",
  summary: "Check engine, stack, credentials and the ThousandEyes API",
  about: "Checks everything that the program and these commands need, a line each, with what to do where it is not in order.",
  examples: ["{} check", "{} check --stack production"],
  details: `It looks at Node and the Pulumi engine; in a project, at the stack, its state (whether its secrets can be opened, and whether two resources stand for the same record), its lock, and the provider package of the program; at the settings; then at the ThousandEyes API: whether it can be reached, the token, the account group, and what may be read and changed there. It finds records that several stacks manage (adopts-foreign) or that exist more than once (doubled), as far as the states of the project's stacks and of --managed-by show it. At last the engine previews the program, as \`review\` and \`pulumi up\` begin. Nothing is changed: whether changes are forbidden is tried with an empty change of what does not exist.`,
  options,
  json: "{ checks: [{ name, status, message, fix? }] }",
  exitCodes: { 0: "no problem, or only warnings", 2: "a check failed" },
});
