import { isAbsolute, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Diagnostic, StackPreview } from "./preview-output";
import type { ProjectStack } from "./stack";
import { type EngineResource, nameOfUrn, positionOf } from "./state";
import { positionText } from "../common/position";

/**
 * Maximum number of lines of an error message that a report shows. The first two lines of a program's error are only an
 * introduction.
 */
const maxMessageLines = 6;

/** Matches the engine's final output line after a failure, such as `update failed`, which contains no reason. */
export const summary = /^(?:preview|update|refresh|import|destroy) failed$/;

/**
 * Returns the reasons why a preview failed, with the position of each resource. An engine's refusal to delete or replace a
 * protected resource does not count as a failure.
 */
export function failuresIn(
  { diagnostics = [], steps }: StackPreview,
  engineResources: readonly EngineResource[] = [],
  folder?: string,
): string[] {
  const refused = new Set(steps.filter(({ oldState }) => oldState?.protect === true).map(({ urn }) => urn));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const failures = errors.filter(({ urn }) => urn === undefined || !refused.has(urn));
  const resources = new Map(
    [...engineResources, ...steps.flatMap((step) => step.newState ?? step.oldState ?? [])].map((engineResource) => [
      engineResource.urn,
      engineResource,
    ]),
  );
  const reasons = failures.map((diagnostic) => {
    const resource = resources.get(diagnostic.urn ?? "");
    const position = resource && positionOf(resource, folder);
    const place = position ? positionText(position) : placeIn(diagnostic, folder);
    return `${reasonOfDiagnostic(diagnostic)}${place === undefined ? "" : ` (${place})`}`;
  });
  // If the engine refused a step, the line "preview failed" is omitted, because this line then only repeats the refusal.
  return failures.length < errors.length ? reasons.filter((reason) => !summary.test(reason)) : reasons;
}

export function reasonOfDiagnostic({ urn, message }: Pick<Diagnostic, "urn" | "message">): string {
  const lines = stripVTControlCharacters(message)
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  const trace = lines.findIndex((line) => /^\s+at /.test(line));
  const shown = lines.slice(0, trace < 0 ? maxMessageLines : Math.min(trace, maxMessageLines));
  const reason = shown.join(" ").replace(/\s+/g, " ").trim();
  return urn === undefined || urn.includes("::pulumi:pulumi:Stack::") ? reason : `${nameOfUrn(urn)}: ${reason}`;
}

/** Returns the first position in a stack trace that is in one of the program's own files, such as `index.ts:12`. */
function placeIn({ message }: Diagnostic, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  for (const line of stripVTControlCharacters(message).split("\n")) {
    const { path = "", row } = /^\s+at (?:.*\()?(?<path>[^()]+):(?<row>\d+):\d+\)?$/.exec(line)?.groups ?? {};
    const place = relative(folder, path.replace(/^file:\/\//, ""));
    if (place !== "" && isAbsolute(path) && !/^\.\.|(^|[\\/])node_modules[\\/]/.test(place)) return `${place}:${row}`;
  }
  return undefined;
}

export function previewAdvice({ name, project }: ProjectStack): string {
  if (project.packageFolder("@pulumi/pulumi") === undefined) {
    return `What to do: install the program's modules: run \`npm install\`, or your package manager's command, in ${project.programFolder}`;
  }
  return (
    `What to do: \`pulumi preview --stack ${name}\` in ${project.folder} shows the whole failure. ` +
    "`endpoint-monitoring validate` lists all mistakes of the program. `pulumi install` installs missing plugins and packages"
  );
}
