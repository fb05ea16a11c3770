/**
 * Counts recurring style faults in the texts of the project. The check fails if a count exceeds its limit in limits.json.
 *
 *   node tools/words/check.mjs            Checks all counts, and lists the lines of each fault above its limit.
 *   node tools/words/check.mjs --lower    Writes the current counts as the new limits, unless a count is higher.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const limitsFile = join(import.meta.dirname, "limits.json");

/** Style faults with advice for the author. */
const faults = {
  "headless what": [
    /\b[Ww]hat (is|was|has|it|they|the|a|differs|stays|uses|would|only|no|does|needs|takes|starts|fails|changes)\b/g,
    "name the thing",
  ],
  "preposition and which or whose": [
    /\b(of|by|for|from|in|on|at) (which|whom)\b|\bwhose\b/g,
    'write two sentences, or use "with"',
  ],
  "is no": [/\b(is|are|was|were) (no|none|nobody)\b|\bnone of\b/g, 'write "is not a" or "does not"'],
  "alone, beside": [/\balone\b|\bbesides?\b|, else\b|, too\b/g, 'write "only", "next to", "otherwise" or "also"'],
  "verbs of saying": [
    /\b(told|tells?|says?|said|stands?|lies|mends?|bears?|goes? by|comes? to|asked for)\b/g,
    "write reports, shows, is in, fixes or requires",
  ],
  somebody: [/\b([Ss]omebody|[Nn]obody|[Ww]hoever|[Ww]hom|[Ss]omething else)\b/g, "name the user, the stack or the process"],
  "fronted clause": [/(^|[.:] |\* )(Of|Where|Beside|What|For what|By what) [a-z]/g, "put the subject first"],
  "fragment as JSDoc": [
    /\/\*\* (What|Whom|Whose|Where|Those|None|Of|As|Nothing|Which|Who) /g,
    "write a noun phrase or a sentence",
  ],
  "passive riddle": [/\b(is|are|was|were) (to be|asked|told|held|taken for|looked|had|given)\b/g, "name the actor"],
};

/** Correct phrases that the patterns would otherwise report. */
const exceptions = ["is no longer", "are no longer", "was no longer", "stands for", "what it costs"];

const isProse = (path) => path.endsWith(".md");
const isTest = (path) => path.startsWith("test/");
const isSource = (path) => /\.(ts|mjs)$/.test(path) && !isTest(path) && !/^tools\/(acceptance|bench|words)\//.test(path);
const title = /^\s*(?:test|it|describe)(?:\.each.*)?\(/;

/** The texts by group: lines of guides, lines of source files, and titles of tests. */
const groups = {
  prose: (path, line) => isProse(path) && line,
  sources: (path, line) => isSource(path) && line,
  titles: (path, line) => isTest(path) && path.endsWith(".ts") && title.test(line) && line,
};

function hits() {
  const found = Object.fromEntries(
    Object.keys(groups).map((group) => [group, Object.fromEntries(Object.keys(faults).map((f) => [f, []]))]),
  );
  const paths = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md", "*.ts", "*.mjs"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  for (const path of new Set(paths.split("\0").filter(Boolean))) {
    if (!isProse(path) && !isSource(path) && !isTest(path)) continue;
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    for (const [group, textOf] of Object.entries(groups)) {
      for (const [at, line] of lines.entries()) {
        const text = textOf(path, line);
        if (!text) continue;
        for (const [name, [pattern]] of Object.entries(faults)) {
          const start = exceptions.reduce((rest, exception) => rest.replaceAll(exception, ""), text);
          const place = `${path}:${at + 1}: ${line.trim().slice(0, 160)}`;
          found[group][name].push(...Array.from(start.matchAll(pattern), () => place));
        }
      }
    }
  }
  return found;
}

const found = hits();
const limits = JSON.parse(readFileSync(limitsFile, "utf8"));
let failures = 0;
for (const [group, byFault] of Object.entries(found)) {
  for (const [name, lines] of Object.entries(byFault)) {
    const limit = limits[group]?.[name] ?? 0;
    if (lines.length <= limit) continue;
    failures += 1;
    console.error(`Plain words: ${lines.length} times "${name}" in ${group}, at most ${limit}. Instead, ${faults[name][1]}.`);
    console.error(lines.map((line) => `  ${String(line)}`).join("\n"));
  }
}
if (failures > 0) process.exit(1);
if (process.argv.includes("--lower")) {
  const counts = Object.fromEntries(
    Object.entries(found).map(([group, byFault]) => [
      group,
      Object.fromEntries(Object.entries(byFault).map(([name, lines]) => [name, lines.length])),
    ]),
  );
  writeFileSync(limitsFile, `${JSON.stringify(counts, undefined, 2)}\n`);
}
