import { count, counted, cut, few, compareText, printable, shellWord, visible } from "../../common/text";
import { isOlder, leastOf } from "../../api/versions";

test("a shortened list shows the first words and the number of omitted words", () => {
  const words = (length: number): string[] => Array.from({ length }, (_, at) => `w${at + 1}`);
  expect([0, 1, 2, 3].map((length) => few(words(length), 2))).toEqual(["", "w1", "w1, w2", "w1, w2 and 1 more"]);
  expect(few(words(10))).toMatch(/, w10$/);
  expect(few(words(12))).toMatch(/, w10 and 2 more$/);
});

test("cut() shortens text without splitting a character", () => {
  expect([cut("abc", 3), cut("abcd", 3), cut("🐝🐝🐝", 3), cut("🐝🐝🐝🐝", 3)]).toEqual(["abc", "ab…", "🐝🐝🐝", "🐝🐝…"]);
});

test("counted() adds the singular or plural of a noun to a number", () => {
  expect([count(1_234_567), counted(1, "agent"), counted(0, "agent"), counted(2_000, "entry", "entries")]).toEqual([
    "1,234,567",
    "1 agent",
    "0 agents",
    "2,000 entries",
  ]);
});

test("text for the terminal contains no control characters", () => {
  expect(visible("a\u001b[1mb\r\n\tc\u202e\u200d")).toBe("a\\u{1b}[1mb\\r\\n\\tc\\u{202e}\u200d");
  expect(printable("a\u001b\nb\tc\u2028")).toBe("a\\u{1b}\nb\tc\\u{2028}");
});

test("shellWord() quotes a word only if the shell needs the quotes", () => {
  expect(["dev", "a/b:c", "it's", "a b", ""].map(shellWord)).toEqual(["dev", "a/b:c", "'it'\\''s'", "'a b'", "''"]);
  expect(["b", "a", "B"].toSorted(compareText)).toEqual(["B", "a", "b"]);
});

test.each([
  ["3.253.9", "3.254.0", true],
  ["3.254.0", "3.254.0", false],
  ["3.254.0", "3.254.1", true],
  ["3.254.10", "3.254.9", false],
  ["4.0.0", "3.254.0", false],
  ["3.254.0-alpha.1", "3.254.0", false],
  ["v22.19.0", "22.19.0", false],
  ["22", "22.0.1", true],
])("isOlder() reports that version %s is older than version %s: %s", (version, than, older) =>
  expect(isOlder(version, than)).toBe(older),
);

test("leastOf() returns the minimum version of a version range", () => {
  expect([">=22.19.0", "^3.254.0", "24", "any"].map(leastOf)).toEqual(["22.19.0", "3.254.0", "24", "0"]);
});
