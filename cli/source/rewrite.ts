import type ts from "typescript";
import { isObject, sameValue } from "../../provider/values";
import { Comparer, keyOf } from "./comparer";
import { leadOfNew, type Item } from "./container";
import { keyText, literal, quoted, type Layout, type Quote } from "./literal";
import { matchedInAnyOrder, matchedInOrder, type Comparison, type Matched } from "./match";
import type { Container } from "./places";
import { isSpread, type Fixed, type ObjectRead, type Read, type Use } from "./read";
import type { Reader } from "./reader";
import type { Style } from "./style";
import { isJavaScript } from "./tsconfig";
import { eachOf, listOf, outlineOf, recordOf, type Wanted } from "./wanted";

/** Why something in a program cannot be made to say something else, and where it stands. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param why what is said of it, after "it" */
  constructor(
    readonly why: string,
    readonly node: ts.Node,
    /** Key of the configuration that says it instead of the program. */
    readonly configurationKey?: string,
  ) {
    super(why);
  }
}

/** A change of one place of a program. */
export type Change = { /** Names that lead there. */ uses: readonly Use[] } & (
  | { how: "replace"; node: ts.Node; text: string }
  | { how: "drop"; node: ts.ObjectLiteralExpression; name: string; index: number }
  | { how: "add"; node: ts.ObjectLiteralExpression; name: string; text: string }
  | { how: "items"; node: ts.ArrayLiteralExpression; items: readonly Item[] }
);

/** What has to be changed for an expression to say what is wanted. */
export interface Written {
  changes: readonly Change[];
  /** What it is worth then. */
  value: unknown;
  /** Its outline, as a `Reader` is to find it; undefined for a member that is not there. */
  outline: unknown;
}

/** What becomes of a member of an object literal. */
export interface Plan extends Written {
  /** Another way, which changes nothing for those that the value is spread to, too. */
  instead?: Written;
}

/** Longest line that a new value makes; longer ones are laid out in lines. */
const width = 100;

/** Finds out what to change so that expressions say something else, with as little change of their text as possible. */
export class Rewriter {
  readonly #comparer: Comparer;

  constructor(
    private readonly reader: Reader,
    private readonly styleOf: (file: ts.SourceFile) => Style,
    /** Whether lists keep the order of what is wanted; else what is new comes at the end. */
    private readonly ordered: boolean,
  ) {
    this.#comparer = new Comparer(reader, ordered);
  }

