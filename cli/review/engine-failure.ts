import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { isObject } from "../../provider/values";
import { UsageError } from "../command";
import type { EngineRun } from "../engine-run";
import { secretMask } from "../held";
import type { ProjectStack } from "../project";

/** Lines of the engine's standard error that are shown, the last ones. */
const mostLines = 40;
/** A shorter secret is not looked for: it would blank out ordinary words. The engine hides its own from the same length on. */
const shortestSecret = 3;
/** A secret from this length on is hidden inside of words, too. */
const shortestAnywhere = 8;

/**
 * What is said where the engine gave no plan: why, all that it wrote to standard error, and what to do.
 *
 * @param failure the failure in the words of the engine's errors; all that it wrote where it named none
 */
export async function engineFailure(failure: string, run: EngineRun, stack: ProjectStack): Promise<UsageError> {
  const written = run.stderr.trim();
  const reason = written !== "" && failure.endsWith(written) ? `The preview failed: pulumi ended with ${run.code}` : failure;
  const place = placeIn(run.stdout, stack.project.programFolder);
  const hide = hiding([...secretsIn(stack.project.io.env), ...(await secretsOf(stack))]);
  const lines = linesOf(run.stderr).filter((line) => !reason.includes(line.replace(/^error: /, "").trim()));
  const left = lines.length - mostLines;
  const text = [
    `${reason}${place === undefined ? "" : ` (${place})`}`,
    ...(lines.length > 0 ? ["The engine wrote to standard error:"] : []),
    ...(left > 0 ? [`  … ${left} lines before these`] : []),
    ...lines.slice(-mostLines).map((line) => `  ${line}`),
    whatToDo(stack),
  ];
  return new UsageError(hide(text.join("\n")), "work");
}

function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).split(/\r?\n/);
  return lines.map((line) => line.trimEnd()).filter((line) => line !== "");
}

/** Where in the program an error arose that the engine tells of: the first frame that is no package's, as `index.ts:12`. */
function placeIn(printed: string, folder: string): string | undefined {
  const messages = messagesIn(printed).flatMap((message) => linesOf(message));
  for (const line of messages) {
    const { path, row } = /^\s+at (?:.*\()?(?<path>[^()]+):(?<row>\d+):\d+\)?$/.exec(line)?.groups ?? {};
    const place = path === undefined ? "" : relative(folder, path.replace(/^file:\/\//, ""));
    if (place !== "" && isAbsolute(path ?? "") && !/^\.\.|(^|[\\/])node_modules[\\/]/.test(place)) return `${place}:${row}`;
  }
  return undefined;
}

/** What the engine says in the JSON that it prints where it fails, too. */
function messagesIn(printed: string): string[] {
  try {
    const read: unknown = JSON.parse(printed);
    const diagnostics = isObject(read) && Array.isArray(read["diagnostics"]) ? read["diagnostics"].filter(isObject) : [];
    return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => String(message));
  } catch {
    return [];
  }
}

function whatToDo({ name, project }: ProjectStack): string {
  const missing = isWithout(project.programFolder, "@pulumi/pulumi");
  if (missing) {
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

/** Values of the environment that are secret by their names. */
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

/** Puts a mask in place of every secret, also as JSON writes it. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= shortestSecret);
  const spelled = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first: one may be a part of another.
  const all = [...new Set(spelled)].toSorted((a, b) => b.length - a.length).map(patternOf);
  return (text) => all.reduce((shown, pattern) => shown.replace(pattern, secretMask), text);
}

/** A short secret counts as a whole word only: it may be a part of any other. */
function patternOf(secret: string): RegExp {
  const text = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(secret.length < shortestAnywhere ? `(?<!\\w)${text}(?!\\w)` : text, "g");
}
