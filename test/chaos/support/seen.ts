/** What a whole run watches beside its cases: secrets in all that comes out, and writes that only reads were allowed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../emulator";
import { allOperations } from "../../../api/schemas";
import { nonexistentId } from "../../../provider/handler";
import type { Finding } from "../row";

/** Secrets that every case uses. None of them may come out, in any form. */
export const planted = {
  token: "emulator-token",
  password: 'hush hush/"ä\\+&=%~1',
  clientSecret: 'cl13nt se/cr"et+&ö=%',
};

/** The ways in which somebody may write a text, by name. */
export function formsOf(secret: string): [how: string, text: string][] {
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const lower = (text: string): string => text.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  const bytes = Buffer.from(secret);
  const forms: [string, string][] = [
    ["it is", secret],
    ["URL", url],
    ["URL in small letters", lower(url)],
    ["form", form],
    ["form in small letters", lower(form)],
    ["JSON", json],
    ["JSON in ASCII", ascii],
    ["Base64", bytes.toString("base64")],
    ["Base64 for URLs", bytes.toString("base64url")],
    ["Base64 behind a name", Buffer.concat([Buffer.from("user:"), bytes]).toString("base64")],
  ];
  return forms;
}

/** What is looked for: each way in which a text may look, also as a part of something longer. */
function traces(secret: string): [how: string, text: string][] {
  // In the middle of a longer text three bytes make four characters, so it looks in one of three ways.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      .toString("base64")
      .replaceAll("=", "");
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  const urls = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // As where a state holds a value as text.
  const nested = JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1);
  const parts = [...base64, ...urls].map((text): [string, string] => ["part of Base64", text]);
  return [...formsOf(secret), ["JSON in JSON", nested], ...parts];
}

const wanted = Object.entries(planted).flatMap(([name, secret]) =>
  traces(secret).map(([how, text]) => ({ name, how, form: text })),
);

/** Outputs that were looked through, and what was found in them. */
export const secrets = { looked: 0, found: [] as Finding[] };

/** Looks for secrets in one output. */
export function lookThrough(text: string, where: string, seed: number): void {
  secrets.looked += 1;
  for (const { name, how, form } of wanted) {
    if (!text.includes(form)) continue;
    const at = text.indexOf(form);
    const around = text.slice(Math.max(0, at - 60), at).replaceAll(/\s+/g, " ");
    secrets.found.push({
      seed,
      what: `the ${name} is in ${where}, as ${how}, after "${around}"`,
    });
    return;
  }
}

/** Looks for secrets in every file below a folder, links apart. */
export function lookThroughFolder(folder: string, where: string, seed: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes("node_modules")) continue;
    const file = join(entry.parentPath, entry.name);
    lookThrough(readFileSync(file, "utf8"), `${where}: ${file.slice(folder.length + 1)}`, seed);
  }
}

const writing = new Set(
  allOperations()
    .filter(({ writes }) => writes)
    .map(({ id }) => id),
);

/** Requests so far that change something, by operation. */
export function writesOf(emulator: Emulator): Record<string, number> {
  return Object.fromEntries(Object.entries(emulator.requests()).filter(([operation]) => writing.has(operation)));
}

/** Commands that only read, and the writes that they sent all the same. */
export const reads = { watched: 0, found: [] as Finding[] };

/**
 * Runs what may only read, and counts the writes that come to the service meanwhile. `check` asks whether the token may write: by
 * writes to an id that nothing has, which the service answers with 404. Those alone do not count.
 */
export async function onlyReads<T>(emulator: Emulator, command: string, seed: number, work: () => Promise<T>): Promise<T> {
  const last = emulator.log().at(-1);
  const result = await work();
  reads.watched += 1;
  const log = emulator.log();
  const since = last ? log.slice(log.lastIndexOf(last) + 1) : log;
  for (const { operation, path, status } of since.filter((one) => writing.has(one.operation))) {
    const asksOnly = command.startsWith("check") && status === 404 && path.includes(`/${nonexistentId}`);
    if (!asksOnly) reads.found.push({ seed, what: `${command} sent ${operation} ${path}, answered ${status}` });
  }
  return result;
}