  /** What has to become of a member; nothing where it says what is wanted. @throws Refusal */
  plan(object: ObjectRead, name: string, wanted: Wanted): Plan | undefined {
    const member = this.reader.member(object, name);
    if (member.how === "absent") return wanted.lean === undefined ? undefined : this.#added(object, name, wanted);
    const { read } = member;
    if (this.#comparer.isSame(read, wanted)) return undefined;
    if (member.how === "fixed") throw refusal(read);
    const { full, lean } = wanted;
    if (full === undefined) return this.#gone(object, name, member);
    // A member that is there says the default, too.
    const written = this.rewrite(read, { full, lean: lean ?? full });
    return member.owner === object ? written : { ...written, instead: this.#added(object, name, { full, lean: lean ?? full }) };
  }

  /** What has to be changed for an expression to say what is wanted. @throws Refusal */
  rewrite(read: Read, wanted: Wanted): Written {
    if (this.#comparer.isSame(read, wanted)) return { changes: [], value: wanted.full, outline: this.reader.outline(read) };
    if (read.how === "fixed") throw refusal(read);
    if (read.how === "missing") return this.#added(read.object, read.name, wanted);
    if (read.how === "named") {
      const { changes, ...rest } = this.rewrite(read.of, wanted);
      return { ...rest, changes: changes.map((change) => ({ ...change, uses: [...read.uses, ...change.uses] })) };
    }
    if (read.how === "list" && Array.isArray(wanted.full)) return this.#list(read, wanted);
    if (read.how === "object" && isObject(wanted.full)) return this.#object(read, wanted);
    if (!this.reader.isSure(read)) throw refusal(read);
    const { node } = read;
    const { quote } = this.styleOf(node.getSourceFile());
    const own = typeof wanted.lean === "string" && !this.reader.compiler.isTemplateExpression(node);
    const text = literal(wanted.lean, { quote: own ? quoteOf(node.getText()[0], quote) : quote });
    return { changes: [{ how: "replace", node, text, uses: [] }], value: wanted.full, outline: outlineOf(wanted.lean) };
  }

  #gone(
    object: ObjectRead,
    name: string,
    { read, owner, index, property }: Extract<ReturnType<Reader["member"]>, { how: "set" }>,
  ): Written {
    if (!this.reader.isSure(read)) throw refusal(read);
    const beneath = this.reader.member(object, name, property);
    if (beneath.how === "fixed") throw new Refusal(beneath.read.why, beneath.read.node);
    if (beneath.how === "set") throw new Refusal("is set twice", beneath.property);
    const uses = owner === object || read.how !== "named" ? [] : read.uses;
    return { changes: [{ how: "drop", node: owner.node, name, index, uses }], value: undefined, outline: undefined };
  }

  #object(read: ObjectRead, wanted: Wanted): Written {
    const [full, lean] = [recordOf(wanted.full), recordOf(wanted.lean)];
    const names = [...new Set([...this.reader.namesIn(read.node), ...Object.keys(lean)])];
    const outline = recordOf(this.reader.outline(read));
    const changes = names.flatMap((name) => {
      const plan = this.plan(read, name, { full: full[name], lean: lean[name] });
      if (plan && plan.outline === undefined) delete outline[name];
      else if (plan) outline[name] = plan.outline;
      return plan?.changes ?? [];
    });
    return { changes, value: wanted.full, outline };
  }

  #list(read: Extract<Read, { how: "list" }>, wanted: Wanted): Written {
    const layout = this.#layoutIn(read.node);
    const results = this.#inOrder(read, eachOf(wanted)).map((one) => {
      if ("add" in one) {
        const { full, lean } = one.add;
        return { item: { add: literal(lean, layout) }, values: [full], outline: outlineOf(lean), changes: [] };
      }
      const { index, read: item } = one.item;
      const written = this.rewrite(item, one.as);
      return { ...written, item: { index }, values: isSpread(item) ? listOf(written.value) : [written.value] };
    });
    const items = results.map(({ item }) => item);
    const isSame = items.length === read.items.length && items.every((item) => "index" in item);
    return {
      changes: [
        ...(isSame ? [] : [{ how: "items" as const, node: read.node, items, uses: [] }]),
        ...results.flatMap(({ changes }) => changes),
      ],
      value: results.flatMap(({ values }) => values),
      outline: results.map(({ outline }) => outline),
    };
  }

  /** The items of a list that stay, each with what it is to say, and those that come, in the order they are to stand. */
  #inOrder(list: Extract<Read, { how: "list" }>, each: readonly Wanted[]): Matched<Element, Wanted>[] {
    const elements = list.items.map((read, index): Element => ({ read, index }));
    const spreads = elements.filter(({ read }) => isSpread(read));
    if (this.ordered && spreads[0]) throw refusal(spreads[0].read);
    const { brought, rest } = this.#broughtBy(spreads, each);
    const others = elements.filter(({ read }) => !isSpread(read));
    const matched = (this.ordered ? matchedInOrder : matchedInAnyOrder)(others, rest, this.#comparison);
    const staying = new Set(matched.flatMap((one) => ("item" in one ? [one.item] : [])));
    const leaving = others.find((one) => !staying.has(one) && !this.reader.isSure(one.read));
    if (leaving) throw refusal(leaving.read);
    if (brought.length === 0) return matched;
    const stay = [...brought, ...matched.filter((one) => "item" in one)];
    return [...stay.toSorted((a, b) => a.item.index - b.item.index), ...matched.filter((one) => "add" in one)];
  }

  /** What spreads bring, all of which has to be wanted; and the rest of what is wanted. */
  #broughtBy(spreads: readonly Element[], each: readonly Wanted[]) {
    const rest = [...each];
    const brought = spreads.map((item) => {
      const { value } = item.read as Fixed;
      if (!Array.isArray(value)) throw refusal(item.read);
      for (const one of value) {
        const at = rest.findIndex(({ full, lean }) => sameValue(one, full) || sameValue(one, lean));
        if (at < 0) throw refusal(item.read);
        rest.splice(at, 1);
      }
      return { item, as: { full: value, lean: value } };
    });
    return { brought, rest };
  }

  readonly #comparison: Comparison<Element, Wanted> = {
    same: ({ read }, wanted) => this.#comparer.isSame(read, wanted),
    alike: ({ read }, wanted) => this.#comparer.likeness(read, wanted),
    keyOfItem: ({ read }) => keyOf(this.reader.valueOf(read)),
    keyOf: ({ full }) => keyOf(full),
  };

  /** A new member. @throws Refusal */
  #added({ node }: ObjectRead, name: string, { full, lean }: Wanted): Written {
    const { quote } = this.styleOf(node.getSourceFile());
    if (typeof lean !== "boolean" && this.#isUntyped(node)) {
      throw new Refusal("would have to be added to a constant without a type", node);
    }
    const keys = node.properties.flatMap(({ name: key }) => (key ? [key.getText()[0] ?? ""] : []));
    const areQuoted = keys.length > 0 && keys.every((first) => /["']/.test(first));
    const key = areQuoted ? quoted(name, quoteOf(keys[0], quote)) : keyText(name, quote);
    const text = `${key}: ${literal(lean, this.#layoutIn(node, `${key}: `))}`;
    return { changes: [{ how: "add", node, name, text, uses: [] }], value: full, outline: outlineOf(lean) };
  }

  /** Whether an object is part of a constant without a type: text in it is any text, and no word of a property. */
  #isUntyped(node: ts.Node): boolean {
    const { compiler } = this.reader;
    if (isJavaScript(node.getSourceFile().fileName)) return false;
    const { parent } = node;
    if (compiler.isVariableDeclaration(parent)) return parent.type === undefined;
    const isPart =
      compiler.isObjectLiteralExpression(parent) ||
      compiler.isArrayLiteralExpression(parent) ||
      compiler.isPropertyAssignment(parent) ||
      compiler.isParenthesizedExpression(parent);
    return isPart && this.#isUntyped(parent);
  }

  /** How a new item of a container is written: in the line, or in lines where the container has them and it gets long. */
  #layoutIn(container: Container, before = ""): Layout {
    const lead = leadOfNew(container);
    const { quote, indent, eol } = this.styleOf(container.getSourceFile());
    if (!lead.includes("\n")) return { quote };
    const base = lead.slice(lead.lastIndexOf("\n") + 1);
    return { quote, lines: { eol, base, indent, width, column: base.length + before.length } };
  }
}

/** An element of a list, as it is read, and where it stands. */
interface Element {
  read: Read;
  index: number;
}

function refusal(read: Read): Refusal {
  if (read.how !== "fixed") return new Refusal("holds an expression", read.node);
  return new Refusal(read.why, read.node, read.configurationKey);
}

function quoteOf(text: string | undefined, otherwise: Quote): Quote {
  return text === '"' || text === "'" || text === "`" ? text : otherwise;
}
