import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Repository } from "./repository";

const realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

/** What a tool does when a pipeline calls it. */
export interface Answer {
  /** @defaultValue 0 */
  code?: number;
  /** What it prints. */
  text?: string;
  /** What it writes into the file of `--markdown`; absent, it writes none. */
  report?: string;
  /** What it writes into the file of `--approval`. */
  approval?: string;
  /** What it writes into the program with `--accept`. */
  accepted?: string;
}

/** How a process was called. */
export interface Call {
  args: string[];
  env: Record<string, string>;
}

/** Answers by subcommand of ours, or by tool. One that is not listed is done without a word. */
export type Answers = Partial<
  Record<"check" | "validate" | "review" | "rehearse" | "apply" | "verify" | "drift" | "pulumi" | "npm", Answer>
>;

/**
 * A repository in which the commands that a job runs, the engine and npm are stubs: what is tested with it is what a pipeline makes of their
 * answers.
 */
export class StubbedRepository extends Repository {
  static override async start(): Promise<StubbedRepository> {
    const repository = new StubbedRepository(...(await Repository.foundation()));
    repository.layOut();
    mkdirSync(repository.#folder);
    cpSync(join(__dirname, "stub.cjs"), repository.#stub);
    for (const tool of ["pulumi", "npm"]) repository.tool(tool, `exec node "${repository.#stub}" ${tool} "$@"`);
    repository.tool(
      "git", // Not where this test calls it.
      `[ -z "$CI" ] || "${process.execPath}" "${repository.#stub}" git "$@"\nexec ${realGit} "$@"`,
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

  /** How the stubs were called since the last look; files, whose names change, are `FILE`. */
  calls(): string[] {
    const file = join(this.#folder, "calls.jsonl");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
    writeFileSync(file, "");
    // The stub writes lists of texts.
    return lines.map((line) =>
      (JSON.parse(line) as string[])
        .join(" ")
        .replace(/(?<=--(?:markdown|approval|approved|sarif|junit)[ =])(?!sha256:)\S+/g, "FILE"),
    );
  }

  /** Environments in which each of them, and git, was called. */
  environments(): Call[] {
    const file = join(this.#folder, "environments.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    // The stub writes this.
    return lines.map((line) => JSON.parse(line) as Call);
  }

  get #folder(): string {
    return join(this.root, "stub");
  }

  get #stub(): string {
    return join(this.#folder, "stub.cjs");
  }
}
