import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "../../../api";
import { helpOf } from "../../../cli/command/help";
import { allCommands, commands } from "../../../cli/command/list";
import { topics } from "../../../cli/command/topics";
import { checkNames } from "../../../plan/judge/checks";
import { nearest } from "../../../api/error-text";
import { runCommand } from "../../support/command";
import { temporary } from "../../support/temporary";

const root = join(__dirname, "../../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const topicNames = Object.keys(topics);

test.each([["--version"], ["-v"], ["version"]])("the command %s prints only the package's version", async (word) => {
  expect(await runCommand([word])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  const { stdout } = await runCommand([word, "--json"]);
  expect(JSON.parse(stdout)).toEqual({ data: { version } });
});

test.each(allCommands().map(({ name }) => name))("the command help %s prints the same text as --help", async (name) => {
  const help = await runCommand(["help", name]);
  const same = await runCommand([name, "--help"]);
  expect(help).toEqual(same);
  expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(`Usage: endpoint-monitoring ${name}`) });
});

test("the help of each command lists examples, options and exit codes in short lines", () => {
  for (const command of allCommands()) {
    const help = helpOf(command);
    const options = Object.keys(command.options).map((name) => `--${name}`);
    const codes = Object.keys(command.exitCodes ?? {}).map((code) => `\n  ${code} `);
    const parts = ["Examples:\n  ", ...options, ...codes];
    expect([command.name, parts.filter((part) => !help.includes(part))]).toEqual([command.name, []]);
    expect(help.split("\n").filter((line) => line.length > 110)).toEqual([]);
  }
});

