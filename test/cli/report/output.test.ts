import { Output } from "../../../cli/report/output";
import type { Io } from "../../../engine/io";

/** Terminal controls: escape sequences of one and two bytes, a bell, a carriage return, and a change of text direction. */
const hostile = "a\u001b[2Jb\u009b31mc\u0007d\re\u202ef\uf8ff0123456789abcdef\uf8ff[8m";
const shown = "a\\u{1b}[2Jb\\u{9b}31mc\\u{7}d\\re\\u{202e}f\uf8ff0123456789abcdef\uf8ff[8m";

/** Control characters for a terminal, except line feeds. */
const acting = /(?!\n)[\p{Cc}\u202e]/u;
/** Red, yellow, the default color, and the end of a progress line. */
const ourSequences = new RegExp(`${String.fromCodePoint(0x1b)}\\[(?:31m|33m|39m|K)`, "g");

function terminal(): { io: Pick<Io, "stdout" | "stderr" | "env">; text: () => string } {
  let text = "";
  const stream = { isTTY: true, columns: 500, write: (part: string) => (text += part) };
  return { io: { stdout: stream, stderr: stream, env: { TERM: "xterm-256color" } }, text: () => text };
}

test.each<[string, (out: Output) => void]>([
  ["a result", (out) => out.result({}, hostile)],
  ["a note", (out) => out.note(hostile)],
  ["a warning", (out) => out.warn(hostile)],
  ["an error", (out) => out.error(hostile)],
  ["a failure", (out) => out.failure("code", hostile)],
  ["progress", (out) => out.progress(hostile)],
  ["text in color", (out) => out.note(out.paint("red", hostile, "stderr"))],
])("the output of %s escapes hostile text", (_what, say) => {
  const { io, text } = terminal();
  say(new Output(false, io));
  expect(text()).toContain(shown);
  const ownText = text().replaceAll(ourSequences, "").replace(/^\r/, "");
  expect(ownText).not.toMatch(acting);
});

test("a command prints colors if its output is a terminal", () => {
  const { io, text } = terminal();
  const out = new Output(false, io);
  out.result({}, `${out.paint("red", "one")}\n\ttwo`);
  expect(text()).toBe("\u001b[31mone\u001b[39m\n\ttwo\n");
});

test("JSON output keeps every character and escapes terminal controls", () => {
  const { io, text } = terminal();
  new Output(true, io).result({ name: hostile, tag: "\u{e0001}" }, "");
  expect(text()).not.toMatch(acting);
  expect(text()).toContain("\\udb40\\udc01");
  expect(JSON.parse(text())).toEqual({ data: { name: hostile, tag: "\u{e0001}" } });
});
