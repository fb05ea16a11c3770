import { quoted, type Quote } from "./literal";
import { UsageError } from "../common/errors";

/** Templates for key and value of the tags, with `{name}` for the name of the label. */
export class TagNaming {
  readonly #templates: { readonly key: string; readonly value: string };

  /** @throws UsageError for a template without text, or with another placeholder than `{name}` */
  constructor(key: string, value = "{name}") {
    this.#templates = { key, value };
    for (const [option, text] of Object.entries(this.#templates)) {
      const stray = /\{(?!name\})[^}]*\}?/.exec(text)?.[0];
      if (stray !== undefined)
        throw new UsageError(`--${option} has the unknown placeholder ${stray}. Expected: {name}, the label's name`);
      if (text.trim() === "") throw new UsageError(`--${option} is empty. Expected: a text such as {name}`);
    }
  }

  of(name: string): { key: string; value: string } {
    const { key, value } = this.#templates;
    return { key: key.replaceAll("{name}", () => name), value: value.replaceAll("{name}", () => name) };
  }

  /**
   * Writes the members `key` and `value` of an object literal.
   *
   * @param expression the expression of the label's name
   * @param name the label's name, if the expression is a literal
   */
  members(expression: string, quote: Quote, name?: string): string {
    const members = Object.entries(this.#templates).map(([member, template]) => {
      if (template === "{name}") return `${member}: ${expression}`;
      const parts = template.split("{name}");
      if (name !== undefined || parts.length === 1) return `${member}: ${quoted(parts.join(name ?? ""), quote)}`;
      return `${member}: \`${parts.map((part) => part.replace(/[\\`]|\$\{/g, "\\$&")).join(`\${${expression}}`)}\``;
    });
    return members.join(", ");
  }
}
