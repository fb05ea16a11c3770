import type MagicString from "magic-string";
import type ts from "typescript";
import { lineEndOf } from "./style";

/** A literal that holds items: members of an object, or elements of a list. */
export type Container = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

/** What becomes of a container: the items that stay, in their order, and new ones between them. */
export type Item = { index: number } | { add: string };

/** Where the parts of one item stand: what comes before it, comments that go with it, itself, its comma, what comes after. */
interface Place {
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

interface Comment {
  start: number;
  end: number;
  /** Whether it goes to the end of its line. */
  line: boolean;
}

/**
 * Takes items out of a container and puts new ones in. Items that stay keep their text, comments and places; new ones are written
 * like those that are there: in the line or on lines of their own, as far in, with or without a comma at the end.
 */
export function editItems(edited: MagicString, container: Container, items: readonly Item[]): void {
  new Assembly(container, edited).of(items);
}

/** The white space that a new item has before it: a line end and its indentation, or a space. */
export function leadOfNew(container: Container): string {
  return new Assembly(container).leadOfNext();
}

class Assembly {
  readonly #open: number;
  readonly #close: number;
  readonly #places: readonly Place[];
  private readonly text: string;
  /** Where what stays so far ends. */
  #at: number;
  /** Whether what comes last is a comment that goes to the end of its line: the next one has to begin a line. */
  #inComment = false;
  #isEmpty = true;

  constructor(
    private readonly container: Container,
    private readonly edited?: MagicString,
  ) {
    this.text = container.getSourceFile().text;
    this.#open = container.getStart() + 1;
    this.#close = container.end - 1;
    this.#at = this.#open;
    this.#places = this.#placed();
  }

  of(items: readonly Item[]): void {
    const comma = (this.#places.at(-1)?.comma ?? -1) >= 0;
    if (this.#places.length === 0 && items.length > 0) this.#keepComments();
    let next = 0;
    for (const [i, item] of items.entries()) {
      const ends = i < items.length - 1 || comma;
      const following = items.slice(i).find((one) => "index" in one)?.index ?? this.#places.length;
      for (; next < following; next += 1) this.#drop(next);
      if ("add" in item) this.#add(i === 0 ? this.#leadOfFirst() : this.leadOfNext(), `${item.add}${ends ? "," : ""}`);
      else {
        this.#stay(item.index, i === 0, ends);
        next = item.index + 1;
      }
    }
    if (items.length === 0) this.#places.forEach((_, index) => this.#drop(index));
    this.#finish(items.length === 0);
  }

  leadOfNext(): string {
    const last = this.#places.at(-1);
    if (!last) return " ";
    const lead = this.#space(last);
    if (lead.includes("\n")) return this.#lineBreak(lead);
    return this.#places.length > 1 ? lead : " ";
  }

  /** White space before the first item; an object without any gets a space. */
  #leadOfFirst(): string {
    const [first] = this.#places;
    if (first) return this.#space(first);
    return this.#isList() ? "" : " ";
  }

  #isList(): boolean {
    return this.text[this.#open - 1] === "[";
  }

  /** White space directly before an item and its comments. */
  #space({ apart, content }: Place): string {
    return this.text.slice(apart, content);
  }

  /** A line end, and the indentation of white space that ends a line. */
  #lineBreak(space: string): string {
    return `${lineEndOf(space)}${space.slice(space.lastIndexOf("\n") + 1)}`;
  }

  #stay(index: number, isFirst: boolean, ends: boolean): void {
    const place = this.#places[index];
    if (!place) return;
    const first = this.#leadOfFirst();
    const takesLeadOfFirst = isFirst && index > 0 && place.apart === place.lead && this.#space(place) !== first;
    if (takesLeadOfFirst) this.#add(first, "");
    else if (this.#inComment && !/^[ \t]*\r?\n/.test(this.text.slice(place.lead, place.content))) this.#add("", "");
    else this.#keep(place.lead, place.content);
    const { end, comma, over } = place;
    this.#keep(place.content, end);
    if (comma < 0) {
      if (ends) this.#put(",");
      this.#keep(end, over);
    } else if (ends) this.#keep(end, over);
    else {
      this.#keep(end, comma);
      this.#keep(comma + 1, over);
    }
    this.#inComment = commentsIn(this.text, end, over).at(-1)?.line === true;
  }

  /** Leaves an item out; comments that stand apart from it stay. */
  #drop(index: number): void {
    const place = this.#places[index];
    if (!place || place.apart === place.lead) return;
    if (this.#inComment && !/^[ \t]*\r?\n/.test(this.text.slice(place.lead))) this.#add("", "");
    this.#keep(place.lead, place.apart);
    this.#inComment = commentsIn(this.text, place.lead, place.apart).at(-1)?.line === true;
  }

