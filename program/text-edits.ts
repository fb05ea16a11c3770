import MagicString from "magic-string";
import type ts from "typescript";
import { withImports, type Import } from "./imports";
import { type ProgramSource } from "./program-source";
import { parse } from "./typescript";
import type { TextChange, Container } from "./rewriter";
import { lineEndOf } from "./style";
import { nodesIn, type TypeScript } from "./typescript";

export interface ChangedFile {
  text: string;
  moved: (at: number) => number;
}

/** Applies changes to one file, and leaves all other text unchanged. */
export function applied(
  source: ProgramSource,
  file: ts.SourceFile,
  changes: readonly TextChange[],
  imports: readonly Import[],
): ChangedFile {
  const edited = new MagicString(file.text);
  const items = changes.filter((change) => change.how === "items");
  for (const { node, text } of changes.filter((change) => change.how === "replace"))
    edited.update(node.getStart(), node.end, text);
  // The method edits inner containers before it edits outer containers.
  const containers = [...Map.groupBy(items, ({ node }) => node)].toSorted(([a], [b]) => b.pos - a.pos || a.end - b.end);
  for (const [container, itemChanges] of containers) {
    const dropped = itemChanges.flatMap((change) => change.dropped);
    const added = itemChanges.flatMap((change) => change.added);
    editItems(edited, container, dropped, added);
  }
  const used = withoutUnused(source.ts, file, edited.toString());
  const text = withImports(source.ts, used, file.fileName, merged(imports));
  const above = text.length - edited.toString().length;
  return { text, moved: (at) => above + (at === 0 ? 0 : edited.slice(0, at).length) };
}

/**
 * Removes imported names that an edit has made unused, because a strict compiler refuses unused names.
 *
 * The import of the module remains, so that the program still loads it.
 */
export function withoutUnused(compiler: TypeScript, before: ts.SourceFile, text: string): string {
  const file = parse(compiler, before.fileName, text);
  const edited = new MagicString(text);
  const nodes = nodesIn(compiler, file);
  const [had, has] = [nodesIn(compiler, before), nodes].map((nodesOfFile) =>
    Map.groupBy(nodesOfFile.filter(compiler.isIdentifier), ({ text: name }) => name),
  );
  const isUnused = (name: string): boolean => has?.get(name)?.length === 1 && had?.get(name)?.length !== 1;
  for (const node of nodes) {
    if (!compiler.isNamedImports(node)) continue;
    const names = node.elements.map(({ name }) => name.getText());
    const unused = names.flatMap((name, i) => (isUnused(name) ? [i] : []));
    const { parent } = node;
    if (unused.length === 0) continue;
    if (unused.length < names.length) editItems(edited, node, unused, []);
    else if (compiler.isImportClause(parent) && !parent.name)
      edited.remove(parent.getStart(), parent.parent.moduleSpecifier.getStart());
  }
  return edited.toString();
}

function merged(imports: readonly Import[]): Import[] {
  const modules = Map.groupBy(imports, ({ from }) => from);
  return [...modules].map(([from, parts]) => ({ from, names: new Map(parts.flatMap(({ names = [] }) => [...names])) }));
}

type ItemList = Container | ts.NamedImports;

/**
 * Deletes items of a container by index, and appends new items. All remaining items keep their text, comments and order.
 *
 * New items have the same layout as existing items, including line breaks, indentation and a trailing comma.
 */
function editItems(edited: MagicString, container: ItemList, dropped: readonly number[], added: readonly string[]): void {
  const { text } = container.getSourceFile();
  const [open, close] = [container.getStart() + 1, container.end - 1];
  const places = placesIn(container);
  const remaining = places.filter((_, i) => !dropped.includes(i));
  const [first, last] = [places[0], places.at(-1)];
  const firstLead = first ? spaceOf(text, first) : text[open - 1] === "[" ? "" : " ";
  const end = last?.over ?? commentsIn(text, open, close).at(-1)?.end ?? open;
  const hasComments = commentsIn(text, end, close).length > 0 || places.some(({ lead, apart }) => apart > lead);
  if (remaining.length + added.length === 0 && !hasComments) return void edited.remove(open, close);

  // If a text ends with a line comment, a line break must follow.
  let inComment = isLineComment(text, open, end) && places.length === 0;
  const safe = (lead: string): string =>
    inComment && !/^[ \t]*\r?\n/.test(lead) ? anyLineBreak(text, places, open, close) : lead;
  // Copies a part of the text, optionally with different white space at its start.
  const keep = (from: number, to: number, code = from, lead?: string): void => {
    const [space = ""] = /^\s*/.exec(text.slice(from, to)) ?? [];
    const wanted = safe(lead ?? space);
    if (wanted !== space) {
      if (space !== "") edited.remove(from, from + space.length);
      edited.appendLeft(from + space.length, wanted);
    }
    inComment = isLineComment(text, code, to);
  };
  for (const place of places) {
    const { lead, apart, over } = place;
    if (apart > lead) keep(lead, apart);
    if (!remaining.includes(place)) edited.remove(apart, over);
    else keep(apart, over, place.end, place === remaining[0] && place !== first && apart === lead ? firstLead : undefined);
  }

  const hasComma = last !== undefined && last.comma >= 0;
  const final = remaining.at(-1);
  if (final && final.comma < 0 && added.length > 0) edited.appendLeft(final.end, ",");
  if (final && final.comma >= 0 && added.length === 0 && !hasComma) edited.remove(final.comma, final.comma + 1);
  for (const [i, addition] of added.entries()) {
    const lead = safe(remaining.length + i === 0 ? firstLead : nextLead(text, places));
    edited.appendLeft(end, lead + addition + (i < added.length - 1 || hasComma ? "," : ""));
    inComment = false;
  }
  const isSpaced = places.length > 0 || text.slice(end, close).includes("\n");
  keep(end, close, end, isSpaced ? undefined : firstLead);
}

