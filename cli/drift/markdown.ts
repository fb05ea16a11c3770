import { positionText } from "../engine/state";
import { counted } from "../words";
import { bounded, code, plain, table } from "../markdown";
import type {
  ChangedResource,
  DriftReport,
  MissingResource,
  Outcome,
  PropertyDrift,
  Replacement,
  ResourceRef,
  StackDrift,
  UnmanagedRecord,
} from "./report";
import { adviceLines } from "./text";
import { type Names, nounOf, propertyTold, replacementLines, someOf, summaryOf, unseenLines } from "./words";

/** Rows of one table: a report that is too long is cut between tables. */
const rowsOfTable = 20;

/** The report as Markdown, fit to be the body of an issue: the same drift gives the same text. */
export function markdownText(report: DriftReport, nameOf: Names): string {
  const { unmanaged = [], unseen, mended, accepted } = report;
  const parts = [
    head(report),
    ...(mended ? outcomeParts("Mended", mended) : []),
    ...(accepted ? outcomeParts("Accepted", accepted) : []),
    ...report.stacks.flatMap((stack) => stackParts(stack, nameOf)),
    ...tables(
      "### In the service, and in none of these stacks",
      ["Kind", "Name", "Id", "Account group", "Last changed"],
      unmanaged.map((one) => [unmanagedRow(one)]),
    ),
    ...(unseen.length > 0
      ? [`The service never returns these, so a change of them can't be seen: ${unseenLines(unseen).map(plain).join("; ")}.`]
      : []),
  ];
  return bounded(
    parts,
    (left) =>
      `*${counted(left, "part")} of the report left out: it is too long for a comment. \`endpoint-monitoring drift\` shows all.*`,
  );
}

/** What counts, first: it is what a list of issues shows. */
function head(report: DriftReport): string {
  return [
    `## ${summaryOf(report)}`,
    ...report.failures.map((failure) => `**Failed:** ${plain(failure)}`),
    ...adviceLines(report),
  ].join("\n\n");
}

function stackParts({ stack, changed, missing, notes, mendingReplaces = [] }: StackDrift, nameOf: Names): string[] {
  const columns = ["Resource", "Property", "Declared", "In the service"];
  const rows = (resource: ChangedResource) => propertyRows(resource, nameOf);
  return [
    ...tables(`### Stack ${plain(stack)}: changed`, columns, changed.map(rows)),
    ...tables(
      `### Stack ${plain(stack)}: gone from the service`,
      ["Resource", "Id", "Declared at", "Referred to by"],
      missing.map((one) => [missingRow(one)]),
    ),
    ...tables(
      `### Stack ${plain(stack)}: left to the service, and changed since the last update (not counted)`,
      ["Resource", "Property", "Before", "In the service"],
      notes.map(rows),
    ),
    ...replacementParts(`\`--mend\` replaces, in stack ${plain(stack)}`, mendingReplaces),
  ];
}

function replacementParts(heading: string, replacements: readonly Replacement[]): string[] {
  const lines = replacementLines(replacements).map((line) => `- ${plain(line)}`);
  return lines.length > 0 ? [`### ${heading}\n\n${lines.join("\n")}`] : [];
}

function propertyRows(resource: ChangedResource, nameOf: Names): string[][] {
  return resource.properties.map((drift, at) => [
    at === 0 ? resourceCell(resource) : "",
    `${code(drift.property)}${drift.replaces ? " (set at creation only)" : ""}`,
    ...sideCells(resource, drift, nameOf),
  ]);
}

/** What was declared, and what the service holds; of lists what only one of the two has. */
function sideCells(resource: ChangedResource, drift: PropertyDrift, nameOf: Names): [string, string] {
  if (drift.secret) return ["*secret*", "*secret, changed*"];
  const { before, after, lost, gained } = propertyTold(resource, drift, nameOf);
  const items = (list: string[]): string => (list.length === 0 ? "" : `only here: ${someOf(list.map(code)).join("<br>")}`);
  if (lost.length + gained.length > 0) return [items(lost), items(gained)];
  return [drift.before === undefined ? "*none*" : code(before), drift.after === undefined ? "*none*" : code(after)];
}

function resourceCell(resource: ChangedResource): string {
  const { replacementCost, modified } = resource;
  return [
    `${plain(nounOf(resource.kind))} **${plain(resource.name)}** ${code(resource.id)}`,
    ...(resource.position ? [code(positionText(resource.position))] : []),
    ...(modified === undefined ? [] : [`last changed ${plain(modified)}`]),
    ...(replacementCost === undefined ? [] : [`putting it right replaces it: ${plain(replacementCost)}`]),
  ].join("<br>");
}

function missingRow(resource: MissingResource): string[] {
  return [named(resource), code(resource.id), placeCell(resource), someOf(resource.referredToBy).map(plain).join(", ")];
}

function placeCell({ position }: ResourceRef): string {
  return position ? code(positionText(position)) : "";
}

function named({ kind, name }: ResourceRef): string {
  return `${plain(nounOf(kind))} **${plain(name)}**`;
}

function unmanagedRow({ kind, name, id, accountGroupId = "", modified = "" }: UnmanagedRecord): string[] {
  return [plain(nounOf(kind)), plain(name), code(id), code(accountGroupId), plain(modified)];
}

function outcomeParts(title: string, { resources, replaced = [], left, pending, failures }: Outcome): string[] {
  return [
    ...tables(
      `### ${title}: ${counted(resources.length, "resource")}`,
      ["Stack", "Resource", "Declared at", "How", "Properties"],
      resources.map((one) => [[plain(one.stack), named(one), placeCell(one), one.how, one.properties.map(code).join(", ")]]),
    ),
    ...replacementParts("Replaced, so that the old records were deleted", replaced),
    ...tables(
      "### Left as they are",
      ["Stack", "Resource", "Declared at", "Why"],
      left.map((one) => [[plain(one.stack), named(one), placeCell(one), plain(one.reason)]]),
    ),
    ...tables(
      "### Other changes of the program that still wait for an update",
      ["Stack", "Change", "Resource"],
      pending.map((one) => [[plain(one.stack), one.op, plain(one.name)]]),
    ),
    ...(failures.length > 0 ? [`### Failed\n\n${failures.map((failure) => `- ${plain(failure)}`).join("\n")}`] : []),
  ];
}

/**
 * A table in parts, the first one with its heading; nothing where there is nothing to tell.
 *
 * @param groups rows that stay together
 */
function tables(heading: string, columns: string[], groups: readonly string[][][]): string[] {
  const parts: string[][][] = [];
  for (const group of groups) {
    const last = parts.at(-1);
    if (last && last.length < rowsOfTable) last.push(...group);
    else parts.push([...group]);
  }
  return parts.map((rows, at) => `${at === 0 ? `${heading}\n\n` : ""}${table(columns, rows)}`);
}
