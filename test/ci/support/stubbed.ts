import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Repository } from "./repository";

/** What a tool does when a pipeline calls it. */
export interface Answer {
  /** @defaultValue 0 */
  code?: number;
  /** What it prints. */
  text?: string;
  /** What it writes into the file of `--markdown`; absent, it writes none. */
  report?: string;
}

/** Answers by subcommand of ours, or by tool. One that is not listed is done without a word. */
export type Answers = Partial<Record<"check" | "validate" | "review" | "verify" | "drift" | "pulumi" | "npm", Answer>>;

/**
 * A repository in which our command, the engine and npm are stubs: what is tested with it is what a pipeline makes of their answers.
 */
export class StubbedRepository extends Repository {
  static override async start(): Promise<StubbedRepository> {
    const repository = new StubbedRepository(...(await Repository.foundation()));
    repository.layOut();
    mkdirSync(repository.#folder, { recursive: true });
    writeFileSync(join(repository.#package, "package.json"), '{ "name": "pulumi-endpoint-monitoring" }');
    cpSync(join(__dirname, "stub.cjs"), repository.#stub);
    for (const tool of ["pulumi", "npm"]) repository.tool(tool, `exec node "${repository.#stub}" ${tool} "$@"`);
    repository.answers = {};
    await repository.commit();
    return repository;
  }

  set answers(answers: Answers) {
    writeFileSync(join(this.#folder, "answers.json"), JSON.stringify(answers));
  }

  /** How the stubs were called since the last look; files of reports, whose names change, are `REPORT`. */
  calls(): string[] {
    const file = join(this.#folder, "calls.jsonl");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
    writeFileSync(file, "");
    // The stub writes lists of texts.
    return lines.map((line) => (JSON.parse(line) as string[]).join(" ").replace(/(?<=--markdown )\S+/, "REPORT"));
  }

  get #package(): string {
    return join(this.root, "node_modules/pulumi-endpoint-monitoring");
  }

  get #folder(): string {
    return join(this.#package, "dist/cli");
  }

  /** Where `run.sh` looks for our command. */
  get #stub(): string {
    return join(this.#folder, "main.js");
  }
}
