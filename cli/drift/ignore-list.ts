import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Document, LineCounter } from "yaml";
import { isObject } from "../../provider/values";
import { UsageError } from "../command";
import { projectFileIn } from "../engine/project-file";
import { reasonOf } from "../files";
import { glob } from "../glob";
import { suggestion } from "../../provider/nearest";

/** An entry of the ignore list, `drift.ignore` in Pulumi.yaml or in endpoint-monitoring.yaml beside it. */
export interface IgnoreEntry {
  /** Name in the program, or in the service of what is unmanaged; or a URN. `*` stands for any characters, `?` for one. */
  resource: string;
  /** The property, or a path below it such as `filters[0].values`; nothing for all drift of the resource. */
  property?: string;
  reason: string;
  /** Last day on which it is ignored, as `2026-12-31` in UTC; nothing for ever. */
  until?: string;
  /** Where it stands, as `Pulumi.yaml:12`. */
  place: string;
}

/** Name of the file beside Pulumi.yaml that may hold the list. */
export const settingsFile = "endpoint-monitoring.yaml";

const keys = ["resource", "property", "reason", "until"] as const;

/** The drift that a project ignores. */
export class IgnoreList {
  readonly #used = new Set<IgnoreEntry>();

  /** @param today as `2026-12-31`, in UTC */
  constructor(
    readonly entries: readonly IgnoreEntry[],
    private readonly today: string,
  ) {}

  /** Reads the list of a project. @throws UsageError with every mistake in it, by file and line */
  static of(folder: string, now: Date): IgnoreList {
    const files = [projectFileIn(folder), join(folder, settingsFile)];
    const mistakes: string[] = [];
    const entries = files.flatMap((file) => (file !== undefined && existsSync(file) ? entriesIn(file, mistakes) : []));
    if (mistakes.length > 0) throw new UsageError(mistakes.join("; "), "work");
    return new IgnoreList(entries, now.toISOString().slice(0, 10));
  }

  /** The entries for a property of a resource, or for all of it: those that have not ended. */
  entriesFor(resource: IgnorableResource, property?: string): IgnoreEntry[] {
    return this.#current.filter(
      (entry) =>
        matches(resource, entry) &&
        (entry.property === undefined || (property !== undefined && glob(propertyOf(entry.property)).test(property))),
    );
  }

  /** Notes that an entry has ignored something. */
  use(entry: IgnoreEntry): void {
    this.#used.add(entry);
  }

  /** The entries that have ended: what they were for is drift again. */
  get expired(): IgnoreEntry[] {
    return this.entries.filter(({ until }) => until !== undefined && until < this.today);
  }

  /** The entries that have ignored nothing. */
  get unused(): IgnoreEntry[] {
    return this.#current.filter((entry) => !this.#used.has(entry));
  }

  get #current(): IgnoreEntry[] {
    const ended = new Set(this.expired);
    return this.entries.filter((entry) => !ended.has(entry));
  }
}

/** A resource of a stack, or a record that no stack manages, which has no URN. */
export interface IgnorableResource {
  name: string;
  urn?: string;
}

function matches({ name, urn }: IgnorableResource, { resource }: IgnoreEntry): boolean {
  return glob(resource).test(resource.startsWith("urn:") ? (urn ?? "") : name);
}

/** The property that a path begins with. */
function propertyOf(path: string): string {
  return path.split(/[.[]/)[0] ?? path;
}

function entriesIn(file: string, mistakes: string[]): IgnoreEntry[] {
  const { LineCounter: Counter, parseDocument } = require("yaml") as typeof import("yaml");
  const [lines, called] = [new Counter(), basename(file)];
  let document: Document.Parsed;
  try {
    document = parseDocument(readFileSync(file, "utf8"), { lineCounter: lines });
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${reasonOf(error)})`, "work");
  }
  const [broken] = document.errors;
  if (broken) {
    const [reason = ""] = broken.message.split("\n");
    throw new UsageError(`${file} cannot be read (${reason.replace(/:$/, "")})`, "work");
  }
  const drift = document.get("drift");
  if (drift === undefined || drift === null) return [];
  const list = document.toJS() as { drift?: unknown };
  const ignore = isObject(list.drift) ? list.drift["ignore"] : undefined;
  const at = (...path: (string | number)[]): string => `${called}:${lineOf(document, lines, ["drift", ...path])}`;
  // Whatever else is below it may be somebody else's, in Pulumi.yaml.
  if (ignore === undefined || ignore === null) return [];
  if (!Array.isArray(ignore)) {
    mistakes.push(`${at("ignore")}: drift.ignore is a list of entries, each with resource and reason`);
    return [];
  }
  return ignore.flatMap((given: unknown, index): IgnoreEntry[] => {
    const wrong = mistakesIn(given).map(
      ([key, text]) => `${at("ignore", index, ...(key === undefined ? [] : [key]))}: ${text}`,
    );
    mistakes.push(...wrong);
    // Without a mistake it is one.
    return wrong.length > 0 ? [] : [{ ...(given as Omit<IgnoreEntry, "place">), place: at("ignore", index) }];
  });
}

/** Returns the mistakes of an entry, each with its key. */
function mistakesIn(entry: unknown): [key: string | undefined, text: string][] {
  if (!isObject(entry))
    return [[undefined, "an entry of drift.ignore has the keys resource and reason, and may have property and until"]];
  const unknown = Object.keys(entry).filter((key) => !keys.some((one) => one === key));
  const values = keys.flatMap((key): [string | undefined, string][] => {
    const value = entry[key];
    if (value === undefined || value === null) {
      if (key === "resource")
        return [[undefined, "an entry of drift.ignore needs a resource: a name, a URN, or either with * in it"]];
      return key === "reason" ? [[undefined, "an entry of drift.ignore needs a reason, for whoever reads it later"]] : [];
    }
    if (typeof value !== "string" || value.trim() === "") return [[key, `${key} is a text, and not empty`]];
    return key === "until" && !isDay(value) ? [[key, `until is a day such as 2026-12-31, not "${value}"`]] : [];
  });
  return [
    ...unknown.map((key): [string, string] => [key, `an entry of drift.ignore has no ${key}${suggestion(key, keys)}`]),
    ...values,
  ];
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Such as February 30.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function lineOf(document: Document.Parsed, lines: LineCounter, path: (string | number)[]): number {
  const node = document.getIn(path, true);
  const range = isObject(node) && Array.isArray(node["range"]) ? (node["range"] as number[]) : undefined;
  return range === undefined ? 1 : lines.linePos(range[0] ?? 0).line;
}
