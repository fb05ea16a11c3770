import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { kindWords } from "../../generated/kind-words";

const options = {
  stack: {
    type: "string",
    short: "s",
    multiple: true,
    value: "NAME",
    help: "Stack to check; repeatable (default: the selected one, or the only one)",
  },
  "all-stacks": { type: "boolean", help: "Check every stack of the project" },
  "managed-by": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "Stack, project folder or exported state file that also manages records, so that its records do not count as unmanaged; repeatable",
  },
  "no-unmanaged": { type: "boolean", help: "Do not look for unmanaged records" },
  only: {
    type: "string",
    multiple: true,
    value: "KINDS",
    words: kindWords,
    help: `Check only these resource types, comma-separated: ${kindWords.join(", ")}`,
  },
  fix: {
    type: "boolean",
    help:
      "Change the service to match the program: shows a review, then runs `pulumi up` for the drifted resources only. Does not " +
      "change unmanaged records",
  },
  accept: {
    type: "boolean",
    help:
      "Change the program to match the service: edits the source and refreshes the state. It edits a resource completely or not at all, " +
      "and reports each edit that it cannot make",
  },
  "keep-state": {
    type: "boolean",
    help: "With --accept: edit only the program and not the state, for a pull request. Skips edits that would make an update replace a resource",
  },
  details: { type: "boolean", help: "Also list ignored drift" },
  ...reportOptions,
} as const satisfies OptionSpecs;

export type DriftValues = Values<typeof options>;

export const drift = defineCommand({
  name: "drift",
  summary: "Find changes made outside of Pulumi, and fix or accept them",
  about: "Reports records that were changed, deleted or created outside of Pulumi. It can fix or accept the changes.",
  examples: [
    "{} drift --stack prod --no-unmanaged",
    "{} drift --stack prod --managed-by organization/network/prod --markdown drift.md",
    "{} drift --stack prod --no-unmanaged --fix",
  ],
  details: `Compares the service with the state of each stack. Without --fix or --accept it changes nothing. Drift is:

  changed         a property differs from the program
  missing         a resource no longer exists in the service
  adopts-foreign  several stacks manage the same record
  doubled         the service has several records with the name and content of a resource
  unmanaged       a record that no stack of the project manages. Agents do not count, because they register themselves

The report also lists changed properties that the program omits or ignores (ignoreChanges), and counts resources with properties that the service never returns, such as passwords. Neither counts as drift.

To accept some changes and undo others, run --accept --keep-state, undo the other edits (git restore -p), run --fix, and run pulumi up --refresh.

List expected drift under drift.ignore in Pulumi.yaml: docs/drift.md shows the format. drift neither fixes nor accepts a resource with ignored drift.`,
  options,
  exitCodes: { 0: "no drift, or no drift is left after --fix or --accept", 2: "there is drift" },
});