  /** Adds new text; behind a comment it begins a line. */
  #add(lead: string, added: string): void {
    const broken = this.#inComment && !lead.includes("\n");
    this.#put(broken ? `${this.#anyLineBreak()}${added}` : `${lead}${added}`);
    this.#inComment = false;
  }

  /** A line end and an indentation as they are found in this container, else as on the line it begins on. */
  #anyLineBreak(): string {
    const [comment] = commentsIn(this.text, this.#open, this.#places[0]?.start ?? this.#close);
    const spaces = [
      ...this.#places.map((place) => this.#space(place)),
      this.text.slice(this.#open, comment?.start ?? this.#open),
      this.text.slice(this.#places.at(-1)?.over ?? this.#close, this.#close),
    ];
    const found = spaces.find((space) => /\n\s*$/.test(space));
    if (found !== undefined) return this.#lineBreak(found);
    const line = this.text.lastIndexOf("\n", this.#open) + 1;
    return `${lineEndOf(this.text)}${/^[ \t]*/.exec(this.text.slice(line))?.[0] ?? ""}`;
  }

  /** Comments in a container that holds nothing else. */
  #keepComments(): void {
    const last = commentsIn(this.text, this.#open, this.#close).at(-1);
    if (!last) return;
    this.#keep(this.#open, last.end);
    this.#inComment = last.line;
  }

  /** What comes after the last item: white space, and comments that are nobody's. */
  #finish(isEmpty: boolean): void {
    const from = this.#places.at(-1)?.over ?? this.#open;
    const comments = commentsIn(this.text, from, this.#close);
    const keepsComments = !this.#isEmpty;
    if (this.#places.length === 0 && !isEmpty) {
      const rest = comments.at(-1)?.end ?? this.#close;
      if (this.text.slice(rest, this.#close).includes("\n")) this.#keep(rest, this.#close);
      else this.#add(this.#isList() ? "" : " ", "");
    } else if (!isEmpty || comments.length > 0 || keepsComments) {
      const tail = this.text.slice(from, this.#close);
      const broken = this.#inComment && !/^[ \t]*\r?\n/.test(tail);
      if (broken) this.#add("", "");
      this.#keep(broken ? this.#close - tail.trimStart().length : from, this.#close);
    }
    this.#keep(this.#close, this.#close + 1);
  }

  #put(added: string): void {
    this.edited?.appendLeft(this.#at, added);
    this.#isEmpty = false;
  }

  /** Keeps a part of the text; what lies between it and the part before goes. */
  #keep(from: number, to: number): void {
    if (to <= from) return;
    if (from > this.#at) this.edited?.remove(this.#at, from);
    this.#at = to;
    this.#inComment = false;
    this.#isEmpty = false;
  }

  #placed(): Place[] {
    const nodes = "elements" in this.container ? this.container.elements : this.container.properties;
    const places: Place[] = [];
    let lead = this.#open;
    for (const [i, node] of nodes.entries()) {
      const [start, end] = [node.getStart(), node.end];
      const comma = this.#commaAfter(end, nodes[i + 1]?.getStart() ?? this.#close);
      const over = this.#overOf(comma < 0 ? end : comma + 1, comma < 0);
      const comments = commentsIn(this.text, lead, start);
      const apart = comments.findLast((comment, j) =>
        this.#standsApart(comment, comments[j + 1]?.start ?? start, i === 0),
      )?.end;
      const content = comments.find((comment) => comment.start >= (apart ?? lead))?.start ?? start;
      places.push({ lead, apart: apart ?? lead, content, start, end, comma, over });
      lead = over;
    }
    return places;
  }

  /** Whether a comment is not about the item below: a blank line is between, or it stands behind the opening bracket. */
  #standsApart({ start, end }: Comment, next: number, isFirst: boolean): boolean {
    const between = this.text.slice(end, next);
    if (/\n[ \t]*\r?\n/.test(between)) return true;
    return isFirst && between.includes("\n") && !this.text.slice(this.#open, start).includes("\n");
  }

  /** Where an item ends, whose comma ends at `from`: behind comments that are the last on its line. */
  #overOf(from: number, isLast: boolean): number {
    let over = from;
    for (const { start, end } of commentsIn(this.text, from, this.#close)) {
      if (this.text.slice(over, start).includes("\n")) break;
      over = end;
    }
    const rest = this.text.slice(over, this.#close);
    return isLast || /^[ \t]*(\r?\n|$)/.test(rest) ? over : from;
  }

  #commaAfter(end: number, next: number): number {
    const comments = commentsIn(this.text, end, next);
    for (let at = end; at < next; at += 1) {
      const comment = comments.find((one) => one.start === at);
      if (comment) at = comment.end - 1;
      else if (this.text[at] === ",") return at;
    }
    return -1;
  }
}

/** Comments between items: all that stand before anything but white space and commas. */
function commentsIn(text: string, from: number, to: number): Comment[] {
  const comments: Comment[] = [];
  const next = /[\s,]*(\/\/[^\r\n\u2028\u2029]*|\/\*[^]*?\*\/)/y;
  next.lastIndex = from;
  for (let found = next.exec(text); found && next.lastIndex <= to; found = next.exec(text)) {
    const comment = found[1] ?? "";
    comments.push({ start: next.lastIndex - comment.length, end: next.lastIndex, line: comment.startsWith("//") });
  }
  return comments;
}
