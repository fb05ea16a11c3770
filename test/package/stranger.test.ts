/**
 * Makes five changes to the command line, each in at most two handwritten files of a copy of the sources. The copy is
 * compiled, and its command shows the change. `npm run generate` writes the affected pages.
 */
import { publishedModules } from "../support/imports";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainEnv } from "../support/process";
import { repository } from "../support/imports";
import { previewText, step } from "../cli/review-support";
import { temporary } from "../support/temporary";

interface ForeignChange {
  readonly what: string;
  /** The text to insert after a text of each file. A file without such a text is new. */
  readonly files: Readonly<Record<string, { readonly behind?: string; readonly instead?: string; readonly text: string }>>;
  readonly args: readonly string[];
  readonly code: number;
  readonly prints: string;
}

const [office, lab] = ["office", "lab"].map((name) => ({
  name,
  filters: [{ key: "machine", values: ["pc"] }],
  matchType: "and",
}));
const preview = previewText([step("update", "label", "office", { id: "1", before: office, after: lab })]);
const reviewed = ["review", "--preview", "-", "--offline"];

const changes: ForeignChange[] = [
  {
    what: "a check",
    files: {
      "plan/judge/checks.ts": { behind: "export const reviewChecks = {", text: 'retitled: "a record gets another name",' },
      "plan/judge/checks.ts ": {
        behind: "export const manyFindings: Readonly<Record<CheckName, string | undefined>> = {",
        text: 'retitled: "are retitled",',
      },
      "plan/judge/findings.ts": {
        behind: "const isRecord = Object.hasOwn(records, kindName);",
        text:
          'if (op === "update" && step.changes.some(({ property }) => property === "name")) ' +
          'add("retitled", phrase`${about} is ${strong("retitled")}`);',
      },
    },
    args: [...reviewed, "--fail-on", "retitled"],
    code: 2,
    prints: 'label "office" is retitled',
  },
  {
    what: "an output format",
    files: {
      "cli/report/csv.ts": {
        text:
          'import { type Finding, subjectText } from "../../common/finding";\n' +
          "export const toCsv = (findings: readonly Finding[]): string =>\n" +
          '  findings.map((finding) => `${finding.rule};${subjectText(finding)}\\n`).join("");\n',
      },
      "cli/report/formats.ts": {
        behind: "export const reportOptions = {",
        text: 'csv: { ...file, help: "Write what was found as CSV; - prints it" },',
      },
      "cli/report/formats.ts ": {
        behind: "Readonly<Record<FormatName, Format>> = {",
        text: 'csv: ({ findings = [] }) => (require("./csv") as typeof import("./csv")).toCsv(findings),',
      },
    },
    args: [...reviewed, "--csv", "-"],
    code: 0,
    prints: ";",
  },
  {
    what: "the display name of a resource type",
    files: { "provider/resources/label.ts": { instead: 'noun: "label",', text: 'noun: "place label",' } },
    args: reviewed,
    code: 0,
    prints: "place label office",
  },
  {
    what: "an option",
    files: {
      "cli/commands/review/options.ts": {
        behind: "const options = {",
        text: 'title: { type: "string", value: "TEXT", help: "Title of the review" },',
      },
      "cli/commands/review/run.ts": {
        behind: "const { details = false, offline = false } = values;",
        text: "if (values.title !== undefined) out.note(values.title);",
      },
    },
    args: [...reviewed, "--title", "Of the week"],
    code: 0,
    prints: "Of the week",
  },
  {
    what: "the rejection of an argument",
    files: {
      "cli/commands/verify/limits.ts": {
        behind: "export function choiceOf({ test, all }: VerifyValues): TestChoice {",
        text: 'if (test && test.length > 20) throw new UsageError("--test takes 20 names at most: take --all");',
      },
    },
    args: ["verify", ...Array.from({ length: 21 }, (_, at) => ["--test", `t${at}`]).flat()],
    code: 1,
    prints: "--test takes 20 names at most: take --all",
  },
];

let folder: string;
beforeAll(() => {
  folder = temporary();
  for (const room of publishedModules) {
    cpSync(join(repository, room), join(folder, room), { recursive: true });
  }
  cpSync(join(repository, "package.json"), join(folder, "package.json"));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  for (const [name, { behind, instead, text }] of changes.flatMap(({ files }) => Object.entries(files))) {
    const file = join(folder, name.trim());
    const place = behind ?? instead;
    const before = place === undefined ? "" : readFileSync(file, "utf8");
    if (place !== undefined && before.split(place).length !== 2) throw new Error(`${name} does not have once: ${place}`);
    writeFileSync(file, place === undefined ? text : before.replace(place, () => (behind ? `${behind}\n${text}` : text)));
  }
  const compilerOptions = { noEmit: true, types: ["node"], rootDir: "." };
  const settings = { extends: join(repository, "tsconfig.json"), compilerOptions, include: ["cli"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const bundled = ["--bundle", "--platform=node", "--packages=external", `--outfile=${join(folder, "main.cjs")}`];
  execFileSync(join(repository, "node_modules/.bin/esbuild"), [join(folder, "cli/main.ts"), ...bundled, "--log-level=error"]);
});

it("the repository compiles with all changes that this suite makes", () => {
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  expect(spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" }).stdout).toBe("");
});

it.each(changes)("a contributor changes at most two handwritten files for $what", ({ files, args, code, prints }) => {
  expect(new Set(Object.keys(files).map((file) => file.trim())).size).toBeLessThanOrEqual(2);
  const options = { cwd: folder, env: plainEnv(), input: preview, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "main.cjs"), ...args], options);
  expect(stdout + stderr).toContain(prints);
  expect(status).toBe(code);
});
