/** The completion scripts in the real shells: what they offer is what the commands take. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allOptions } from "../../cli/command/help";
import { allCommands } from "../../cli/command/list";
import { kindWords } from "../../cli/kind-words";
import { builtCommand, plainEnv } from "../support/process";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "completion-"));
  writeFileSync(join(folder, "some file.json"), "");
  // The scripts ask the command that is on the line.
  writeFileSync(join(folder, "endpoint-monitoring"), `#!/bin/sh\nexec "${process.execPath}" "${builtCommand}" "$@"\n`, {
    mode: 0o755,
  });
  for (const name of ["bash", "zsh", "fish"]) {
    writeFileSync(join(folder, name), execFileSync(process.execPath, [builtCommand, "completion", name], { env: plainEnv() }));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script in a shell, which is installed where it is missing. */
function shell(name: string, args: readonly string[], limitMs = 20_000): string {
  if (spawnSync(name, ["-c", "true"]).error) {
    const installed = spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", name], { encoding: "utf8" });
    if (installed.status !== 0) throw new Error(`${name} is not installed, and apt-get cannot install it: ${installed.stderr}`);
  }
  const run = spawnSync(name, args, {
    cwd: folder,
    env: { ...plainEnv(), HOME: folder, TERM: "xterm", PATH: `${folder}:${process.env["PATH"]}` },
    encoding: "utf8",
    timeout: limitMs,
  });
  expect(run.stderr).toBe("");
  return run.stdout;
}

/** What bash offers for the last of some words. */
function inBash(words: readonly string[]): string[] {
  const script = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _endpoint_monitoring; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return offered(shell("bash", ["--norc", "-c", script, "bash", ...words]));
}

function inFish(words: readonly string[]): string[] {
  const text = words.join(" ");
  const lines = shell("fish", ["--no-config", "-c", `source ./fish; complete -C ${JSON.stringify(text)}`]);
  return offered(lines).map((line) => line.split("\t")[0] ?? "");
}

/** What zsh makes of a tab: in a terminal of its own, as completion runs nowhere else. Each match is printed on a line of its own. */
const zshSettings = `
  PS1=; KEYTIMEOUT=1; autoload -Uz compinit; compinit -u -D; source ./zsh
  compadd() {
    if [[ \${@[(I)-[OAD]*]} -gt 0 ]]; then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -A found "$@"
    print -l -r -- "" "<<"\${^found}">>"
    builtin compadd "$@"
  }
  finished() { print -r -- "<<END>>" }
  zle -N finished
  bindkey "^X" finished`;

/** What stands on the lines that are completed, behind the command. */
const lines = (): string[] => [
  "",
  "--",
  "dri",
  ...names.map((name) => `${name} --`),
  "drift --only ",
  "review --fail-on label",
  "completion ",
  "help emu",
  "drift --only labels,dyn",
  "import --secrets some",
  "import --stack ",
];

/** Longest that the completion of all lines may take. */
const allLinesLimitMs = 150_000;

/** What zsh offers for each line: one terminal completes all, as its start takes a third of a second of CPU time. */
let offeredByZsh: Map<string, string[]> | undefined;

function inZsh(words: readonly string[]): string[] {
  const [line, typed] = [words.join(" "), lines().map((rest) => `${words[0]} ${rest}`)];
  if (!offeredByZsh) {
    writeFileSync(join(folder, "settings"), zshSettings);
    const script = `
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "source ./settings"
      for line; do
        zpty -w -n z "$line"$'\\t'$'\\x18'
        zpty -r z answer '*<<END>>'
        print -r -- "$answer"
        zpty -w -n z $'\\x15'
      done
      zpty -d z`;
    const texts = shell("zsh", ["-f", "-c", script, "zsh", ...typed], allLinesLimitMs).split("<<END>>");
    offeredByZsh = new Map(
      typed.map((one, at) => [one, [...(texts[at] ?? "").matchAll(/<<(.*?)>>/g)].map(([, word = ""]) => word)]),
    );
  }
  const found = offeredByZsh.get(line);
  if (!found) throw new Error(`${line} is not in the list of lines.`);
  return found;
}

function offered(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

const commands = allCommands();
const names = commands.map(({ name }) => name);
const flagsOf = (name: string): string[] => {
  const command = commands.find((one) => one.name === name);
  return command ? allOptions(command).map(([option]) => `--${option}`) : [];
};
const sorted = (list: readonly string[]): string[] => [...new Set(list)].toSorted();

describe.each([
  ["bash", inBash],
  ["fish", inFish],
  ["zsh", inZsh],
] as const)("%s", (_name, complete) => {
  test("offers every command, and options in its place", () => {
    expect(sorted(complete(["endpoint-monitoring", ""]))).toEqual(expect.arrayContaining(names.toSorted()));
    expect(sorted(complete(["endpoint-monitoring", "--"]))).toEqual(["--cwd", "--help", "--version"]);
    expect(complete(["endpoint-monitoring", "dri"])).toEqual(["drift"]);
  }, 180_000);

  test.each(names)("offers every option of %s", (name) => {
    expect(sorted(complete(["endpoint-monitoring", name, "--"]))).toEqual(flagsOf(name).toSorted());
  });

  test("offers the words that an option and a command take, and after a comma", () => {
    expect(sorted(complete(["endpoint-monitoring", "drift", "--only", ""]))).toEqual(kindWords.toSorted());
    expect(complete(["endpoint-monitoring", "review", "--fail-on", "label"])).toEqual(["label-in-use"]);
    expect(sorted(complete(["endpoint-monitoring", "completion", ""]))).toEqual(
      expect.arrayContaining(["bash", "fish", "zsh"]),
    );
    expect(sorted(complete(["endpoint-monitoring", "help", "emu"]))).toEqual(["emulator"]);
    expect(complete(["endpoint-monitoring", "drift", "--only", "labels,dyn"]).join()).toMatch(/dynamic-tests$/);
  });

  test("offers files where they are taken, and nothing for a name", () => {
    expect(complete(["endpoint-monitoring", "import", "--secrets", "some"]).join()).toMatch(/some\\? file\.json/);
    expect(complete(["endpoint-monitoring", "import", "--stack", ""])).toEqual([]);
  });
});

test("bash: an option and its value with = between", () => {
  expect(inBash(["endpoint-monitoring", "drift", "--only", "=", "lab"])).toEqual(["labels"]);
  expect(inBash(["endpoint-monitoring", "drift", "--only", "="]).toSorted()).toEqual(kindWords.toSorted());
});
