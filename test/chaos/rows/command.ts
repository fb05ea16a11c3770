/** Runs our commands in this process, for rows. */
import { Readable } from "node:stream";
import type { Io, TextStream } from "../../../engine/io";
import { main } from "../../../cli/run";
import { messageProblems } from "../../support/fuzz";
import type { CaseResult } from "../row";

/** Runs a command and checks that it ended with a documented exit code, and without a bug. */
export async function judged(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  secret: string,
): Promise<CaseResult> {
  let printed = "";
  let failed = "";
  const stdout: TextStream = { write: (text) => (printed += text) !== "" };
  const stderr: TextStream = { write: (text) => (failed += text) !== "" };
  const io: Io = { stdout, stderr, stdin: Readable.from([]), env, cwd, onInterrupt: () => () => undefined };
  const code = await main(args, io);
  const wrong = messageProblems(`${failed} `, secret).filter((problem) => problem !== "says nothing");
  if (failed.includes("This is a bug")) wrong.push(`a bug: ${failed.slice(-900).replaceAll("\n", " | ")}`);
  if (![0, 1, 2].includes(code)) wrong.push(`ended with ${code}`);
  if (code === 1 && failed.trim() === "") wrong.push("failed and says nothing");
  return { reported: code === 1, wrong };
}
