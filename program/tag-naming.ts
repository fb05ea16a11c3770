import { quoted, type Quote } from "./literal";
import { UsageError } from "../common/errors";

/** Templates for the keys and values of tags, with `{name}` as the placeholder for the label's name. */
export class TagNaming {
  readonly #templates: { readonly key: string; readonly value: string };

  /** @throws UsageError for an empty template, or for a placeholder other than `{name}` */
  constructor(key: string, value = "{name}") {
    this.#templates = { key, value };
    for (const [option, text] of Object.entries(this.#templates)) {
      const stray = /\{(?!name\})[^}]*\}?/.exec(text)?.[0];
      if (stray !== undefined)
        throw new UsageError(`--${option} has the unknown placeholder ${stray}. Use {name} for the label's name`);
      if (text.trim() === "") throw new UsageError(`--${option} is empty. Set --${option} to a string such as site-{name}`);
    }
  }

  of(name: string): { key: string; value: string } {
    const { key, value } = this.#templates;
    return { key: key.replaceAll("{name}", () => name), value: value.replaceAll("{name}", () => name) };
  }

  /**
   * Returns the source text of the members `key` and `value` of an object literal.
   *
   * @param expression source text of the label's name
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
