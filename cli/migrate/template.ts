import { UsageError } from "../command";
import { quoted, type Quote } from "../edit/literal";

/** A text with places for the name of a label: `{name}`. */
export class Template {
  readonly #parts: readonly string[];

  /** @throws UsageError for a place that is not `{name}` */
  constructor(
    option: string,
    readonly text: string,
  ) {
    const stray = /\{(?!name\})[^}]*\}?/.exec(text)?.[0];
    if (stray !== undefined) throw new UsageError(`--${option} knows {name} alone, the name of the label, and not ${stray}`);
    if (text.trim() === "") throw new UsageError(`--${option} takes a text, such as {name}`);
    this.#parts = text.split("{name}");
  }

  of(name: string): string {
    return this.#parts.join(name);
  }

  /**
   * The same as an expression of a program.
   *
   * @param expression what says the name there
   * @param plain the name, where the expression plainly is it
   */
  expression(expression: string, plain: string | undefined, quote: Quote): string {
    if (this.#parts.length === 1) return quoted(this.text, quote);
    if (this.text === "{name}") return expression;
    if (plain !== undefined) return quoted(this.of(plain), quote);
    const escaped = this.#parts.map((part) => part.replace(/[\\`]|\$\{/g, "\\$&"));
    return `\`${escaped.join(`\${${expression}}`)}\``;
  }
}

/** How the tag of a label is called. */
export interface TagNaming {
  readonly key: Template;
  readonly value: Template;
}
