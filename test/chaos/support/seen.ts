/** Checks of a whole run in addition to its cases: secrets in any output, and writes during reads. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../emulator";
import { allOperations } from "../../../api/schemas";
import { nonexistentId } from "../../../provider/handler";
import type { Finding } from "../row";

/** Secrets that each case uses. No output may contain them in any form. */
export const planted = {
  token: "emulator-token",
  password: 'hush hush/"ä\\+&=%~1',
  clientSecret: 'cl13nt se/cr"et+&ö=%',
};

/** Returns the forms in which a text may be written, by name. */
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

/** Returns the texts to search for: each form of a text, also as a part of a longer text. */
function traces(secret: string): [how: string, text: string][] {
  // Inside a longer text, three bytes become four characters, so the text has one of three forms.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      .toString("base64")
      .replaceAll("=", "");
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  const urls = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // As in a state that stores a value as text.
  const nested = JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1);
  const parts = [...base64, ...urls].map((text): [string, string] => ["part of Base64", text]);
  return [...formsOf(secret), ["JSON in JSON", nested], ...parts];
}

const wanted = Object.entries(planted).flatMap(([name, secret]) =>
  traces(secret).map(([how, text]) => ({ name, how, form: text })),
);

/** Number of searched outputs, and the findings. */
export const secrets = { looked: 0, found: [] as Finding[] };

/** Searches for secrets in one output. */
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

/** Searches for secrets in each file below a folder, except links. */
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

/** Returns the number of changing requests so far, by operation. */
export function writesOf(emulator: Emulator): Record<string, number> {
  return Object.fromEntries(Object.entries(emulator.requests()).filter(([operation]) => writing.has(operation)));
}

/** Number of read-only commands, and the writes that they sent. */
export const reads = { watched: 0, found: [] as Finding[] };

/**
 * Runs read-only work, and counts the service's write requests meanwhile. `check` tests write permission by writes to missing
 * ids, which the service answers with 404. Only those do not count.
 */
export async function onlyReads<T>(emulator: Emulator, command: string, seed: number, work: () => Promise<T>): Promise<T> {
  const last = emulator.log().at(-1);
  const result = await work();
  reads.watched += 1;
  const log = emulator.log();
  const since = last ? log.slice(log.lastIndexOf(last) + 1) : log;
  for (const { operation, path, status } of since.filter((request) => writing.has(request.operation))) {
    const asksOnly = command.startsWith("check") && status === 404 && path.includes(`/${nonexistentId}`);
    if (!asksOnly) reads.found.push({ seed, what: `${command} sent ${operation} ${path}, answered ${status}` });
  }
  return result;
}
