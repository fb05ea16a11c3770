import { type Block, heading, list, type Report, section, text } from "../report/document";
import { errorText, ours, type Phrase, phrase, place, word, words } from "../report/phrase";
import { counted } from "../report/text";
import type { FrontReport, MovePreview } from "./front";

const maxNames = 10;

/** A report of a move to another front as it is shown. */
export function frontDocument(report: FrontReport): Report {
  return { data: report, blocks: () => blocksOf(report) };
}

function blocksOf({ to, state, files, left, stack, preview, otherStacks, next }: FrontReport): Block[] {
  const others = phrase`Stack ${words(otherStacks)} runs the same program: it needs an update, too.`;
  return [
    heading([summaryOf(to, state, files.length)], 2),
    ...files.flatMap(({ path, changes }): Block[] => [
      {
        kind: "entries",
        noun: "file",
        entries: [
          {
            mark: { sign: "~", tone: "yellow" },
            title: [place(path)],
            facts: [],
            changes: changes.map(({ line, before, after }) => ({
              property: `line ${line}`,
              ...(before !== undefined && { before }),
              ...(after !== undefined && { after }),
            })),
            notes: [],
          },
        ],
      },
    ]),
    ...(preview && stack !== undefined ? previewBlocks(preview, stack) : []),
    ...section(
      ["Left as it is"],
      list("place", left, ({ position, reason, advice }) => {
        return phrase`${place(`${position.file}:${position.line}`)} ${errorText(reason)}: ${errorText(advice)}`;
      }),
    ),
    ...(otherStacks.length > 0 && state === "written" ? [text(others)] : []),
    ...(next.length > 0 ? [text(...next.map(ours))] : []),
  ];
}

function summaryOf(to: string, state: FrontReport["state"], files: number): string {
  if (state === "done") return `Nothing is left to move to the ${to} front`;
  return `${state === "planned" ? "Would move" : "Moved"} the program to the ${to} front: ${counted(files, "file")}`;
}

function previewBlocks({ moves, also, stay }: MovePreview, stack: string): Block[] {
  const line = `The next update of stack ${stack} moves ${counted(moves, "resource")}: 0 created, 0 deleted, 0 replaced, ${also.length} changed.`;
  const staying: Phrase[] = stay.map(({ name, place: at }) =>
    at === undefined ? phrase`${name}` : phrase`${name} at ${place(at)}`,
  );
  return [
    text([line]),
    ...section(
      ["Changed as well, by changes of the program that wait for an update"],
      list("resource", also.slice(0, maxNames), ({ name }) => [word(name)]),
    ),
    ...section(["On the other front as before, since something else declares them"], list("resource", staying)),
  ];
}
