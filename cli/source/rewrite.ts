import type ts from "typescript";
import { isObject, sameValue } from "../../provider/values";
import { Comparer, keyOf } from "./comparer";
import { assembled, leadOfNew, type Container, type Item } from "./container";
import { editsOf, kept, type Edit, type Piece } from "./edits";
import { keyText, literal, quoted, type Layout, type Quote } from "./literal";
import { matchedInAnyOrder, matchedInOrder, type Comparison, type Matched } from "./match";
import { isSpread, type Fixed, type Read, type Reader } from "./read";
import type { Style } from "./style";
import { eachOf, listOf, outlineOf, recordOf, type Wanted } from "./wanted";

/** Why something in a program cannot be made to say something else, and where it stands. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param why what is said of it, after "it" */
  constructor(
    readonly why: string,
    readonly node: ts.Node,
  ) {
    super(why);
  }
}

/** An expression that says what is wanted. */
export interface Written {
  /** Pieces of its text. */
  pieces: readonly Piece[];
  /** Edits outside of it, of the constants that it names. */
  elsewhere: readonly Edit[];
  /** What it is worth now. */
  value: unknown;
  /** Its outline, as a `Reader` is to find it. */
  outline: unknown;
}

/** What becomes of a member of an object literal. */
export type Plan =
  | { how: "same" }
  | { how: "written"; index: number; property: ts.PropertyAssignment; read: Read; written: Written }
  | { how: "added"; text: string; outline: unknown }
  | { how: "gone"; index: number };

/** Longest line that a new value makes; longer ones are laid out in lines. */
const width = 100;

/** Makes expressions of one file say something else, with as little change of their text as possible. */
export class Rewriter {
  readonly #comparer: Comparer;

  constructor(
    private readonly text: string,
    private readonly reader: Reader,
    private readonly style: Style,
    /** Whether lists keep the order of what is wanted; else what is new comes at the end. */
    private readonly ordered: boolean,
  ) {
    this.#comparer = new Comparer(reader, ordered);
  }

