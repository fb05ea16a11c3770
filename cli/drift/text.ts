import { positionText } from "../engine/state";
import { counted, visible } from "../words";
import type { Output } from "../output";
import type {
  ChangedResource,
  DriftReport,
  MissingResource,
  Outcome,
  ResourceRef,
  StackDrift,
  UnmanagedRecord,
} from "./report";
import { type Names, nounOf, propertyTold, replacementLines, someOf, summaryOf, unseenLines } from "./words";

/** The report as a person reads it on a terminal. What failed is told apart, on standard error. */
export function terminalText(report: DriftReport, nameOf: Names, out: Output): string {
  const { mended, accepted, unmanaged = [], unseen } = report;
  const parts = [
    ...(mended ? [outcomeLines("Mended", mended)] : []),
    ...(accepted ? [outcomeLines("Accepted", accepted)] : []),
    [out.paint("bold", summaryOf(report))],
    ...report.stacks.map((stack) => stackLines(stack, nameOf, out)),
    unmanagedLines(unmanaged, out),
    unseen.length === 0
      ? []
      : [
          "The service never returns these, so a change of them can't be seen:",
          ...unseenLines(unseen).map((line) => `  ${line}`),
        ],
    adviceLines(report),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function stackLines(
  { stack, changed, missing, notes, mendingReplaces = [] }: StackDrift,
  nameOf: Names,
  out: Output,
): string[] {
  const lines = [
    ...changed.flatMap((resource) => changedLines(resource, nameOf, out)),
    ...missing.flatMap((resource) => missingLines(resource, out)),
  ];
  const told = [
    ...(lines.length > 0 ? [`Stack ${stack}, declared -> in the service:`, ...lines] : []),
    ...(notes.length > 0
      ? [`Stack ${stack}, what the program leaves to the service has changed since the last update (not counted):`]
      : []),
    ...notes.flatMap((resource) => changedLines(resource, nameOf, out)),
    ...(mendingReplaces.length > 0 ? [`\`--mend\` replaces, in stack ${stack}:`] : []),
    ...replacementLines(mendingReplaces).map((line) => `  ${line}`),
  ];
  return told;
}

function changedLines(resource: ChangedResource, nameOf: Names, out: Output): string[] {
  const { properties, replacementCost, modified } = resource;
  return [
    `  ${out.paint("yellow", "~")} ${heading(resource)}${modified === undefined ? "" : `, last changed ${modified}`}`,
    ...properties.flatMap((drift) => {
      const { before, after, lost, gained } = propertyTold(resource, drift, nameOf);
      if (drift.secret) return [`      ${drift.property}: changed (a secret, not shown)`];
      if (lost.length + gained.length === 0) return [`      ${drift.property}: ${before} -> ${after}`];
      return [
        `      ${drift.property}:`,
        ...someOf(lost).map((item) => `        ${out.paint("red", "-")} ${item}`),
        ...someOf(gained).map((item) => `        ${out.paint("green", "+")} ${item}`),
      ];
    }),
    ...(replacementCost === undefined ? [] : [`      putting it right replaces it: ${replacementCost}`]),
  ];
}

function missingLines(resource: MissingResource, out: Output): string[] {
  const { referredToBy } = resource;
  return [
    `  ${out.paint("red", "-")} ${heading(resource)}: gone from the service`,
    ...(referredToBy.length > 0
      ? [`      ${someOf(referredToBy.map(visible)).join(", ")} ${referredToBy.length === 1 ? "refers" : "refer"} to it`]
      : []),
  ];
}

function heading(resource: ResourceRef): string {
  const place = resource.position ? `, ${positionText(resource.position)}` : "";
  return `${nounOf(resource.kind)} ${visible(resource.name)} (${visible(resource.id)})${place}`;
}

function unmanagedLines(unmanaged: readonly UnmanagedRecord[], out: Output): string[] {
  if (unmanaged.length === 0) return [];
  return [
    "In the service, and in none of these stacks:",
    ...unmanaged.map(({ kind, name, id, accountGroupId, modified }) => {
      const group = accountGroupId === undefined ? "" : `, account group ${visible(accountGroupId)}`;
      const when = modified === undefined ? "" : `, last changed ${modified}`;
      return `  ${out.paint("cyan", "?")} ${nounOf(kind)} "${visible(name)}" (${visible(id)})${group}${when}`;
    }),
  ];
}

/** What became of the drift, for the terminal. */
function outcomeLines(title: string, { resources, replaced = [], left, pending }: Outcome): string[] {
  const place = ({ position }: ResourceRef): string => (position ? ` (${positionText(position)})` : "");
  return [
    `${title}: ${counted(resources.length, "resource")}`,
    ...resources.map((resource) => {
      const properties = resource.properties.length > 0 ? `: ${resource.properties.join(", ")}` : "";
      return `  ${nounOf(resource.kind)} ${visible(resource.name)} of stack ${resource.stack}${place(resource)} ${resource.how}${properties}`;
    }),
    ...(replaced.length > 0 ? ["Replaced, so that the old records were deleted:"] : []),
    ...replacementLines(replaced).map((line) => `  ${line}`),
    ...(left.length > 0 ? ["Left as they are:"] : []),
    ...left.map(
      (one) => `  ${nounOf(one.kind)} ${visible(one.name)} of stack ${one.stack}${place(one)}: ${visible(one.reason)}`,
    ),
    ...(pending.length > 0 ? ["Other changes of the program still wait for `pulumi up`, none was carried out:"] : []),
    ...someOf(pending.map(({ stack, op, name }) => `${op} ${visible(name)} of stack ${stack}`)).map((line) => `  ${line}`),
  ];
}

/** What to do about what is there. */
export function adviceLines({ stacks, unmanaged = [], drift }: DriftReport): string[] {
  if (!drift) return [];
  const some = stacks.some(({ changed, missing }) => changed.length + missing.length > 0);
  return [
    ...(some
      ? [
          "`endpoint-monitoring drift --mend` makes the service what the program declares, `--accept` the program what the service holds.",
        ]
      : []),
    ...(unmanaged.length > 0
      ? [
          "`endpoint-monitoring import` takes over what is unmanaged; `--also` names stacks of other projects, `--no-unmanaged` leaves it out.",
        ]
      : []),
  ];
}
