import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { UsageError } from "../command";
import type { PreviewError } from "./preview";
import type { Diagnostic, PreviewOutput } from "./preview-output";
import type { ProjectStack } from "./stack";
import { type EngineResource, nameOfUrn, positionOf, positionText, secretMask } from "./state";

/** Lines of a message that are shown: a fault in a program is on the third, after two that announce it. */
const maxMessageLines = 6;
const maxErrorLines = 40;
/** Characters of a secret: a shorter one would blank out ordinary words. The engine hides its own from the same length on. */
const minSecretLength = 3;
/** Characters of a secret that is hidden inside of words, too. */
const minLengthInsideWords = 8;

/** The engine adds this line to every failure. It gives no reason. */
export const summary = /^(?:preview|update|refresh|import|destroy) failed$/;

/**
 * Returns the reasons why a preview failed, with the resource of each. A refusal to delete or replace a protected resource does not
 * count as a failure.
 */
export function failuresIn({ diagnostics, steps }: PreviewOutput, held: readonly EngineResource[] = []): string[] {
  const refused = new Set(steps.filter(({ oldState }) => oldState?.protect === true).map(({ urn }) => urn));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const others = errors.filter(({ urn }) => urn === undefined || !refused.has(urn));
  const resources = new Map(
    [...held, ...steps.flatMap((step) => step.newState ?? step.oldState ?? [])].map((one) => [one.urn, one]),
  );
  const reasons = others.map((one) => {
    const resource = resources.get(one.urn ?? "");
    const position = resource && positionOf(resource);
    return `${reasonOfDiagnostic(one)}${position ? ` (${positionText(position)})` : ""}`;
  });
  // The last error sums up: it is no other one.
  return others.length < errors.length ? reasons.filter((reason) => !summary.test(reason)) : reasons;
}

/** The text of a diagnostic before its stack trace. */
export function reasonOfDiagnostic({ urn, message }: Diagnostic): string {
  const lines = stripVTControlCharacters(message)
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  const trace = lines.findIndex((line) => /^\s+at /.test(line));
  const shown = lines.slice(0, trace < 0 ? maxMessageLines : Math.min(trace, maxMessageLines));
  const reason = shown.join(" ").replace(/\s+/g, " ").trim();
  return urn === undefined || urn.includes("::pulumi:pulumi:Stack::") ? reason : `${nameOfUrn(urn)}: ${reason}`;
}

/** A failed preview explained: why, all that the engine wrote to standard error, and what to do. */
export async function explainedFailure({ message, run, diagnostics }: PreviewError, stack: ProjectStack): Promise<UsageError> {
  const written = run.stderr.trim();
  const reason = written !== "" && message.endsWith(written) ? `The preview failed: pulumi ended with ${run.code}` : message;
  const place = placeIn(diagnostics, stack.project.programFolder);
  const hide = hiding([...secretsIn(stack.project.io.env), ...(await secretsOf(stack))]);
  const lines = linesOf(run.stderr).filter((line) => !reason.includes(line.replace(/^error: /, "").trim()));
  const left = lines.length - maxErrorLines;
  const text = [
    `${reason}${place === undefined ? "" : ` (${place})`}`,
    ...(lines.length > 0 ? ["The engine wrote to standard error:"] : []),
    ...(left > 0 ? [`  … ${left} lines before these`] : []),
    ...lines.slice(-maxErrorLines).map((line) => `  ${line}`),
    whatToDo(stack),
  ];
  return new UsageError(hide(text.join("\n")), "work");
}

function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).split(/\r?\n/);
  return lines.map((line) => line.trimEnd()).filter((line) => line !== "");
}

/** Where in the program an error arose that the engine reports: the first frame that is no package's, as `index.ts:12`. */
function placeIn(diagnostics: readonly Diagnostic[], folder: string): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  for (const line of errors.flatMap(({ message }) => linesOf(message))) {
    const { path = "", row } = /^\s+at (?:.*\()?(?<path>[^()]+):(?<row>\d+):\d+\)?$/.exec(line)?.groups ?? {};
    const place = relative(folder, path.replace(/^file:\/\//, ""));
    if (place !== "" && isAbsolute(path) && !/^\.\.|(^|[\\/])node_modules[\\/]/.test(place)) return `${place}:${row}`;
  }
  return undefined;
}

function whatToDo({ name, project }: ProjectStack): string {
  if (isWithout(project.programFolder, "@pulumi/pulumi")) {
    return `What to do: the program's modules are not installed; run \`npm install\`, or what installs them, in ${project.programFolder}`;
  }
  return (
    `What to do: \`pulumi preview --stack ${name}\` in ${project.folder} fails alike, and shows all of it; ` +
    "`pulumi install` gets plugins and packages that are missing"
  );
}

/** Whether no package of this name is found from a folder, as Node looks for it. */
function isWithout(folder: string, name: string): boolean {
  if (existsSync(join(folder, "node_modules", name, "package.json"))) return false;
  const parent = dirname(folder);
  return parent === folder || isWithout(parent, name);
}

function secretsIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    /(TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|_KEY)$/i.test(name) ? [value] : [],
  );
}

/** Secrets of the stack's configuration; none where it cannot be read: then the engine could not open them either. */
async function secretsOf(stack: ProjectStack): Promise<string[]> {
  try {
    return await stack.secretValues();
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Puts a mask in place of every secret, also as JSON and URLs write it. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= minSecretLength);
  const spelled = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first: one may be a part of another.
  const all = [...new Set(spelled)].toSorted((a, b) => b.length - a.length).map(patternOf);
  return (text) => all.reduce((shown, pattern) => shown.replace(pattern, secretMask), text);
}

/** A short secret counts as a whole word only: it may be a part of any other. */
function patternOf(secret: string): RegExp {
  const text = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(secret.length < minLengthInsideWords ? `(?<!\\w)${text}(?!\\w)` : text, "g");
}
