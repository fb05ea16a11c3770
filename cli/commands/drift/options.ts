import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { kindWords } from "../../generated/kind-words";

const options = {
  stack: {
    type: "string",
    short: "s",
    multiple: true,
    value: "NAME",
    help: "Stack to check; repeatable (default: the selected stack, or the only stack)",
  },
  "all-stacks": { type: "boolean", help: "Check every stack of the project" },
  "managed-by": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "Also read this stack, project folder or exported state file; repeatable. Records that other stacks manage do not count as unmanaged",
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
      "Change the service to match the program. `drift` shows a review, then runs `pulumi up` for the drifted resources only. " +
      "Unmanaged records do not change",
  },
  accept: {
    type: "boolean",
    help:
      "Change the program to match the service. `drift` edits the source and refreshes the state. For each resource, `drift` makes either " +
      "all edits or no edits. The report lists the edits that `drift` cannot make",
  },
  "keep-state": {
    type: "boolean",
    help: "With --accept, edit the program but do not refresh the state, for example for a pull request. With --keep-state, `drift` skips edits that would cause an update to replace a resource",
  },
  details: { type: "boolean", help: "Also list the drift that the ignore list (drift.ignore in Pulumi.yaml) hides" },
  ...reportOptions,
} as const satisfies OptionSpecs;

export type DriftValues = Values<typeof options>;

export const drift = defineCommand({
  name: "drift",
  summary: "Find changes made outside of Pulumi, and fix or accept them",
  about: "Reports records that were changed, deleted or created outside of Pulumi. `drift` can also fix or accept the changes.",
  examples: [
    "{} drift --stack prod --no-unmanaged",
    "{} drift --stack prod --managed-by organization/network/prod --markdown drift.md",
    "{} drift --stack prod --no-unmanaged --fix",
  ],
  details: `\`drift\` compares the service with the state of each stack. Without --fix or --accept, \`drift\` changes nothing. There are five kinds of drift:

  - changed: a property of the record differs from the program.
  - missing: the record of a resource no longer exists in the service.
  - adopts-foreign: several stacks manage the same record.
  - doubled: the service has several records with the same name and content as a resource.
  - unmanaged: no stack of the project manages the record. Agents never count as unmanaged, because agents register themselves.

Changed properties that the program omits or ignores (ignoreChanges) are not drift, but the report lists them. The report also counts resources with properties that the service never returns, such as passwords.

To accept some changes and undo the other changes, follow these steps:

  1.  Run \`endpoint-monitoring drift --accept --keep-state\` to edit the program.
  2.  Run \`git restore -p\` to remove the edits that you do not accept.
  3.  Run \`endpoint-monitoring drift --fix\` to undo the changes in the service that you do not accept.
  4.  Run \`pulumi up --refresh\` to refresh the state.

List expected drift under drift.ignore in Pulumi.yaml, as docs/drift.md shows. If any drift of a resource is on this ignore list, --fix and --accept skip the resource.`,
  options,
  exitCodes: { 0: "no drift, or no drift remains after --fix or --accept", 2: "there is drift" },
});