function spaceOf(text: string, { apart, content }: EditPlace): string {
  return text.slice(apart, content);
}

function nextLead(text: string, places: readonly EditPlace[]): string {
  const last = places.at(-1);
  const lead = last ? spaceOf(text, last) : " ";
  if (lead.includes("\n")) return lineBreak(lead);
  return places.length > 1 ? lead : " ";
}

function isLineComment(text: string, from: number, to: number): boolean {
  const comment = commentsIn(text, from, to).at(-1);
  return comment !== undefined && comment.line && comment.end === to;
}

/**
 * Returns the line end and the indentation inside a container. If the container is on one line, the function uses the line end and the
 * indentation of that line.
 */
function anyLineBreak(text: string, places: readonly EditPlace[], open: number, close: number): string {
  const [comment] = commentsIn(text, open, places[0]?.start ?? close);
  const spaces = [
    ...places.map((place) => spaceOf(text, place)),
    text.slice(open, comment?.start ?? open),
    text.slice(places.at(-1)?.over ?? close, close),
  ];
  const broken = spaces.find((space) => /\n\s*$/.test(space));
  if (broken !== undefined) return lineBreak(broken);
  const line = text.slice(text.lastIndexOf("\n", open) + 1);
  return `${lineEndOf(text)}${/^[ \t]*/.exec(line)?.[0] ?? ""}`;
}

function lineBreak(space: string): string {
  return `${lineEndOf(space)}${space.slice(space.lastIndexOf("\n") + 1)}`;
}

interface EditPlace {
  /** Offset of the end of the previous item, including its comma and the comments on the same line. */
  lead: number;
  /**
   * Offset of the end of the comments that belong to the container, such as a heading above several items. If the item is deleted, the
   * comments of the container remain.
   */
  apart: number;
  /** Offset of the start of the item and of the comments that belong to the item. */
  content: number;
  start: number;
  end: number;
  /** Offset of the comma after the item, or -1 if the item has no comma. */
  comma: number;
  /** Offset of the end of the item, including its comma and the comments on that line. */
  over: number;
}

function placesIn(container: ItemList): EditPlace[] {
  const { text } = container.getSourceFile();
  const [open, close] = [container.getStart() + 1, container.end - 1];
  const nodes = "elements" in container ? container.elements : container.properties;
  const places: EditPlace[] = [];
  for (const [i, node] of nodes.entries()) {
    const [start, end, lead] = [node.getStart(), node.end, places.at(-1)?.over ?? open];
    const comma = commaAfter(text, end, nodes[i + 1]?.getStart() ?? close);
    const over = overOf(text, comma < 0 ? end : comma + 1, close, comma < 0);
    const comments = commentsIn(text, lead, start);
    const isApart = (comment: Comment, next: number): boolean => {
      const between = text.slice(comment.end, next);
      // A comment belongs to the container if a blank line follows the comment, or if it is on the line of the opening bracket.
      if (/\n[ \t]*\r?\n/.test(between)) return true;
      return i === 0 && between.includes("\n") && !text.slice(open, comment.start).includes("\n");
    };
    const apart = comments.findLast((comment, j) => isApart(comment, comments[j + 1]?.start ?? start))?.end ?? lead;
    const content = comments.find((comment) => comment.start >= apart)?.start ?? start;
    places.push({ lead, apart, content, start, end, comma, over });
  }
  return places;
}

interface Comment {
  start: number;
  end: number;
  line: boolean;
}

/** Returns the comments at the beginning of a range, before any other text. */
function commentsIn(text: string, from: number, to: number): Comment[] {
  const comments: Comment[] = [];
  const next = /[\s,]*(\/\/[^\r\n\u2028\u2029]*|\/\*[^]*?\*\/)/y;
  next.lastIndex = from;
  for (let match = next.exec(text); match && next.lastIndex <= to; match = next.exec(text)) {
    const comment = match[1] ?? "";
    comments.push({ start: next.lastIndex - comment.length, end: next.lastIndex, line: comment.startsWith("//") });
  }
  return comments;
}

function overOf(text: string, from: number, close: number, isLast: boolean): number {
  let over = from;
  for (const { start, end } of commentsIn(text, from, close)) {
    if (text.slice(over, start).includes("\n")) break;
    over = end;
  }
  return isLast || /^[ \t]*(\r?\n|$)/.test(text.slice(over, close)) ? over : from;
}

/** Returns the offset of the comma after an item, or -1. The function ignores commas in comments. */
function commaAfter(text: string, end: number, next: number): number {
  let between = text.slice(end, next);
  for (const { start, end: over } of commentsIn(text, end, next))
    between = between.slice(0, start - end) + " ".repeat(over - start) + between.slice(over - end);
  const at = between.indexOf(",");
  return at < 0 ? -1 : end + at;
}
