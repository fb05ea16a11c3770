import type { Io } from "../engine/io";
import type { Output } from "./report/output";

export function canAsk(io: Io): boolean {
  // The getter `stdin` opens standard input, so the function checks standard error first.
  return io.stderr.isTTY === true && (io.stdin as NodeJS.ReadStream).isTTY;
}

/**
 * Repeats a question on the terminal until the user types an allowed response or its first letters.
 *
 * @returns the response, or undefined if the user closes standard input (Ctrl+D)
 */
export async function ask<const A extends string>(
  out: Output,
  { stdin, stderr }: Io,
  question: string,
  answers: readonly A[],
): Promise<A | undefined> {
  // A progress line on the terminal would overwrite the question.
  out.endProgress();
  for (;;) {
    stderr.write(`${question} [${answers.join("/")}] `);
    const line = await nextLine(stdin);
    if (line === undefined) return undefined;
    const typed = line.trim().toLowerCase();
    const answer = answers.find((word) => typed !== "" && word.startsWith(typed));
    if (answer !== undefined) return answer;
  }
}

function nextLine(stdin: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Standard input may have ended before the function asks the question.
    if ((stdin as NodeJS.ReadStream).readableEnded) return resolve(undefined);
    const settle = (line?: string): void => {
      stdin.off("data", onData).off("end", onEnd).pause();
      resolve(line);
    };
    const onData = (chunk: Buffer | string): void => settle(String(chunk));
    const onEnd = (): void => settle();
    stdin.on("data", onData).on("end", onEnd).resume();
  });
}
