import { UsageError } from "../command";
import { nameOfUrn } from "../held";
import { engineError, type EngineRun } from "../engine-run";
import { previewOutputOf } from "../preview";
import type { ProjectStack } from "../project";

/** A change of the program that waits for an update. */
export interface PendingChange {
  op: string;
  name: string;
  urn: string;
}

/** What a plain preview says: no drift is in it, only what the program would change. */
export interface Preview {
  pending: PendingChange[];
  /** Resources that the program leaves as the state has them. */
  same: ReadonlySet<string>;
}

/** Steps of a preview that change nothing. */
const quiet = new Set(["same", "read", "refresh"]);
/** Steps of a replacement. */
const replacing = new Set(["create-replacement", "delete-replaced"]);

/**
 * Previews the program as it is now.
 *
 * @param more arguments, such as targets
 * @throws UsageError with the engine's reasons where it can't be previewed
 */
export async function preview(stack: ProjectStack, more: readonly string[] = []): Promise<Preview> {
  const run = await stack.run(["preview", "--json", "--show-sames", ...more]);
  const what = `The program of stack ${stack.name} can't be previewed`;
  const { steps, diagnostics } = previewOutputOf(run, what);
  if (run.code !== 0) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const reasons = errors.map(({ urn, message }) => reasonText(urn, message));
    throw reasons.length > 0 ? new UsageError(`${what}: ${reasons.join("; ")}`, "work") : engineError(what, run);
  }
  const changes = new Map<string, string>();
  for (const { op, urn } of steps) if (!quiet.has(op)) changes.set(urn, replacing.has(op) ? "replace" : op);
  return {
    pending: [...changes].map(([urn, op]) => ({ op, name: nameOfUrn(urn), urn })),
    same: new Set(steps.filter(({ op, urn }) => op === "same" && !changes.has(urn)).map(({ urn }) => urn)),
  };
}

function reasonText(urn: string | undefined, message: string): string {
  const reason = message
    .replace(/^error: /, "")
    .replace(/\s+/g, " ")
    .trim();
  return urn === undefined ? reason : `${nameOfUrn(urn)}: ${reason}`;
}

/** What the engine adds when something has failed: it says nothing of its own. */
const closing = /^(?:update|preview|refresh) failed$/;

/**
 * Why a run failed, each reason with the resource it is about: from the diagnostics that the engine prints at the end, under a
 * heading a resource.
 */
export function reasonsOf(run: EngineRun): string[] {
  const reasons: string[] = [];
  let [name, within, open] = ["", false, false];
  for (const line of run.stdout.split("\n")) {
    if (/^\S/.test(line)) within = line.startsWith("Diagnostics:");
    if (!within) continue;
    name = /^ {2}\S+ \((?<name>.*)\):$/.exec(line)?.groups?.["name"] ?? name;
    const { severity, text = "" } =
      /^ {4}\s*(?:(?<severity>error|warning|info|debug): )?(?<text>\S.*)$/.exec(line)?.groups ?? {};
    if (severity === undefined && open && text !== "") reasons.push(`${reasons.pop() ?? ""} ${text}`);
    else open = severity === "error" && !closing.test(text);
    if (severity !== undefined && open) reasons.push(`${name}: ${text}`);
  }
  return reasons.length > 0 ? [...new Set(reasons)] : [engineError("pulumi", run).message];
}

/** Characters of targets in one run: operating systems bound a command line, Windows at 32,767 characters. */
const longestTargets = process.platform === "win32" ? 24_000 : 400_000;

/**
 * Targets in as few runs as their length allows; those of one group stay together.
 *
 * @param longest characters of one run's targets
 */
export function inRuns(groups: readonly (readonly string[])[], longest = longestTargets): string[][] {
  const runs: string[][] = [];
  let length = Infinity;
  for (const group of groups) {
    const more = group.reduce((sum, urn) => sum + urn.length + "--target ".length + 3, 0);
    if (length + more > longest) {
      runs.push([]);
      length = 0;
    }
    runs.at(-1)?.push(...group);
    length += more;
  }
  return runs.map((run) => [...new Set(run)]);
}

export function targetArguments(urns: readonly string[]): string[] {
  return urns.flatMap((urn) => ["--target", urn]);
}
