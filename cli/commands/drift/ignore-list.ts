import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Document, LineCounter } from "yaml";
import { z } from "zod";
import { explain } from "../../../provider/explain";
import { isObject } from "../../../provider/values";
import { projectFileIn } from "../../../engine/project-file";
import { reasonOf } from "../../../common/files";
import { glob } from "../../../common/glob";
import { UsageError } from "../../../common/errors";

const ignoreEntry = z.strictObject({
  /**
   * Pattern for the name or URN of a resource, or for the name of an unmanaged record. In the pattern, `*` matches any characters and `?`
   * matches one character.
   */
  resource: z.string().trim().min(1),
  /** Property or property path, such as `filters[0].values`. Without a property, the entry ignores all drift of the resource. */
  property: z.string().trim().min(1).optional(),
  reason: z.string().trim().min(1),
  /** The last day that the entry is valid, in UTC. Entries without a last day never expire. */
  until: z.iso.date("a day such as 2026-12-31").optional(),
});

/** An entry of `drift.ignore` in Pulumi.yaml or endpoint-monitoring.yaml. */
export interface IgnoreEntry extends z.output<typeof ignoreEntry> {
  /** File and line of the entry, such as `Pulumi.yaml:12`. */
  place: string;
}

/** Name of a file that may contain `drift.ignore`, in the folder of Pulumi.yaml. */
export const settingsFile = "endpoint-monitoring.yaml";

export class IgnoreList {
  readonly #used = new Set<IgnoreEntry>();

  /** @param today UTC date, such as `2026-12-31` */
  constructor(
    readonly entries: readonly IgnoreEntry[],
    private readonly today: string,
  ) {}

  /**
   * Reads the ignore list of a project.
   * @throws UsageError that lists all mistakes with their file and line
   */
  static of(folder: string, now: Date): IgnoreList {
    const files = [projectFileIn(folder), join(folder, settingsFile)];
    const mistakes: string[] = [];
    const entries = files.flatMap((file) => (file !== undefined && existsSync(file) ? entriesIn(file, mistakes) : []));
    if (mistakes.length > 0) throw new UsageError(mistakes.join("; "), "work");
    return new IgnoreList(entries, now.toISOString().slice(0, 10));
  }

  /** Returns the entries that match a resource or property and that have not expired. An unmanaged record has no URN. */
  entriesFor({ name, urn = "" }: { name: string; urn?: string }, property?: string): IgnoreEntry[] {
    return this.#current.filter((entry) => {
      const [first] = entry.property?.split(/[.[]/) ?? [];
      const isMeant = first === undefined || (property !== undefined && glob(first).test(property));
      return isMeant && glob(entry.resource).test(entry.resource.startsWith("urn:") ? urn : name);
    });
  }

  use(entry: IgnoreEntry): void {
    this.#used.add(entry);
  }

  get expired(): IgnoreEntry[] {
    return this.entries.filter(({ until }) => until !== undefined && until < this.today);
  }

  get unused(): IgnoreEntry[] {
    return this.#current.filter((entry) => !this.#used.has(entry));
  }

  get #current(): IgnoreEntry[] {
    const ended = new Set(this.expired);
    return this.entries.filter((entry) => !ended.has(entry));
  }
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
  // Other members of `drift` in Pulumi.yaml may belong to another tool.
  if (ignore === undefined || ignore === null) return [];
  if (!Array.isArray(ignore)) {
    mistakes.push(`${at("ignore")}: drift.ignore must be a list of entries, each with resource and reason`);
    return [];
  }
  return ignore.flatMap((item: unknown, index): IgnoreEntry[] => {
    // In YAML, a key without a value is null and counts as absent.
    const present = isObject(item) ? Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)) : item;
    const { data, error } = ignoreEntry.safeParse(present);
    if (data) return [{ ...data, place: at("ignore", index) }];
    const wrong = error.issues.flatMap((issue) => explain(ignoreEntry, issue, present));
    for (const { path, reason } of wrong)
      mistakes.push(`${at("ignore", index, path)}: ${path || "an entry of drift.ignore"} ${reason}`);
    return [];
  });
}

/** Returns the line of a path. If the path does not exist, the result is the line of the closest existing parent. */
function lineOf(document: Document.Parsed, lines: LineCounter, path: (string | number)[]): number {
  const node = document.getIn(path, true);
  const range = isObject(node) && Array.isArray(node["range"]) ? (node["range"] as number[]) : undefined;
  if (range === undefined) return path.length > 1 ? lineOf(document, lines, path.slice(0, -1)) : 1;
  return lines.linePos(range[0] ?? 0).line;
}
