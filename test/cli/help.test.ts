/** `--version`, `help`, and what a command line with a slip of the keyboard is answered with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../../cli/command/list";
import { nearest } from "../../api/error-text";
import { runCommand } from "../support/command";

const { version } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as { version: string };

test("--version prints the version of the package, and nothing else", async () => {
  expect(await runCommand(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  const { stdout } = await runCommand(["--version", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ data: { version } });
});

test.each(allCommands().map(({ name }) => name))("help %s prints what --help does", async (name) => {
  const help = await runCommand(["help", name]);
  const same = await runCommand([name, "--help"]);
  expect(help).toEqual(same);
  expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(`Usage: endpoint-monitoring ${name}`) });
});

test("help alone prints the list of commands, as --help does; --json prints it as one object", async () => {
  const help = await runCommand(["help"]);
  expect(help).toEqual(await runCommand(["--help"]));
  for (const { name, summary } of allCommands())
    expect(help.stdout.replaceAll(/ {2,}/g, "  ")).toContain(`\n  ${name}  ${summary}\n`);
  const { stdout } = await runCommand(["help", "drift", "--json"]);
  expect(JSON.parse(stdout).data.help).toContain("Usage: endpoint-monitoring drift");
});

test.each<[string[], string]>([
  [["drfit"], 'endpoint-monitoring: Unknown command "drfit" (did you mean drift?). Try "endpoint-monitoring --help".'],
  [["emulater"], 'endpoint-monitoring: Unknown command "emulater" (did you mean emulator?). Try "endpoint-monitoring --help".'],
  [
    ["--versoin"],
    'endpoint-monitoring: Unknown command "--versoin" (did you mean --version?). Try "endpoint-monitoring --help".',
  ],
  [["frobnicate"], 'endpoint-monitoring: Unknown command "frobnicate". Try "endpoint-monitoring --help".'],
  [[], 'endpoint-monitoring: No command given. Try "endpoint-monitoring --help".'],
  [
    ["help", "valdate"],
    expect.stringMatching(
      /^endpoint-monitoring help: It takes init, dev, import.*, not "valdate" \(did you mean validate\?\)\. Try /,
    ),
  ],
  [
    ["help", "frobnicate"],
    expect.stringMatching(/^endpoint-monitoring help: It takes init, dev, import.*, not "frobnicate"\. Try /),
  ],
  [
    ["completion"],
    'endpoint-monitoring completion: A word is missing: bash, zsh, fish. Try "endpoint-monitoring completion --help".',
  ],
  [
    ["help", "drift", "review"],
    'endpoint-monitoring help: One word is enough, but there is "review", too. Try "endpoint-monitoring help --help".',
  ],
  [
    ["drift", "--markdwon", "x"],
    "endpoint-monitoring drift: Unknown option '--markdwon' (did you mean --markdown?). Try \"endpoint-monitoring drift --help\".",
  ],
  [
    ["import", "--agent"],
    "endpoint-monitoring import: Unknown option '--agent' (did you mean --agents?). Try \"endpoint-monitoring import --help\".",
  ],
  [
    ["check", "--stak=dev"],
    "endpoint-monitoring check: Unknown option '--stak' (did you mean --stack?). Try \"endpoint-monitoring check --help\".",
  ],
  [["check", "--frob"], "endpoint-monitoring check: Unknown option '--frob'. Try \"endpoint-monitoring check --help\"."],
  [
    ["completion", "powershell"],
    'endpoint-monitoring completion: It takes bash, zsh, fish, not "powershell". Try "endpoint-monitoring completion --help".',
  ],
])("%j is a mistake in a line, with what was probably meant", async (args, line) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stdout, stderr: stderr.trimEnd() }).toEqual({ code: 1, stdout: "", stderr: line });
});

test.each([
  ["improt", "import"],
  ["REVIEW", "review"],
  ["chck", "check"],
  ["chheck", "check"],
  ["x", undefined],
  ["", undefined],
  ["vrfyy", undefined],
])("the nearest command to %j is %j", (given, meant) => {
  expect(nearest(given, ["import", "validate", "review", "drift", "verify", "check", "emulator"])).toBe(meant);
});
