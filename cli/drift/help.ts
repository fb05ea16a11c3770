import type { OptionSpecs } from "../command";
import { kindWords } from "../kind-words";

export const driftOptions = {
  stack: { type: "string", multiple: true },
  "all-stacks": { type: "boolean" },
  also: { type: "string", multiple: true },
  "no-unmanaged": { type: "boolean" },
  only: { type: "string", multiple: true, words: kindWords },
  mend: { type: "boolean" },
  fix: { type: "boolean" },
  full: { type: "boolean" },
  accept: { type: "boolean" },
  "keep-state": { type: "boolean" },
  markdown: { type: "string", names: "file" },
} as const satisfies OptionSpecs;

export const help = `Reports what was changed, deleted or created outside of Pulumi, and fixes it.

Usage: endpoint-monitoring drift [OPTIONS]

It compares what the service holds with what was declared at the last update of each stack (after a
\`pulumi refresh\`: with what that found). It needs the stacks' backend and their settings, nothing else,
and changes nothing without --mend or --accept. These are drift:

  changed    the service holds a property otherwise than the program declares it
  missing    a resource no longer exists in the service
  unmanaged  somebody made a record, and no stack of the project manages it, looked at or not: looked for
             in the account groups that the stacks' settings and resources name. Agents register
             themselves, they are no drift

What the program leaves to the service is reported where it has changed, and is no drift. Of what the service
never returns, such as passwords, the report has how many resources have it. What a fix would replace is named
with what that costs, as result histories end.

Ignored is what drift.ignore in Pulumi.yaml, or in a file endpoint-monitoring.yaml beside it, names:

  drift:
    ignore:
      - resource: office-*        name in the program (of what is unmanaged: in the service) or URN, with *
        property: filters         or a path such as filters[0].values; without it, all drift is ignored
        reason: the network team changes them
        until: 2026-12-31         the last day, in UTC; without it, for ever

It is counted in the report, and in no exit code. A resource of which a part is ignored is fixed and accepted
neither. The report names entries that have ended, and those that ignore nothing.

Options:
  --stack NAME     Stack to look at, as often as wanted (default: the selected one, or the only one)
  --all-stacks     Look at every stack of the project instead
  --also NAME      What else manages records, so that these are not unmanaged, as often as wanted: the full
                   name of a stack in the same backend, the folder of another Pulumi project, or a file
                   that \`pulumi stack export\` wrote
  --no-unmanaged   Do not look for what is unmanaged
  --only KINDS     Look at these kinds only, comma-separated:
                   ${kindWords.join(", ")}
  --mend, --fix    Make the service what the program declares: runs \`pulumi up\` for the drifted resources
                   alone, and names what it replaces before it begins and afterwards. Other changes of the
                   program stay where they are and are reported, and what is unmanaged is not touched
  --accept         Make the program what the service holds: writes it into the source, each resource whole
                   or not at all, reports where it cannot and why, and refreshes the state. What is missing
                   or unmanaged is only reported
  --keep-state     With --accept: leave the state as it is, for a pull request. What the update after the
                   merge would replace is not accepted
  --full           List what is ignored, too
  --markdown FILE  Write the report as Markdown too, fit for an issue; - prints it instead of the text
  --json           Print the report as one JSON object
  --help           This text

Examples:
  endpoint-monitoring drift --stack prod --also organization/network/prod --markdown drift.md
  endpoint-monitoring drift --stack prod --no-unmanaged --mend

Exit codes: 0 no drift (with --mend and --accept: none is left), 2 drift, 1 a stack could not be looked
at or an update failed, 130 interrupted.
`;
