/** Checks SARIF and JUnit reports of the same blocks against their schemas. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../../common/finding";
import { rowText } from "../../../cli/report/document";
import { toJUnit } from "../../../cli/report/junit";
import { errorText } from "../../../common/phrase";
import { toSarif } from "../../../cli/report/sarif";
import { runCommand } from "../../support/command";
import { useEmulator } from "../../support/emulator";
import { plainEnv } from "../../support/process";
import { junitFaults, parseXml, sarifFaults } from "../../support/report-schemas";
import { DeployedProgram } from "../drift-accept-support";
import { previewText, step } from "../review-support";
import { temporary } from "../../support/temporary";

interface Sarif {
  runs: {
    tool: { driver: { rules: { id: string }[] } };
    results: {
      ruleId: string;
      level: string;
      message: { text: string };
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    }[];
  }[];
}

/** The results of a valid log: rule, level, file, line and text. */
function results(log: string) {
  expect(sarifFaults(log)).toEqual([]);
  const [run] = (JSON.parse(log) as Sarif).runs;
  const rules = new Set(run?.tool.driver.rules.map(({ id }) => id));
  return (run?.results ?? []).map(({ ruleId, level, message, locations: [location] }) => {
    expect(rules).toContain(ruleId);
    const { artifactLocation, region } = location?.physicalLocation ?? {};
    return [ruleId, level, `${artifactLocation?.uri}:${region?.startLine}`, message.text];
  });
}

/** The cases of a valid report: name, outcome and text. */
function cases(report: string) {
  expect(junitFaults(report)).toEqual([]);
  const [suite] = parseXml(report).children;
  const outcomes = (suite?.children ?? []).map(({ attributes, children: [outcome] }) => [
    attributes["name"],
    outcome?.name ?? "passed",
    outcome?.text ?? "",
  ]);
  const counts = [outcomes.length, outcomes.filter(([, outcome]) => outcome === "failure").length].map(String);
  expect([suite?.attributes["tests"], suite?.attributes["failures"]]).toEqual(counts);
  return outcomes;
}

let folder: string;
beforeEach(() => (folder = temporary()));

const hostile = `<![CDATA[ ]]> & "quoted" \u0000\u001b[31m \ud800 é 😀 ##[error]`;
const subject = (name: string) => ({ noun: "", name });
const findings: readonly Finding[] = [
  {
    rule: "a/b",
    level: "error",
    subject: subject("first"),
    position: { file: "a dir/ä.ts", line: 3, column: 7 },
    text: ["fails"],
  },
  { rule: "a/c", level: "warning", subject: subject(hostile), text: [errorText(hostile)] },
  {
    rule: "a/b",
    level: "note",
    subject: subject("second"),
    text: rowText({ cells: [["left"], ["right"]], details: [["below"]] }),
  },
  { rule: "a/b", level: "skipped", subject: subject("third"), text: ["gone"] },
  { rule: "a/b", level: "passed", subject: subject("fourth"), text: ["fine"] },
];

test("a SARIF report contains each finding with its position", () => {
  mkdirSync(join(folder, ".git"));
  const project = join(folder, "stacks/office");
  mkdirSync(join(project, "sub"), { recursive: true });
  writeFileSync(join(project, "Pulumi.yaml"), "name: a\n");
  // A command can run in a subfolder of the project, and the project in a subfolder of the repository.
  expect(results(toSarif(findings, project))).toEqual([
    ["a/b", "error", "stacks/office/a%20dir/%C3%A4.ts:3", "fails"],
    ["a/c", "warning", "stacks/office/Pulumi.yaml:1", expect.stringContaining("quoted")],
    ["a/b", "note", "stacks/office/Pulumi.yaml:1", "left, right\nbelow"],
  ]);
  expect(results(toSarif(findings, join(project, "sub")))[1]?.[2]).toBe("stacks/office/Pulumi.yaml:1");
  expect(results(toSarif([], project))).toEqual([]);
});

test("a JUnit report has a case for each finding", () => {
  const outcomes = cases(toJUnit(findings));
  expect(outcomes.map(([, outcome]) => outcome)).toEqual(["failure", "failure", "passed", "skipped", "passed"]);
  expect(outcomes[0]).toEqual(["first", "failure", "a dir/ä.ts:3\nfails"]);
  expect(outcomes[1]?.[0]).toContain('<![CDATA[ ]]> & "quoted"');
  expect(cases(toJUnit([]))).toEqual([]);
});

test("`review` writes its findings to standard output or to files", async () => {
  const before = { name: "Office", matchType: "or", filters: [] };
  const stdin = previewText([step("delete", "label", "office", { id: "1", before, protect: true })]);
  const review = (...args: string[]) =>
    runCommand(["review", "--preview", "-", "--offline", ...args], { cwd: folder, env: plainEnv(), stdin });
  const { code, stdout } = await review("--sarif", "-", "--junit", "review.xml", "--markdown", "review.md");
  expect(code).toBe(0);
  const rules = results(stdout).map(([rule]) => rule);
  expect(rules).toEqual(expect.arrayContaining(["review/protected", "review/deletes"]));
  const [whole, ...judged] = cases(readFileSync(join(folder, "review.xml"), "utf8"));
  expect(whole).toEqual(["stack dev", "passed", ""]);
  expect(judged.map(([name, outcome]) => [name, outcome])).toContainEqual(["label office", "failure"]);
  expect(readFileSync(join(folder, "review.md"), "utf8")).toContain("### Endpoint monitoring, stack `dev`: 1 deleted");
  const both = await review("--sarif", "-", "--junit", "-");
  expect(both).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--sarif - and --junit - both write to standard output"),
  });
});

describe("reports of drift", () => {
  const service = useEmulator({ agents: 3 });
  let deployed: DeployedProgram;
  beforeAll(() => {
    deployed = new DeployedProgram(service);
  });
  afterAll(() => deployed.end());

  test("the JUnit report of `drift` has a case for each changed resource", async () => {
    const label = (name: string) => `new Label("${name}", { name: "${name}", matchType: "or", filters: [] });\n`;
    await deployed.deploy({ "index.ts": `import { Label } from "pulumi-endpoint-monitoring";\n${label("a")}${label("b")}` });
    await deployed.change("label", "b", { color: "#0000ff" });
    const run = await deployed.drift(["--no-unmanaged", "--junit", "drift.xml", "--sarif", "drift.sarif"]);
    expect(run).toMatchObject({ code: 2, stdout: expect.stringContaining("Drift: 1 changed") });
    const [stack, changed, ...others] = cases(deployed.text("drift.xml"));
    expect([stack, others]).toEqual([["stack dev", "passed", ""], []]);
    expect(changed?.slice(0, 2)).toEqual(["label b of stack dev", "failure"]);
    const [[rule, level, , text] = []] = results(deployed.text("drift.sarif"));
    expect([rule, level, text]).toEqual(["drift/changed", "error", expect.stringMatching(/changed label "?b"?.*\ncolor: /)]);
  });
});
