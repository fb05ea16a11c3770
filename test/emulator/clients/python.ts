/** A Python with the packages of a requirements file, installed once on this machine. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Time limit of one installation step. */
const stepLimitMs = 240_000;

/** Time limit of a suite's setup, which may call apt. */
export const installLimitMs = 3 * stepLimitMs;

const missing = "Packages of Python are missing: this test needs Python 3.9 or newer with pip (Debian: python3-venv)";

/** How to start Python with the packages. */
export interface Python {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns Python with the official client. @throws Error of one line */
export function officialClient(): Python {
  return pythonWith(join(__dirname, "requirements.txt"));
}

/**
 * Returns Python with the packages of a requirements file, installed into a cache folder of this user.
 *
 * @throws Error of one line
 */
export function pythonWith(requirements: string): Python {
  const python = process.env["TEST_PYTHON"] ?? "python3";
  if (!works(python, ["--version"])) installByApt();
  if (!works(python, ["--version"])) throw new Error(`${missing}; ${python} does not start.`);
  return packagesFor(python, requirements);
}

function packagesFor(python: string, requirements: string): Python {
  const version = output(python, ["-c", "import platform; print(platform.python_version(), platform.machine())"]);
  const key = createHash("sha256")
    .update(version + readFileSync(requirements, "utf8"))
    .digest("hex");
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "pulumi-endpoint-monitoring", `python-${key.slice(0, 16)}`);
  const command = { command: python, env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" } };
  if (existsSync(folder)) return command;

  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    installInto(draft, python, requirements);
    // Another run may have finished first.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return command;
}

/**
 * `--target` works without a virtual environment. Debian's Python may lack the tool for one, and reject packages next to its
 * own.
 */
function installInto(folder: string, python: string, requirements: string): void {
  const pip = ["-m", "pip"];
  if (!works(python, [...pip, "--version"])) installByApt();
  const install = [...pip, "install", "--quiet", "--disable-pip-version-check", "--no-input", "--target", folder];
  try {
    output(python, [...install, "--requirement", requirements]);
  } catch (error) {
    throw new Error(`${missing}; pip failed: ${reasonOf(error)}`, { cause: error });
  }
}

function installByApt(): void {
  if (process.getuid?.() !== 0) throw new Error(`${missing} (only root can install it here).`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { timeout: stepLimitMs, stdio: "ignore", env } as const;
  try {
    execFileSync("apt-get", ["update"], options);
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "python3", "python3-pip", "python3-venv"], options);
  } catch (error) {
    throw new Error(`${missing} (apt-get failed: ${reasonOf(error)}).`, { cause: error });
  }
}

function works(command: string, args: readonly string[]): boolean {
  try {
    output(command, args);
    return true;
  } catch {
    return false;
  }
}

function output(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", timeout: stepLimitMs, stdio: ["ignore", "pipe", "pipe"] });
}

/** Returns the most informative line of a failed command: the last one on standard error. */
function reasonOf(error: unknown): string {
  // execFileSync puts the command's output into its error.
  const printed = (error as { stderr?: string | null }).stderr;
  const lines = (printed ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.at(-1) ?? (error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
}
