import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { plainEnv } from "./process";

/** A stand-in for the engine in tests about its calls: it runs a shell script and records its calls. */
export class EngineStub {
  readonly #log: string;
  readonly #bin: string;
  readonly #ends: string;

  /** @param folder its location, in `bin` @param script its body, with the arguments of the call; `answers` returns one */
  constructor(folder: string, script: string) {
    this.#bin = join(folder, "bin");
    this.#log = join(folder, "engine.log");
    mkdirSync(this.#bin, { recursive: true });
    this.#ends = join(this.#bin, "ends");
    const text = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${this.#log}'\ntrap 'echo >> "${this.#ends}"' EXIT\n${script}\n`;
    writeFileSync(join(this.#bin, "pulumi"), text, { mode: 0o755 });
  }

  /** Returns an environment whose PATH starts with it and this Node. */
  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return plainEnv({ PATH: [this.#bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), ...more });
  }

  /** All calls so far, without the arguments of each call. */
  get calls(): string[] {
    const text = existsSync(this.#log) ? readFileSync(this.#log, "utf8") : "";
    return text.trim() === ""
      ? []
      : text
          .trimEnd()
          .split("\n")
          .map((line) => line.replace(" --non-interactive --color never", ""));
  }

  /** Whether a call is running. */
  get runs(): boolean {
    const ended = existsSync(this.#ends) ? readFileSync(this.#ends, "utf8").length : 0;
    return this.calls.length > ended;
  }
}

/** Returns a script that answers each call that begins with some words, and fails for any other. */
export function answers(outputs: Record<string, unknown>): string {
  const cases = Object.entries(outputs).map(([words, answer]) => {
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    return `"${words}"*) cat <<'ANSWER'\n${text}\nANSWER\n;;`;
  });
  return `case "$*" in\n${cases.join("\n")}\n*) echo "error: not asked for: $*" >&2; exit 255;;\nesac`;
}
