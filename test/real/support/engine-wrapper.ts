import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * A wrapper on the PATH around the real engine. It can report another version, hang in a command, or hide a variable, and
 * records its calls.
 */
export class EngineWrapper {
  readonly #log: string;
  readonly #path = process.env["PATH"];

  constructor(folder: string, { version, stuckIn, without }: { version?: string; stuckIn?: string; without?: string } = {}) {
    const bin = join(folder, "bin");
    this.#log = join(folder, "engine.log");
    const real = execFileSync("which", ["pulumi"], { encoding: "utf8" }).trim();
    mkdirSync(bin, { recursive: true });
    const script = [
      "#!/bin/sh",
      `printf '%s\\n' "$*" >> '${this.#log}'`,
      ...(version === undefined ? [] : [`if [ "$1" = version ]; then echo v${version}; exit 0; fi`]),
      ...(stuckIn === undefined ? [] : [`if [ "$1" = ${stuckIn} ]; then exec sleep 60; fi`]),
      ...(without === undefined ? [] : [`unset ${without}`]),
      `exec '${real}' "$@"\n`,
    ];
    writeFileSync(join(bin, "pulumi"), script.join("\n"));
    chmodSync(join(bin, "pulumi"), 0o755);
    process.env["PATH"] = `${bin}${delimiter}${this.#path}`;
  }

  /** All calls so far with their arguments. */
  get calls(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, "utf8") : "";
  }

  end(): void {
    process.env["PATH"] = this.#path;
  }
}
