import type MagicString from "magic-string";
import { commentsIn, placesIn, type Container, type Place } from "./places";
import { lineEndOf } from "./style";

/** An item that stays in a container, or a new one. */
export type Item = { index: number } | { add: string };

/**
 * Takes items out of a container and puts new ones in. Items that stay keep their text, comments and places; new ones are written
 * like those that are there: in the line or on lines of their own, as far in, with or without a comma at the end.
 */
export function editItems(edited: MagicString, container: Container, items: readonly Item[]): void {
  new Assembly(container, edited).of(items);
}

class Assembly {
  private readonly text: string;
  readonly #open: number;
  readonly #close: number;
  readonly #places: readonly Place[];
  /** Where what stays so far ends. */
  #at: number;
  /** Whether what comes last is a comment that goes to the end of its line: the next one has to begin a line. */
  #inComment = false;

  constructor(
    container: Container,
    private readonly edited: MagicString,
  ) {
    this.text = container.getSourceFile().text;
    this.#open = container.getStart() + 1;
    this.#close = container.end - 1;
    this.#at = this.#open;
    this.#places = placesIn(container);
  }

  of(items: readonly Item[]): void {
    const comma = (this.#places.at(-1)?.comma ?? -1) >= 0;
    // Comments in a container that holds nothing else.
    if (this.#places.length === 0) this.#keep(this.#open, commentsIn(this.text, this.#open, this.#close).at(-1)?.end ?? 0);
    let next = 0;
    const dropUntil = (index: number): void => {
      // Comments that stand apart from an item that goes stay.
      for (const { lead, apart } of this.#places.slice(next, index)) this.#keep(lead, apart);
      next = Math.max(next, index);
    };
    for (const [i, item] of items.entries()) {
      const ends = i < items.length - 1 || comma;
      dropUntil(items.slice(i).find((one) => "index" in one)?.index ?? this.#places.length);
      if ("add" in item) this.#put((i === 0 ? this.#leadOfFirst() : this.#leadOfNext()) + item.add + (ends ? "," : ""));
      else {
        this.#stay(item.index, i === 0, ends);
        next = item.index + 1;
      }
    }
    dropUntil(this.#places.length);
    this.#finish(items.length === 0);
  }

  #leadOfNext(): string {
    const last = this.#places.at(-1);
    if (!last) return " ";
    const lead = this.#space(last);
    if (lead.includes("\n")) return lineBreak(lead);
    return this.#places.length > 1 ? lead : " ";
  }

  /** White space before the first item; an object without any gets a space. */
  #leadOfFirst(): string {
    const [first] = this.#places;
    if (first) return this.#space(first);
    return this.text[this.#open - 1] === "[" ? "" : " ";
  }

  /** White space directly before an item and its comments. */
  #space({ apart, content }: Place): string {
    return this.text.slice(apart, content);
  }

  #stay(index: number, isFirst: boolean, ends: boolean): void {
    const place = this.#places[index];
    if (!place) return;
    const { lead, apart, content, end, comma, over } = place;
    const first = this.#leadOfFirst();
    if (isFirst && index > 0 && apart === lead && this.#space(place) !== first) this.#put(first);
    else this.#keep(lead, content);
    this.#keep(content, end);
    this.#inComment = false;
    if (comma < 0 && ends) this.#put(",");
    if (comma < 0 || ends) this.#keep(end, over);
    else {
      this.#keep(end, comma);
      this.#keep(comma + 1, over);
    }
  }

  /** Keeps white space and comments after the last item. */
  #finish(isEmpty: boolean): void {
    const from = Math.max(this.#at, this.#places.at(-1)?.over ?? this.#open);
    const tail = this.text.slice(from, this.#close);
    const isSpaced = this.#places.length > 0 || tail.includes("\n");
    if (!isEmpty && !isSpaced) this.#put(this.#leadOfFirst());
    else if (!isEmpty || this.#at > this.#open || commentsIn(this.text, from, this.#close).length > 0) {
      this.#keep(from, this.#close);
    }
    this.#keep(this.#close, this.#close + 1);
  }

  /** Adds new text; behind a comment to the end of its line it begins a line. */
  #put(added: string): void {
    const isBroken = this.#inComment && !/^\s*\n/.test(added);
    this.edited.appendLeft(this.#at, isBroken ? this.#anyLineBreak() + added.trimStart() : added);
    this.#inComment = false;
  }

  /** Keeps a part of the text, and deletes the text between it and the part before. */
  #keep(from: number, to: number): void {
    if (to <= from) return;
    const part = this.text.slice(from, to);
    const isBroken = this.#inComment && !/^[ \t]*\r?\n/.test(part);
    if (isBroken) this.#put("");
    const start = isBroken ? to - part.trimStart().length : from;
    if (start > this.#at) this.edited.remove(this.#at, start);
    this.#at = to;
    const last = commentsIn(this.text, start, to).at(-1);
    this.#inComment = last !== undefined && last.line && last.end === to;
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
    if (found !== undefined) return lineBreak(found);
    const line = this.text.lastIndexOf("\n", this.#open) + 1;
    return `${lineEndOf(this.text)}${/^[ \t]*/.exec(this.text.slice(line))?.[0] ?? ""}`;
  }
}

/** A line end, and the indentation of white space that ends a line. */
function lineBreak(space: string): string {
  return `${lineEndOf(space)}${space.slice(space.lastIndexOf("\n") + 1)}`;
}
