import fc from "fast-check";
import { isObject } from "../../provider/values";

/** Random choices of a style. Each call takes the next choice, and then the simplest. */
export class Decisions {
  #next = 0;

  constructor(private readonly numbers: readonly number[]) {}

  /** A number below `count`. 0 is the simplest choice. */
  below(count: number): number {
    const number = this.numbers[this.#next] ?? 0;
    this.#next += 1;
    return number % count;
  }

  pick<T>(...choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
}

export const decisions = fc
  .array(fc.nat(1000), { maxLength: 150, size: "max" })
  .map((numbers) => ({ numbers, toString: () => JSON.stringify(numbers) }));

/** Comments that the edit must keep, by top-level member. */
export type Comments = Map<string, string[]>;

/** Prints values in the styles that people use: quotes, layout, comments, types and trailing commas. */
export class Printer {
  #comments = 0;
  readonly about: Comments = new Map();

  constructor(
    private readonly by: Decisions,
    private readonly eol: string,
    private readonly tab: string,
  ) {}

  /** @param member name of the top-level member that contains this value; undefined for the whole object */
  print(value: unknown, indent = "", member?: string): string {
    const text = this.#bare(value, indent, member);
    const isWhole = member === undefined;
    return this.by.pick(
      text,
      text,
      text,
      `(${text})`,
      isWhole ? text : `${text} as const`,
      `${text} satisfies unknown`,
      `( /* in */ ${text} )`,
    );
  }

  #bare(value: unknown, indent: string, member: string | undefined): string {
    if (typeof value === "string") return this.#string(value);
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) {
      return this.#container(
        "[",
        "]",
        value.map((item: unknown) => (inner) => this.print(item, inner, member)),
        indent,
        member,
      );
    }
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.entries(value).map(([key, memberValue]) => {
      const owner = member ?? key;
      const name = /^[a-z]+$/i.test(key) ? this.by.pick(key, key, JSON.stringify(key)) : this.#string(key, false);
      const print = (inner: string): string =>
        `${name}${this.by.pick(": ", ":", " :  ", `: /* of ${JSON.stringify(owner).replaceAll("*/", "")} */ `)}${this.print(memberValue, inner, owner)}`;
      return Object.assign(print, { owner });
    });
    return this.#container("{", "}", members, indent, member);
  }

  #string(text: string, template = true): string {
    const json = JSON.stringify(text);
    const inside = json.slice(1, -1).replaceAll('\\"', '"');
    return this.by.pick(
      json,
      `'${inside.replaceAll("'", "\\'")}'`,
      template ? `\`${inside.replaceAll("`", "\\`").replaceAll("${", "\\${")}\`` : json,
    );
  }

  #number(value: number): string {
    const plain = JSON.stringify(value);
    if (!Number.isInteger(value) || value < 0 || value > 1e9) return plain;
    return this.by.pick(plain, plain, `0x${value.toString(16)}`, plain.length > 3 ? plain.replace(/(?=\d{3}$)/, "_") : plain);
  }

  #container(
    open: string,
    close: string,
    items: readonly (((indent: string) => string) & { owner?: string })[],
    indent: string,
    member: string | undefined,
  ): string {
    const { by, eol, tab } = this;
    const layout = by.pick("in line", "in lines", "in lines", "tight", "ragged");
    const inner = `${indent}${tab}`;
    const space = { "in line": " ", "in lines": `${eol}${inner}`, tight: "", ragged: by.pick(" ", `${eol}${inner}`) }[layout];
    const isBroken = space.includes("\n");
    if (items.length === 0)
      return by.pick(`${open}${close}`, `${open} ${close}`, `${open}${eol}${indent}${close}`, `${open} /* none */ ${close}`);
    const parts = items.map((item, i) => {
      const owner = item.owner ?? member ?? "";
      const above = isBroken
        ? by.pick("", "", `// ${this.#comment(owner)}${eol}${inner}`, `/* ${this.#comment(owner)} */ `)
        : by.pick("", "", `/* ${this.#comment(owner)} */ `);
      const text = item(inner);
      const last = i === items.length - 1;
      const comma = last ? by.pick("", isBroken ? "," : "") : ",";
      const behind = isBroken ? by.pick("", "", ` // ${this.#comment(owner)}`, ` /* ${this.#comment(owner)} */`) : "";
      const gap = i > 0 && isBroken ? by.pick("", "", eol) : "";
      return `${gap}${above === "" && i === 0 && open === "[" && space === " " ? "" : space}${above}${text}${comma}${behind}`;
    });
    const end = isBroken ? `${eol}${indent}` : open === "{" && layout === "in line" ? " " : "";
    return `${open}${parts.join("")}${end}${close}`;
  }

  /** A comment about a member. */
  #comment(owner: string): string {
    this.#comments += 1;
    const text = `comment ${this.#comments}!`;
    this.about.set(owner, [...(this.about.get(owner) ?? []), text]);
    return text;
  }
}
