import { type Block, heading, list, section, table, text } from "../../../cli/report/document";
import { Output } from "../../../cli/report/output";
import { errorText, fewNames, phrase, type Phrase, place, strong, word, words, phraseText } from "../../../common/phrase";
import { toTerminal } from "../../../cli/report/terminal";
import { silentIo } from "../../support/command";

const shown = (...blocks: Block[]): string => toTerminal(blocks, new Output(false, silentIo()));
const row = (...cells: string[]): Phrase[] => cells.map((cell) => [word(cell)]);

it("a terminal report shows each section's heading above the content", () => {
  expect(shown(heading(["Title"], 2), text(["first"], ["second"]), ...section(["Kinds"], list("kind", [["a"], ["b"]])))).toBe(
    "Title\n\nFirst\nSecond\n\nKinds\n  a\n  b",
  );
  expect(section(["Empty"], list("kind", []))).toEqual([]);
});

it("a terminal report aligns columns with marks and details", () => {
  expect(shown(table("name", ["name", "id"], [row("a", "1"), row("longer", "22")]))).toBe(
    "  name    id\n  a       1\n  longer  22",
  );
  const rows = [
    { mark: { sign: "! warning", tone: "yellow" } as const, cells: row("clock", "late"), details: [["→ set it"]] },
    { mark: { sign: "✓ ok", tone: "green" } as const, cells: row("engine", "new") },
  ];
  expect(shown({ kind: "table", noun: "check", rows })).toBe(
    "! warning  clock   late\n           → set it\n✓ ok       engine  new",
  );
  const wide = "x".repeat(60);
  expect(shown(table("name", undefined, [row("a", "b"), row(wide, "c")])).split("\n")[0]?.length).toBeLessThan(60);
});

it("a terminal report shows notes below each change", () => {
  const entry = {
    mark: { sign: "~", tone: "yellow" } as const,
    title: phrase`${strong("updated")} label ${word("office")}`,
    facts: [[place("index.ts:7")]],
    changes: [
      { property: "interval", before: "60", after: "300" },
      { property: "agents", before: "a" },
      { property: "agents", after: "b", note: " (only in the state)" },
      { property: "url", note: "secret, changed" },
    ],
    notes: [phrase`used by ${"portal"}`],
  };
  expect(shown({ kind: "entries", noun: "resource", entries: [entry] })).toBe(
    [
      "  ~  updated label office  index.ts:7",
      "      ~ interval: 60 → 300",
      "      - agents: a",
      "      + agents: b (only in the state)",
      "      ! url: secret, changed",
      '      used by "portal"',
    ].join("\n"),
  );
});

it("a terminal report shortens long text and counts omitted items", () => {
  expect(phraseText(phrase`${"a\nb"} ${1_234} ${errorText("no")}`)).toBe('"a\\nb" 1,234 no');
  expect(phraseText(phrase`${"x".repeat(200)}`)).toHaveLength(82);
  expect(phraseText(fewNames(["a", "b", "c"], 2))).toBe('"a", "b" and 1 more');
  expect(phraseText(fewNames(["a"], 1, 1_001))).toBe('"a" and 1,000 more');
  expect(phraseText(words(["a", "b"]))).toBe("a, b");
});
