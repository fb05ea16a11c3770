import type { Io } from "../engine/io";
import type { Output } from "./report/output";

/** Whether a user can answer questions: input and messages are on a terminal. */
export function canAsk(io: Io): boolean {
  // Standard input is opened only if there is a terminal to ask on.
  return io.stderr.isTTY === true && (io.stdin as NodeJS.ReadStream).isTTY;
}

/**
 * Asks on the terminal until the user types one of some answers, by its first letter.
 *
 * @returns the answer; undefined if the user ends the input (Ctrl+D)
 */
export async function ask<const A extends string>(
  out: Output,
  { stdin, stderr }: Io,
  question: string,
  answers: readonly A[],
): Promise<A | undefined> {
  // A line of progress would replace the question.
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

/** The next line of a terminal, which hands on whole lines. */
function nextLine(stdin: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The input may have ended while no question was open.
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
