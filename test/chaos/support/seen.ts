/** What a whole run watches beside its cases: secrets in all that comes out, and writes that only reads were allowed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../emulator";
import { allOperations } from "../../../api/schemas";
import { nowhere } from "../../../provider/kind";
import type { Finding } from "../row";

/** Secrets that every case uses. None of them may come out, in any form. */
export const planted = {
  token: "emulator-token",
  password: 'hush hush/"ä\\+&=%~1',
  clientSecret: 'cl13nt se/cr"et+&ö=%',
};

/** The ways in which a text may look, as it is and encoded. */
export function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  // JSON in JSON, as where a state holds a value as text, and with everything beyond ASCII escaped.
  const nested = JSON.stringify(json).slice(1, -1);
  const ascii = json.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // In the middle of a longer text three bytes make four characters, so it looks in one of three ways.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      .toString("base64")
      .replaceAll("=", "");
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  const base64Url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const lower = [url, form].map((text) => text.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
  return [...new Set([secret, url, form, json, nested, ascii, ...lower, ...base64, ...base64Url])];
}

const forms = Object.entries(planted).flatMap(([name, secret]) => formsOf(secret).map((form) => ({ name, form })));

/** Outputs that were looked through, and what was found in them. */
export const secrets = { looked: 0, found: [] as Finding[] };

/** Looks for secrets in one output. */
export function lookThrough(text: string, where: string, seed: number): void {
  secrets.looked += 1;
  for (const { name, form } of forms) {
    if (!text.includes(form)) continue;
    const at = text.indexOf(form);
    const around = text.slice(Math.max(0, at - 60), at).replaceAll(/\s+/g, " ");
    secrets.found.push({
      seed,
      what: `the ${name} is in ${where}, as ${form === Reflect.get(planted, name) ? "it is" : "encoded"}, after "${around}"`,
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

const writing = new Set(allOperations.filter(({ writes }) => writes).map(({ id }) => id));

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
    const asksOnly = command.startsWith("check") && status === 404 && path.includes(`/${nowhere}`);
    if (!asksOnly) reads.found.push({ seed, what: `${command} sent ${operation} ${path}, answered ${status}` });
  }
  return result;
}
