import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Repository } from "./repository";

const realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

/** Tools with recorded environments. The shell writes each into a separate file. */
const tools = ["git", "npm", "pulumi"] as const;
/** Prefix of these files' names. */
const environmentOf = (tool: string): string => `environment-of-${tool}-`;

/** The environment that `env -0` printed. */
function envOf(text: string): Record<string, string> {
  const members = text.split("\0").filter((member) => member !== "");
  return Object.fromEntries(
    members.map((member) => [member.slice(0, member.indexOf("=")), member.slice(member.indexOf("=") + 1)]),
  );
}

/** A tool's behavior when a pipeline calls it. */
export interface Answer {
  /** @defaultValue 0 */
  code?: number;
  /** Output. */
  text?: string;
  /** Content for the file of `--markdown`. Undefined writes no file. */
  report?: string;
  /** Content for the file of `--approval`. */
  approval?: string;
  /** Content for the program with `--accept`. */
  accepted?: string;
}

/** How a process was called. */
export interface Call {
  args: string[];
  env: Record<string, string>;
}

/** Answers by subcommand, or by tool. A tool without a response succeeds silently. */
export type Answers = Partial<
  Record<"check" | "validate" | "review" | "rehearse" | "apply" | "verify" | "drift" | "pulumi" | "npm", Answer>
>;

/**
 * A repository with stubs of the job's commands, the engine and npm. Tests with it check how a pipeline uses
 * their responses.
 */
export class StubbedRepository extends Repository {
  static override async start(): Promise<StubbedRepository> {
    const repository = new StubbedRepository(...(await Repository.foundation()));
    repository.layOut();
    mkdirSync(repository.#folder);
    cpSync(join(__dirname, "stub.cjs"), repository.#stub);
    for (const tool of ["pulumi", "npm"]) repository.tool(tool, repository.#scriptOf(tool));
    repository.tool(
      "git", // Not where this test calls it. A process of Node for each call takes longer than git.
      `[ -z "$CI" ] || env -0 > "${join(repository.#folder, environmentOf("git"))}$$"\nexec ${realGit} "$@"`,
    );
    repository.command(`STUBBED_CLI="${join(__dirname, "../../../dist/cli")}" exec node "${repository.#stub}" "$@"`);
    repository.answers = {};
    repository.write("accepted.ts", "none");
    await repository.commit();
    return repository;
  }

  set answers(answers: Answers) {
    writeFileSync(join(this.#folder, "answers.json"), JSON.stringify(answers));
  }

  /** The stubs' calls since the last read, with `FILE` for changing file names. */
  calls(): string[] {
    const file = join(this.#folder, "calls.jsonl");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
    writeFileSync(file, "");
    // The stub writes lists of strings.
    return lines.map((line) =>
      (JSON.parse(line) as string[])
        .join(" ")
        .replace(/(?<=--(?:markdown|approval|approved|sarif|junit)[ =])(?!sha256:)\S+/g, "FILE"),
    );
  }

  /** Environments of the calls of each tool and of git. */
  environments(): Call[] {
    const file = join(this.#folder, "environments.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const names = readdirSync(this.#folder);
    return [
      // The stub writes this.
      ...lines.map((line) => JSON.parse(line) as Call),
      ...tools.flatMap((tool) =>
        names
          .filter((name) => name.startsWith(environmentOf(tool)))
          .map((name) => ({ args: [tool], env: envOf(readFileSync(join(this.#folder, name), "utf8")) })),
      ),
    ];
  }

  /** A stub that starts Node only for a response. Otherwise the shell records the call. */
  #scriptOf(tool: string): string {
    return [
      `folder="${this.#folder}"`,
      `if grep -q '"${tool}":' "$folder/answers.json"; then exec node "${this.#stub}" ${tool} "$@"; fi`,
      `env -0 > "$folder/${environmentOf(tool)}$$"`,
      `{ printf '["${tool}"'; for one; do printf ',"%s"' "$one"; done; printf ']\\n'; } >> "$folder/calls.jsonl"`,
    ].join("\n");
  }

  get #folder(): string {
    return join(this.root, "stub");
  }

  get #stub(): string {
    return join(this.#folder, "stub.cjs");
  }
}
