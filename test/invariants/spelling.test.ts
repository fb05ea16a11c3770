/** Requires American English in pages, sources and tests. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/imports";

/** British spellings by their beginning, in two halves so that this file has none. */
const british = new RegExp(
  [
    ...["behavi", "col", "fav", "hon", "neighb", "lab", "flav", "rum"].map((word) => `${word}our`),
    ...[
      "organ",
      "recogn",
      "normal",
      "serial",
      "initial",
      "summar",
      "author",
      "visual",
      "minim",
      "maxim",
      "priorit",
      "synchron",
    ].map((word) => `${word}is(?:e|ing|ation)`),
    ...["lic", "def", "off"].map((word) => `${word}ence\\b`),
    ...["cat", "anal"].map((word) => `\\b${word}(?:alogue|yse[drs]?\\b)`),
    ...["cent", "fib", "met"].map((word) => `\\b${word}res?\\b`),
    ...["labell", "travell", "modell", "signall"].map((word) => `${word}(?:ed(?!by)|ing)`),
    ...["misspe", "lea"].map((word) => `\\b${word}(?:lt|rnt)\\b`),
  ].join("|"),
  "i",
);

/** The name of a file in other packages. */
const fileOfOthers = ["LIC", "ENCE"].join("");

const isText = (path: string): boolean =>
  /\.(?:md|txt|ts|mjs|cjs|js|json|ya?ml|css|svg|go|py)$/.test(path) && !/^(?:package-lock\.json$|test\/fixtures\/)/.test(path);
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: repository, encoding: "utf8" }).split("\0");

it("no page, source or test has a British spelling", () => {
  const files = tracked.filter(isText);
  expect(files.length).toBeGreaterThan(1000);
  const lines = files.flatMap((path) =>
    readFileSync(join(repository, path), "utf8")
      .split("\n")
      .flatMap((line, at) => {
        const [word] = british.exec(line) ?? [];
        return word === undefined || word === fileOfOthers ? [] : [`${path}:${at + 1}: ${word}`];
      }),
  );
  expect(lines).toEqual([]);
});