  /** What has to become of a member. @throws Refusal */
  plan(object: Extract<Read, { how: "object" }>, name: string, wanted: Wanted): Plan {
    const member = this.reader.member(object, name);
    if (member.how === "absent") return this.#added(object.node, name, wanted);
    if (this.#comparer.isSame(member.read, wanted)) return { how: "same" };
    if (member.how === "fixed") throw refusal(member.read);
    const { index, property, read } = member;
    const { full, lean } = wanted;
    // A member that is there says the default, too.
    if (full !== undefined) {
      return { how: "written", index, property, read, written: this.rewrite(read, { full, lean: lean ?? full }) };
    }
    if (!this.reader.isSure(read)) throw refusal(read);
    const beneath = this.reader.member(object, name, property);
    if (beneath.how === "absent") return { how: "gone", index };
    throw new Refusal(
      beneath.how === "fixed" ? beneath.read.why : "is set twice",
      beneath.how === "fixed" ? beneath.read.node : beneath.property,
    );
  }

  /** The pieces of an object literal whose members become what is planned. */
  assemble({ node }: Extract<Read, { how: "object" }>, plans: readonly Plan[]): Piece[] {
    const { file } = this.reader.scope;
    const byIndex = new Map(plans.flatMap((plan) => ("index" in plan ? [[plan.index, plan] as const] : [])));
    const items = node.properties.flatMap((property, index): Item[] => {
      const plan = byIndex.get(index);
      if (plan?.how === "gone") return [];
      const [start, end] = [property.getStart(file), property.end];
      return [{ index, pieces: plan ? this.#within(plan.read, plan.written, start, end) : [kept(start, end)] }];
    });
    const added = plans.flatMap((plan) => (plan.how === "added" ? [{ add: plan.text }] : []));
    return assembled(this.text, node, file, [...items, ...added]);
  }

  /** An expression that says what is wanted. @throws Refusal */
  rewrite(read: Read, wanted: Wanted): Written {
    if (this.#comparer.isSame(read, wanted)) return this.#kept(read, wanted);
    if (read.how === "fixed") throw refusal(read);
    if (read.how === "constant") {
      const { pieces, elsewhere, ...rest } = this.rewrite(read.of, wanted);
      const edits = editsOf(pieces, this.#start(read.of.node), read.of.node.end);
      return { ...rest, pieces: this.#whole(read), elsewhere: [...elsewhere, ...edits] };
    }
    if (read.how === "list" && Array.isArray(wanted.full)) return this.#list(read, wanted);
    if (read.how === "object" && isObject(wanted.full)) return this.#object(read, wanted);
    if (!this.reader.isSure(read)) throw refusal(read);
    const isText = typeof wanted.lean === "string";
    const quote = isText ? quoteOf(this.text[this.#start(read.node)], this.style.quote) : this.style.quote;
    const text = literal(wanted.lean, { quote });
    return { pieces: [text], elsewhere: [], value: wanted.full, outline: outlineOf(wanted.lean) };
  }

  #kept(read: Read, { full }: Wanted): Written {
    return { pieces: this.#whole(read), elsewhere: [], value: full, outline: this.reader.outline(read) };
  }

  #object(read: Extract<Read, { how: "object" }>, wanted: Wanted): Written {
    const [full, lean] = [recordOf(wanted.full), recordOf(wanted.lean)];
    const names = [...new Set([...this.reader.namesIn(read.node), ...Object.keys(lean)])];
    const outline = recordOf(this.reader.outline(read));
    const elsewhere: Edit[] = [];
    const plans = names.map((name) => {
      const plan = this.plan(read, name, { full: full[name], lean: lean[name] });
      if (plan.how === "gone") delete outline[name];
      else if (plan.how === "added") outline[name] = plan.outline;
      else if (plan.how === "written") {
        outline[name] = plan.written.outline;
        elsewhere.push(...plan.written.elsewhere);
      }
      return plan;
    });
    return { pieces: this.assemble(read, plans), elsewhere, value: wanted.full, outline };
  }

  #list(read: Extract<Read, { how: "list" }>, wanted: Wanted): Written {
    const layout = this.#layoutIn(read.node);
    const results = this.#inOrder(read, eachOf(wanted)).map((one) => {
      if ("add" in one) {
        const { full, lean } = one.add;
        return { item: { add: literal(lean, layout) }, values: [full], outline: outlineOf(lean), elsewhere: [] };
      }
      const { element, index, read: item } = one.item;
      const written = this.rewrite(item, one.as);
      const around = this.#within(item, written, this.#start(element), element.end);
      const values = isSpread(item) ? listOf(written.value) : [written.value];
      return { ...written, item: { index, pieces: around }, values };
    });
    const { file } = this.reader.scope;
    const items = results.map(({ item }) => item);
    return {
      pieces: assembled(this.text, read.node, file, items),
      elsewhere: results.flatMap(({ elsewhere }) => elsewhere),
      value: results.flatMap(({ values }) => values),
      outline: results.map(({ outline }) => outline),
    };
  }

  /** The items of a list that stay, each with what it is to say, and those that come, in the order they are to stand. */
  #inOrder(list: Extract<Read, { how: "list" }>, each: readonly Wanted[]): Matched<Element, Wanted>[] {
    const elements = list.items.flatMap((read, index): Element[] => {
      const element = list.node.elements[index];
      return element ? [{ read, index, element }] : [];
    });
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

  #added(node: ts.ObjectLiteralExpression, name: string, { lean }: Wanted): Plan {
    if (lean === undefined) return { how: "same" };
    const keys = node.properties.flatMap(({ name: key }) => (key ? [this.text[this.#start(key)] ?? ""] : []));
    const areQuoted = keys.length > 0 && keys.every((first) => /["']/.test(first));
    const key = areQuoted ? quoted(name, quoteOf(keys[0], this.style.quote)) : keyText(name, this.style.quote);
    return { how: "added", text: `${key}: ${literal(lean, this.#layoutIn(node, `${key}: `))}`, outline: outlineOf(lean) };
  }

  /** How a new item of a container is written: in the line, or in lines where the container has them and it gets long. */
  #layoutIn(container: Container, before = ""): Layout {
    const lead = leadOfNew(this.text, container, this.reader.scope.file);
    const { quote, indent, eol } = this.style;
    if (!lead.includes("\n")) return { quote };
    const base = lead.slice(lead.lastIndexOf("\n") + 1);
    return { quote, lines: { eol, base, indent, width, column: base.length + before.length } };
  }

  #within({ node }: Read, { pieces }: Written, start: number, end: number): Piece[] {
    return [kept(start, this.#start(node)), ...pieces, kept(node.end, end)];
  }

  #whole({ node }: Read): Piece[] {
    return [kept(this.#start(node), node.end)];
  }

  #start(node: ts.Node): number {
    return node.getStart(this.reader.scope.file);
  }
}

/** An element of a list, as it is read and as it stands. */
interface Element {
  read: Read;
  index: number;
  element: ts.Expression;
}

function refusal(read: Read): Refusal {
  return new Refusal(read.how === "fixed" ? read.why : "holds an expression", read.node);
}

function quoteOf(text: string | undefined, otherwise: Quote): Quote {
  return text === '"' || text === "'" || text === "`" ? text : otherwise;
}
