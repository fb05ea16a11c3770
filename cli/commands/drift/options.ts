import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { kindWords } from "../../generated/kind-words";

const options = {
  stack: {
    type: "string",
    short: "s",
    multiple: true,
    value: "NAME",
    help: "Stack to look at, as often as wanted (default: the selected one, or the only one)",
  },
  "all-stacks": { type: "boolean", help: "Look at every stack of the project instead" },
  "managed-by": {
    type: "string",
    multiple: true,
    value: "NAME",
    help:
      "What else manages records, so that these are not unmanaged, as often as wanted: the full name of a stack in the same backend, " +
      "the folder of another Pulumi project, or a file that `pulumi stack export` wrote",
  },
  "no-unmanaged": { type: "boolean", help: "Do not look for what is unmanaged" },
  only: {
    type: "string",
    multiple: true,
    value: "KINDS",
    words: kindWords,
    help: `Look at these kinds only, comma-separated: ${kindWords.join(", ")}`,
  },
  fix: {
    type: "boolean",
    help:
      "Make the service what the program declares: runs `pulumi up` for the drifted resources alone, and names what it replaces " +
      "before it begins and afterwards. Other changes of the program stay where they are and are reported, and what is unmanaged is " +
      "not touched",
  },
  accept: {
    type: "boolean",
    help:
      "Make the program what the service holds: writes it into the source, each resource whole or not at all, reports where it cannot " +
      "and why, and refreshes the state. What is missing or unmanaged is only reported",
  },
  "keep-state": {
    type: "boolean",
    help: "With --accept: leave the state as it is, for a pull request. What the update after the merge would replace is not accepted",
  },
  details: { type: "boolean", help: "List what is ignored, too" },
  ...reportOptions,
} as const satisfies OptionSpecs;

export type DriftValues = Values<typeof options>;

export const drift = defineCommand({
  name: "drift",
  summary: "Find changes made outside of Pulumi, and fix or accept them",
  about: "Reports what was changed, deleted or created outside of Pulumi, and fixes it.",
  examples: [
    "{} drift --stack prod --no-unmanaged",
    "{} drift --stack prod --managed-by organization/network/prod --markdown drift.md",
    "{} drift --stack prod --no-unmanaged --fix",
  ],
  details: `It compares what the service holds with what was declared at the last update of each stack (after a \`pulumi refresh\`: with what that found). It needs the stacks' backend and their settings, nothing else, and changes nothing without --fix or --accept. These are drift:

  changed    the service holds a property otherwise than the program declares it
  missing    a resource no longer exists in the service
  adopts-foreign  several stacks manage a record, as far as the states of the project's stacks and of --managed-by show it
  doubled    a record of a stack exists more than once with the same name and content
  unmanaged  somebody made a record, and no stack of the project manages it. Drift looks for such records in the account groups that the stacks' settings and resources name. Agents register themselves: they are no drift

What the program leaves to the service is reported where it has changed, and is no drift. Of what the service never returns, such as passwords, the report has how many resources have it. What a fix would replace is named with what that costs, as result histories end.

Drift ignores what drift.ignore in Pulumi.yaml, or in a file endpoint-monitoring.yaml beside it, names:

  drift:
    ignore:
      - resource: office-*        name in the program (of what is unmanaged: in the service) or URN, with *
        property: filters         or a path such as filters[0].values; without it, all drift is ignored
        reason: the network team changes them
        until: 2026-12-31         the last day, in UTC; without it, for ever

The report counts what is ignored, and no exit code does. If any property of a resource is on the ignore list, drift neither fixes nor accepts that resource. The report names entries that have ended, and those that ignore nothing.`,
  options,
  exitCodes: { 0: "no drift, or no drift is left after --fix or --accept", 2: "drift" },
});
