import { Readable } from "node:stream";
import { ask, canAsk } from "../../cli/ask";
import type { Clock, Io } from "../../engine/io";
import { Output } from "../../cli/report/output";
import { silentIo } from "../support/command";

/** A terminal on which a user types lines and then ends the input. */
function terminal(lines: readonly string[], isTTY = true): { io: Io; out: Output; printed: string[]; tick: () => void } {
  const printed: string[] = [];
  const stdin = Object.assign(Readable.from(lines.map((line) => Buffer.from(line))), { isTTY });
  const ticks = new Set<() => void>();
  let now = 0;
  const clock: Clock = {
    now: () => now,
    every(_ms, listener) {
      ticks.add(listener);
      return () => void ticks.delete(listener);
    },
  };
  const io = { ...silentIo(), stdin, stderr: { isTTY: true, write: (text: string) => printed.push(text) }, clock };
  const tick = (): void => {
    now += 5_000;
    for (const listener of ticks) listener();
  };
  return { io, out: new Output(false, io), printed, tick };
}

test.each([
  [["yes\n"], "yes"],
  [["  N \n"], "no"],
  [["\n", "maybe\n", "y\n", "no\n"], "yes"],
  [["maybe\n"], undefined],
  [[], undefined],
])("a question accepts the typed lines %j as the answer %j", async (lines, answer) => {
  const { io, out } = terminal(lines);
  expect(await ask(out, io, "Import?", ["yes", "no"])).toBe(answer);
});

test("a command repeats a question until the user types one of the choices", async () => {
  const { io, out, printed } = terminal(["maybe\n", "no\n"]);
  await ask(out, io, "Import?", ["yes", "no"]);
  expect(printed).toEqual(["Import? [yes/no] ", "Import? [yes/no] "]);
});

test("progress output does not overwrite a question", async () => {
  const { io, out, printed, tick } = terminal(["yes\n"]);
  out.progress("Preparing import", "nowhere");
  tick();
  expect(printed.join("")).toContain("Preparing import");
  const answer = ask(out, io, "Import?", ["yes", "no"]);
  tick();
  expect(await answer).toBe("yes");
  expect(printed.at(-1)).toBe("Import? [yes/no] ");
});

test("a command asks a question only if standard input and standard error are terminals", () => {
  expect(canAsk(terminal([]).io)).toBe(true);
  expect(canAsk(terminal([], false).io)).toBe(false);
  expect(canAsk({ ...terminal([]).io, stderr: { write: () => undefined } })).toBe(false);
});
