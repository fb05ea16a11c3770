import { phraseText } from "../../../../common/phrase";
import { groupFindings } from "../../../../cli/commands/review/groups";
import { reviewReport } from "../../../../cli/commands/review/report";
import { Random } from "../../../chaos/row";
import { randomPlan } from "../../../plan/random-plan";
import { amount } from "../../../support/amount";
import { offline, step, toMarkdown, toTerminal, visibleLines } from "../../review-support";

const sizes = [6, 20, 60, 300];
const limits = [1, 6, 30];

/** Reviews of random plans, with their texts. */
const reviews = Array.from({ length: amount(24, 1_000) }, (_, seed) => {
  const random = new Random(seed);
  const judgement = offline(randomPlan(random, random.of(sizes)));
  const { findings, changes } = judgement;
  const byUrn = new Map(changes.map((change) => [change.urn, change]));
  return {
    seed,
    terminal: toTerminal(judgement, false, 80),
    page: toMarkdown(judgement),
    findings: findings.length,
    groups: limits.map((limit) => groupFindings(findings, byUrn, limit)),
  };
});

/** Returns the number of items in a list, including those that its tail counts, such as `… and 3 more findings: deletes (2)`. */
function countIn(text: string, noun: string): { shown: number; total: number; tallied: number } {
  const [, total = "0", tally = ""] =
    new RegExp(`… and ([\\d,]+) more ${noun}s?(?:: (.*))?`).exec(text.replaceAll(/\n +/g, " ")) ?? [];
  const tallied = [...tally.matchAll(/\(([\d,]+)\)/g)].reduce(
    (sum, [, count = ""]) => sum + Number(count.replaceAll(",", "")),
    0,
  );
  return { shown: 0, total: Number(total.replaceAll(",", "")), tallied };
}

test("the review of any plan has at most 25 lines of 80 columns", () => {
  for (const { seed, terminal } of reviews) {
    const lines = terminal.trimEnd().split("\n");
    expect([seed, lines.length <= 25]).toEqual([seed, true]);
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(" "))).toEqual([]);
  }
});

test("the Markdown review of any plan has at most 60 visible lines", () => {
  for (const { seed, page } of reviews) {
    expect([seed, visibleLines(page).length <= 60, page.length < 65_536]).toEqual([seed, true, true]);
  }
});

test("a shortened list in the review counts the omitted items by check or outcome", () => {
  let tails = 0;
  for (const { seed, terminal } of reviews) {
    const [, findings = "", resources = ""] = /Findings[^\n]*\n([^]*?)\n\n([^]*)$/.exec(terminal) ?? [];
    for (const [part, noun] of [
      [findings, "finding"],
      [resources, "resource"],
    ] as const) {
      const { total, tallied } = countIn(part, noun);
      tails += total > 0 ? 1 : 0;
      expect([seed, noun, tallied]).toEqual([seed, noun, total]);
    }
  }
  expect(tails).toBeGreaterThan(20);
});

test("each finding appears in exactly one line of the review", () => {
  for (const { seed, findings, groups } of reviews) {
    for (const lines of groups) {
      expect([seed, lines.reduce((sum, { count = 1 }) => sum + count, 0)]).toEqual([seed, findings]);
      for (const { count, text } of lines.filter((line) => line.count !== undefined)) {
        const numbers =
          phraseText(text)
            .split(/ (?:are|have|get|select|move|run) /)[0]
            ?.match(/\d+/g) ?? [];
        expect(numbers.reduce((sum, number) => sum + Number(number), 0)).toBe(count);
      }
    }
  }
});

test("the review shows a rename as one entry, not as a deletion", () => {
  const record = (name: string) => ({ testName: name, url: `https://${name}.example.com`, interval: 60 });
  const judgement = offline([
    step("delete", "httpServerTest", "old", { id: "7", before: record("portal") }),
    step("create", "httpServerTest", "new", { after: record("portal") }),
  ]);
  expect(judgement.review.renames).toEqual([
    expect.objectContaining({ from: expect.objectContaining({ name: "old", id: "7" }), alias: '{ name: "old" }', fails: true }),
  ]);
  expect(judgement.review.groups.map(({ outcome }) => outcome)).toEqual(["rename"]);
  const text = toTerminal(judgement);
  expect(text).toContain("Findings (1)");
  expect(text).toContain("the update will fail");
  // The data keeps both findings, so that --fail-on deletes still stops the change.
  expect(judgement.findings.map(({ rule }) => rule)).toEqual(["renamed", "deletes"]);
});

test("the review that `drift --fix` prints gives no advice about merging", () => {
  const judgement = offline(randomPlan(new Random(1), 60));
  const shown = (options: Parameters<typeof reviewReport>[1]): string =>
    JSON.stringify(reviewReport(judgement, options).blocks("terminal"));
  expect(shown({})).toContain("Before merging:");
  const announced = shown({ isDecided: true, hint: "See drift --details." });
  expect(announced).not.toContain("Before merging:");
  expect(announced).toContain("See drift --details.");
});
