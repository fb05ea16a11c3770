import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { toTerminal } from "../../../cli/report/terminal";
import { Output } from "../../../cli/report/output";
import { table } from "../../../cli/report/document";
import { columnsOf, cutToColumns, padded } from "../../../cli/report/width";
import { silentIo } from "../../support/command";

/** Columns as Node counts them for the cursor of a prompt. */
function columnsByNode(text: string): number {
  const output = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { columns: 10_000 });
  const prompt = createInterface({ input: new PassThrough(), output, prompt: "" });
  Object.assign(prompt, { line: text, cursor: text.length });
  const { cols } = prompt.getCursorPos();
  prompt.close();
  return cols;
}

const samples = [
  "Office",
  "Zürich",
  "Zu\u0308rich",
  "東京オフィス",
  "서울 사무실",
  "ｆｕｌｌ",
  "ﾊﾝｶｸ",
  "「括弧」、",
  "👍 ok",
  "𠮷野家",
  "naïve café",
  "\u200bx\u200d",
  "→ … – ✓",
];

test.each(samples)("columnsOf() returns the same number of terminal columns for %s as Node", (text) => {
  expect(columnsOf(text)).toBe(columnsByNode(text));
});

test("an emoji sequence has a width of two terminal columns", () => {
  // Node counts the characters separately.
  expect(["👍🏽", "👨‍👩‍👧", "🇯🇵", "☎\ufe0f", "☎"].map(columnsOf)).toEqual([2, 2, 2, 2, 1]);
});

test("the columns of a terminal table are aligned", () => {
  const rows = samples.map((text) => [[text], ["next"]]);
  const lines = toTerminal([table("sample", ["Name", "Other"], rows)], new Output(false, silentIo())).split("\n");
  const starts = lines.slice(1).map((line) => columnsByNode(line.slice(0, line.lastIndexOf("next"))));
  expect(new Set(starts)).toEqual(new Set([starts[0]]));
});

test("cutting a text by terminal columns never splits a character", () => {
  expect(padded("東京", 6)).toBe("東京  ");
  expect(padded("東京", 2)).toBe("東京");
  expect(cutToColumns("東京オフィス", 5)).toBe("東京");
  expect(cutToColumns("a👨‍👩‍👧b", 2)).toBe("a");
  expect(cutToColumns("office", 3)).toBe("off");
});
