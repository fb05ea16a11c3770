import type ts from "typescript";

/** A literal that holds items: members of an object, or elements of a list. */
export type Container = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

/** Where the parts of one item stand: what comes before it, comments that go with it, itself, its comma, what comes after. */
export interface Place {
  /** Where the item before ends, with its comma and what is said of it on its line. */
  lead: number;
  /** Where comments end that stand apart from the item, such as the title of a group: they stay when it goes. */
  apart: number;
  /** Where the item begins, with comments of its own. */
  content: number;
  start: number;
  end: number;
  /** Position of the comma; -1 where there is none. */
  comma: number;
  /** Where the item ends, with its comma and what is said of it on its line. */
  over: number;
}

/** Where a container's items stand. */
export function placesIn(container: Container): Place[] {
  const { text } = container.getSourceFile();
  const [open, close] = [container.getStart() + 1, container.end - 1];
  const nodes = "elements" in container ? container.elements : container.properties;
  const places: Place[] = [];
  for (const [i, node] of nodes.entries()) {
    const [start, end, lead] = [node.getStart(), node.end, places.at(-1)?.over ?? open];
    const comma = commaAfter(text, end, nodes[i + 1]?.getStart() ?? close);
    const over = overOf(text, comma < 0 ? end : comma + 1, close, comma < 0);
    const comments = commentsIn(text, lead, start);
    const isApart = (comment: Comment, next: number): boolean => {
      const between = text.slice(comment.end, next);
      // A blank line is between, or it stands behind the opening bracket.
      if (/\n[ \t]*\r?\n/.test(between)) return true;
      return i === 0 && between.includes("\n") && !text.slice(open, comment.start).includes("\n");
    };
    const apart = comments.findLast((one, j) => isApart(one, comments[j + 1]?.start ?? start))?.end ?? lead;
    const content = comments.find((one) => one.start >= apart)?.start ?? start;
    places.push({ lead, apart, content, start, end, comma, over });
  }
  return places;
}

interface Comment {
  start: number;
  end: number;
  /** Whether it goes to the end of its line. */
  line: boolean;
}

/** Comments between items: all that stand before anything but white space and commas. */
export function commentsIn(text: string, from: number, to: number): Comment[] {
  const comments: Comment[] = [];
  const next = /[\s,]*(\/\/[^\r\n\u2028\u2029]*|\/\*[^]*?\*\/)/y;
  next.lastIndex = from;
  for (let found = next.exec(text); found && next.lastIndex <= to; found = next.exec(text)) {
    const comment = found[1] ?? "";
    comments.push({ start: next.lastIndex - comment.length, end: next.lastIndex, line: comment.startsWith("//") });
  }
  return comments;
}

/** Where an item ends, whose comma ends at `from`: behind comments that are the last on its line. */
function overOf(text: string, from: number, close: number, isLast: boolean): number {
  let over = from;
  for (const { start, end } of commentsIn(text, from, close)) {
    if (text.slice(over, start).includes("\n")) break;
    over = end;
  }
  return isLast || /^[ \t]*(\r?\n|$)/.test(text.slice(over, close)) ? over : from;
}

function commaAfter(text: string, end: number, next: number): number {
  const comments = commentsIn(text, end, next);
  for (let at = end; at < next; at += 1) {
    const comment = comments.find((one) => one.start === at);
    if (comment) at = comment.end - 1;
    else if (text[at] === ",") return at;
  }
  return -1;
}
