import type ts from "typescript";

/** A literal that holds items: members of an object, or elements of a list. */
export type Container = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

/** The offsets of one item, its comments and its comma. */
export interface Place {
  /** End of the item before, with its comma and the comments behind it on its line. */
  lead: number;
  /** End of the comments that stay when the item is dropped, such as the title of a group. */
  apart: number;
  /** Start of the item with its own comments. */
  content: number;
  start: number;
  end: number;
  /** Position of the comma; -1 where there is none. */
  comma: number;
  /** End of the item, with its comma and the comments behind it on its line. */
  over: number;
}

/** Returns the offsets of the items of a container. */
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

/** Returns the end of an item whose comma ends at `from`, with comments that are the last on its line. */
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