test("the command prints its help if the arguments are empty, help, --help or -h", async () => {
  const help = await runCommand([]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  for (const line of [["help"], ["--help"], ["-h"]]) expect(await runCommand(line)).toEqual(help);
  for (const { name, summary } of allCommands())
    expect(help.stdout.replaceAll(/ {2,}/g, "  ")).toContain(`\n  ${name}  ${summary}\n`);
  const { stdout } = await runCommand(["help", "drift", "--json"]);
  expect(JSON.parse(stdout).data.help).toContain("Usage: endpoint-monitoring drift");
});

test("the help lists the commands in five groups: start, develop, deploy, operate, tools", async () => {
  const { stdout } = await runCommand([]);
  expect(stdout.match(/^[A-Z]\w+(?=:$)/gm)).toEqual(["Start", "Develop", "Deploy", "Operate", "Tools", "Topics"]);
  expect(commands.groups().flatMap(([, tables]) => tables)).toEqual(allCommands());
});

test("each command has a summary of at most 60 characters", () => {
  const summaries = [...allCommands(), ...Object.values(topics)].map(({ summary }) => summary);
  expect(summaries.filter((summary) => summary.length > 60)).toEqual([]);
});

test.each(topicNames)("the help topic %s has lines of at most 110 characters", async (name) => {
  const { code, stdout, stderr } = await runCommand(["help", name]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n").filter((line) => line.length > 110)).toEqual([]);
  expect((await runCommand(["drift", "--help"])).stdout).toMatch(new RegExp(`Help topics: .*\\b${name}\\b`));
});

test("the help topics list all checks, settings, exit codes and members of the --json output", async () => {
  const text = async (name: string) => (await runCommand(["help", name])).stdout;
  for (const word of checkNames) expect(await text("checks")).toMatch(new RegExp(`^  ${word} `, "m"));
  for (const { env } of Object.values(settings)) expect(await text("environment")).toMatch(new RegExp(`^  ${env}$`, "m"));
  const [codes, json] = [await text("exit-codes"), await text("json")];
  for (const { name, exitCodes = {} } of allCommands())
    for (const code of Object.keys(exitCodes).filter((exitCode) => Number(exitCode) > 1))
      expect(codes).toContain(`\n  ${name} ${code} `);
  for (const { name } of allCommands().filter((command) => command.json !== undefined)) expect(json).toContain(`\n  ${name} `);
  const help = allCommands().map((command) => helpOf(command));
  expect(
    help.filter((helpText) => helpText.includes("interrupted") || checkNames.every((word) => helpText.includes(word))),
  ).toEqual([]);
});

test('the help topic "environment" lists every variable that the CI jobs read', async () => {
  const sources = globSync("cli/commands/ci/*.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join();
  const read = new Set(sources.match(/\b(?:ENDPOINT_MONITORING_[A-Z_]+|APPROVED|OVERRIDE_REASON)\b/g));
  const { stdout } = await runCommand(["help", "environment"]);
  for (const name of read) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
});

const tryHelp = (name = "") => `Try "endpoint-monitoring${name && ` ${name}`} --help".`;

test.each<[string[], string]>([
  [["drfit"], `endpoint-monitoring: Unknown command "drfit" (did you mean drift?). ${tryHelp()}`],
  [["--versoin"], `endpoint-monitoring: Unknown command "--versoin" (did you mean --version?). ${tryHelp()}`],
  [["frobnicate"], `endpoint-monitoring: Unknown command "frobnicate". ${tryHelp()}`],
  [["help", "valdate"], `endpoint-monitoring: Unknown command or topic "valdate" (did you mean validate?). ${tryHelp()}`],
  [["help", "exit-code"], `endpoint-monitoring: Unknown command or topic "exit-code" (did you mean exit-codes?). ${tryHelp()}`],
  [["help", "frobnicate"], `endpoint-monitoring: Unknown command or topic "frobnicate". ${tryHelp()}`],
  [["help", "drift", "review"], `endpoint-monitoring: Unexpected argument "review". ${tryHelp()}`],
  [["import", "--agent"], `endpoint-monitoring import: Unknown option --agent (did you mean --agents?). ${tryHelp("import")}`],
  [["check", "--stak=dev"], `endpoint-monitoring check: Unknown option --stak (did you mean --stack?). ${tryHelp("check")}`],
  [["check", "--frob"], `endpoint-monitoring check: Unknown option --frob. ${tryHelp("check")}`],
  [["check", "-x"], `endpoint-monitoring check: Unknown option -x. ${tryHelp("check")}`],
  [["check", "-s"], `endpoint-monitoring check: -s requires a value: -s NAME. ${tryHelp("check")}`],
  [["check", "--stack"], `endpoint-monitoring check: --stack requires a value: --stack NAME. ${tryHelp("check")}`],
  [
    ["check", "--stack", "--json"],
    "endpoint-monitoring check: --stack requires a value, but --json looks like an option. To pass --json as the value, write --stack=--json. " +
      tryHelp("check"),
  ],
  [["init", "--native=yes"], `endpoint-monitoring init: --native does not take a value. ${tryHelp("init")}`],
  [["init", "folder"], `endpoint-monitoring init: Unexpected argument "folder". ${tryHelp("init")}`],
  [["-C", "/nowhere", "check"], "endpoint-monitoring check: The folder /nowhere does not exist."],
  [["-C"], `endpoint-monitoring: Unknown command "-C". ${tryHelp()}`],
])("the command reports the mistake in the arguments %j in one line", async (args, line) => {
  const { code, stdout, stderr } = await runCommand(args);
  const text = args.includes("--json") ? JSON.parse(stdout).error.message : stderr.trimEnd();
  expect([code, text]).toEqual([1, line]);
});

test.each<[string[]]>([
  [["-C", "project", "validate"]],
  [["validate", "-C", "project"]],
  [["--cwd=project", "validate"]],
  [["-Cproject", "validate"]],
])("the command runs in another folder with the arguments %j", async (args) => {
  const folder = temporary();
  mkdirSync(join(folder, "project"));
  writeFileSync(join(folder, "project/Pulumi.yaml"), "name: p\nruntime: go\n");
  const { stderr } = await runCommand(args, { cwd: folder });
  expect(stderr).toContain("The project's runtime is go, but this command requires nodejs");
});

test("every command that accepts --stack also accepts -s", () => {
  const stacks = allCommands().flatMap(({ options }) => options["stack"] ?? []);
  expect(stacks.map(({ short }) => short)).toEqual(stacks.map(() => "s"));
  expect(stacks.length).toBeGreaterThan(8);
});

test.each([
  ["improt", "import"],
  ["REVIEW", "review"],
  ["chck", "check"],
  ["chheck", "check"],
  ["x", undefined],
  ["", undefined],
  ["vrfyy", undefined],
])("the message about the unknown command %j suggests the command %j", (word, meant) => {
  expect(nearest(word, ["import", "validate", "review", "drift", "verify", "check", "emulator"])).toBe(meant);
});
