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
    help:
      "Other manager of records, so that they do not count as unmanaged; repeatable: full name of a stack in the same backend, folder of " +
      "another Pulumi project, or file written by `pulumi stack export`",
  },
  "no-unmanaged": { type: "boolean", help: "Do not look for unmanaged records" },
  only: {
    type: "string",
    multiple: true,
    value: "KINDS",
    words: kindWords,
    help: `Check these resource types only, comma-separated: ${kindWords.join(", ")}`,
  },
  fix: {
    type: "boolean",
    help:
      "Change the service to match the program: runs `pulumi up` for the drifted resources only, and lists replacements before it starts. " +
      "It applies no other change of the program, and leaves unmanaged records as they are",
  },
  accept: {
    type: "boolean",
    help:
      "Change the program to match the service: edits the source and refreshes the state. It edits a resource completely or not at all, " +
      "reports each edit that it cannot make, and leaves missing and unmanaged records as they are",
  },
  "keep-state": {
    type: "boolean",
    help: "With --accept: do not refresh the state, for a pull request. It then accepts no change that the next update would turn into a replacement",
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
  details: `Compares the service with the state of each stack. It only needs the stacks' backend and settings, and changes nothing without --fix or --accept. It reports as drift:

  changed         a property differs from the program
  missing         a resource no longer exists in the service
  adopts-foreign  several stacks manage the same record
  doubled         the service has several records with the name and content of a resource
  unmanaged       a record that no stack of the project manages, in the account groups of the stacks. Agents register themselves, so they do not count

The report also names properties that the program omits and that have changed; they are not drift. For properties that the service never returns, such as passwords, it gives the number of resources that have them.

List expected drift under drift.ignore in Pulumi.yaml, or in endpoint-monitoring.yaml next to it:

  drift:
    ignore:
      - resource: office-*        name in the program (of unmanaged records: in the service) or URN, with *
        property: filters         or a path such as filters[0].values; without it, all drift is ignored
        reason: the network team changes them
        until: 2026-12-31         the last day, in UTC; without it, forever

The report counts ignored drift; the exit code does not. If any property of a resource is on the ignore list, drift neither fixes nor accepts that resource.`,
  options,
  exitCodes: { 0: "no drift, or no drift is left after --fix or --accept", 2: "drift" },
});
