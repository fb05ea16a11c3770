/** Compares the texts of a review about twelve changes to a program with 400 tests with golden files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRenameEdits } from "../../cli/commands/review/rename-edits";
import { apps, teamChanges, teamProgram, teamSteps } from "../plan/team-program";
import { runCommand } from "../support/command";
import { plainEnv } from "../support/process";
import { offline, previewText, toMarkdown, toTerminal, visibleLines } from "../cli/review-support";
import { temporary } from "../support/temporary";

const golden = join(__dirname, "../cli/golden/team");

/** The program's source after an application's rename: each test in a loop, on the line that the steps name. */
const source = [
  "\n\nfor (const site of sites) {\nnew EndpointAgentTag(site, {});\n}\n\n\n",
  "for (const site of sites) {",
  ...apps.map((app) => `new HttpServerTest(\`${app === "hr" ? "people" : app}-\${site}\`, {});`),
  "}",
].join("\n");
let folder: string;
beforeAll(() => {
  folder = temporary();
  writeFileSync(join(folder, "index.ts"), source);
});

/** Matches the beginning of a row, an item, a resource with its properties, or a heading. Properties begin with a small letter. */
const parts = /\n(?=\*\*|\||#|<|- [^a-z])/;

/** Replaces all parts but the first two of a run of different parts that are equal without their numbers. */
function abbreviated(text: string): string {
  const runs: { form: string; texts: string[] }[] = [];
  for (const part of text.split(parts)) {
    const form = part.replaceAll(/\d+/g, "#");
    const last = runs.at(-1);
    if (last?.form === form && !last.texts.includes(part)) last.texts.push(part);
    else runs.push({ form, texts: [part] });
  }
  const shown = runs.flatMap(({ texts }) =>
    texts.length > 3 ? [...texts.slice(0, 2), `(${texts.length - 2} more parts of this form)\n`] : texts,
  );
  return shown.join("\n");
}

/** Number of lines in a terminal of 80 columns. */
function linesAt80(text: string): number {
  return text
    .trimEnd()
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
}

test.each(Object.keys(teamChanges))(
  "the review of the change %s fits into 25 terminal lines and 60 visible Markdown lines",
  async (name) => {
    const judged = offline(teamSteps(teamProgram(), teamChanges[name]?.() ?? []));
    const judgement = await withRenameEdits(judged, folder);
    const [terminal, markdown] = [toTerminal(judgement, false, 80), toMarkdown(judgement)];
    for (const [form, text] of [
      ["txt", terminal],
      ["md", abbreviated(markdown)],
    ] as const) {
      const file = join(golden, `${name}.${form}`);
      if (process.env["UPDATE_GOLDEN"] !== undefined || !existsSync(file)) {
        mkdirSync(golden, { recursive: true });
        writeFileSync(file, text);
      }
      expect(text).toBe(readFileSync(file, "utf8"));
    }
    expect(linesAt80(terminal)).toBeLessThanOrEqual(25);
    expect(visibleLines(markdown).length).toBeLessThanOrEqual(60);
    expect(markdown.length).toBeLessThan(65_536);
  },
);

describe("review with limits such as --max-replacements", () => {
  const stdin = previewText(teamSteps(teamProgram(), teamChanges["site-dropped"]?.() ?? []));
  const review = (...args: string[]) =>
    runCommand(["review", "--preview", "-", "--offline", ...args], { cwd: folder, env: plainEnv(), stdin });

  test.each([
    [["--max-histories-lost", "9"], 2, "10 tests lose their result history (--max-histories-lost 9)"],
    [["--max-histories-lost", "10"], 0, "Deletes 1 tag (site-40) and 10 HTTP server tests (*-site-40)"],
    [["--max-histories-lost", "0", "--fail-on", "none"], 2, "10 tests lose their result history (--max-histories-lost 0)"],
    [["--max-replacements", "0"], 0, "Deletes 1 tag (site-40) and 10 HTTP server tests (*-site-40)"],
    [["--max-load", "100"], 2, "the test load is not known, so --max-load 100 cannot be checked"],
  ] as const)("review with %j exits with code %d", async (args, code, text) => {
    const run = await review(...args);
    expect([run.code, run.stdout]).toEqual([code, expect.stringContaining(text)]);
  });

  test("review refuses a limit that is not a number", async () => {
    expect(await review("--max-replacements", "few")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--max-replacements takes a number"),
    });
  });
});
