import { few, ours, phrase, type Phrase, word, words } from "../../../common/phrase";
import { count, counted } from "../../../common/text";
import { peaksText } from "../../../plan/account-facts";
import type { LoadState, TestLoad } from "../../../plan/judge/review";
import { type Block, heading, list, table } from "../../report/document";

const maxNames = 10;

/** Returns blocks for Markdown that describe the load of the agents. If the change is large, the blocks about the load are folded. */
export function pageLoad(load: TestLoad, isFolded: boolean): Block[] {
  const blocks = loadBlocks(load);
  return isFolded ? [{ kind: "folded", summary: [`Load: ${loadFigures(load)}`], blocks: blocks.slice(1) }] : blocks;
}

/** Returns a string such as `Rounds an hour 216 → 108; …`. */
export function loadFigures(load: TestLoad): string {
  return loadRows(load)
    .map(([name, before, after]) => `${name} ${before === after ? after : `${before} → ${after}`}`)
    .join("; ");
}

export function loadBlocks(load: TestLoad): Block[] {
  const remarks = loadNotes(load);
  return [
    heading(phrase`Load (account group ${words(load.accountGroups)})`, 4),
    table(
      "number",
      ["", "now", "afterwards"],
      loadRows(load).map((row) => row.map(ours)),
    ),
    ...(remarks.length > 0 ? [list("note", remarks)] : []),
  ];
}

function loadRows({ before, after }: TestLoad): [string, string, string][] {
  const row = (name: string, of: (load: LoadState) => number): [string, string, string] => [
    name,
    count(of(before)),
    count(of(after)),
  ];
  const lost = (load: LoadState): number => load.rounds - load.roundsRun;
  return [
    row("Enabled agents", (load) => load.agents),
    row("Rounds an hour", (load) => load.rounds),
    ...(lost(before) + lost(after) > 0 ? [row("Skipped rounds an hour (licenses full)", lost)] : []),
    row("Agents with more tests than their license can run", (load) => load.over),
  ];
}

function loadNotes({ over, crowdedOut, licenses, notCounted, approximate }: TestLoad): Phrase[] {
  const overloaded = over.map(
    ({ name, licenseType, limit, before, after, worse }) =>
      phrase`${name} (${word(licenseType)}, at most ${limit}: ${before} → ${after}${ours(worse ? "" : ", also now")})`,
  );
  const crowded = crowdedOut.map(({ name, agents }) => phrase`${name} (${ours(counted(agents, "agent"))})`);
  const uncounted = `not counted: ${counted(notCounted, "test")} with unknown agents`;
  const chosen =
    "a test selects more agents than its maxMachines: the service chooses which agents run the test, and the load counts the first agents";
  return [
    ...(overloaded.length > 0
      ? [phrase`some agents have more tests than their license allows: ${few(overloaded, maxNames)}`]
      : []),
    ...(crowded.length > 0
      ? [
          phrase`some agents cannot run the following tests, because their license allows no more tests: ${few(crowded, maxNames)}`,
        ]
      : []),
    ...(licenses ? [ours(peaksText(licenses))] : []),
    ...(notCounted > 0 ? [ours(uncounted)] : []),
    ...(approximate ? [ours(chosen)] : []),
  ];
}
