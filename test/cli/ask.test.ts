import { Readable } from "node:stream";
import { ask, canAsk } from "../../cli/ask";
import type { Io } from "../../cli/io";
import { silentIo } from "../support/command";

/** A terminal on which a user types some lines, and then ends the input. */
function terminal(lines: readonly string[], isTTY = true): { io: Io; printed: string[] } {
  const printed: string[] = [];
  const stdin = Object.assign(Readable.from(lines.map((line) => Buffer.from(line))), { isTTY });
  return { io: { ...silentIo(), stdin, stderr: { isTTY: true, write: (text) => printed.push(text) } }, printed };
}

test.each([
  [["yes\n"], "yes"],
  [["  N \n"], "no"],
  [["\n", "maybe\n", "y\n", "no\n"], "yes"],
  [["maybe\n"], undefined],
  [[], undefined],
])("the lines %j are the answer %j", async (lines, answer) => {
  expect(await ask(terminal(lines).io, "Import?", ["yes", "no"])).toBe(answer);
});

test("a question is repeated until the answer is one of those that it shows", async () => {
  const { io, printed } = terminal(["maybe\n", "no\n"]);
  await ask(io, "Import?", ["yes", "no"]);
  expect(printed).toEqual(["Import? [yes/no] ", "Import? [yes/no] "]);
});

test("questions need a terminal for both input and messages", () => {
  expect(canAsk(terminal([]).io)).toBe(true);
  expect(canAsk(terminal([], false).io)).toBe(false);
  expect(canAsk({ ...terminal([]).io, stderr: { write: () => undefined } })).toBe(false);
});
