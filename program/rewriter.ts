import type ts from "typescript";
import { isObject, stable } from "../provider/values";
import { Expression, keyText, literal, quoted, type Layout, type Quote } from "./literal";
import type { Reader } from "./reader";
import { styleOf } from "./style";
import { isData } from "./typescript";
import { isSpread, refusal, Refusal, unknown, type ObjectValue, type ConfigSetting, type ValueUse, type Value } from "./value";

export interface Wanted {
  full: unknown;
  /** The value as a program declares it: without defaults, and with an `Expression` for each reference. */
  lean: unknown;
}

/**
 * A change to the source text of a node, or to the items of a list or object.
 *
 * `uses` contains the variables that the program uses to read the changed node.
 */
export type TextChange = { uses: readonly ValueUse[] } & ({ how: "replace"; node: ts.Node; text: string } | ItemChange);

export type Container = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

interface ItemChange {
  how: "items";
  node: Container;
  name?: string;
  dropped: readonly number[];
  added: readonly string[];
}

/** Maximum number of comparisons, because the function that pairs list items by similarity is slow for long lists. */
const maxPairs = 1_000_000;

/** Finds the smallest text changes that give expressions new values. */
export class Rewriter {
  constructor(private readonly reader: Reader) {}

  /** @throws Refusal */
  member(object: ObjectValue, name: string, wanted: Wanted): TextChange[] {
    const { full, lean } = wanted;
    const value = this.reader.member(object, name);
    if (!value.set && value.how === "missing") return lean === undefined ? [] : [this.addition(object, name, wanted)];
    if (!value.set) throw refusal(value);
    return full === undefined
      ? this.#deleted(object, name, value, value.set)
      : this.rewrite(value, { full, lean: lean ?? full });
  }

  addition({ node }: ObjectValue, name: string, { full, lean = full }: Wanted): TextChange {
    const { quote, json } = this.#layoutIn(node);
    const keys = node.properties.flatMap(({ name: key }) => (key ? [key.getText()[0] ?? ""] : []));
    const areQuoted = json === true || (keys.length > 0 && keys.every((first) => /["']/.test(first)));
    const key = areQuoted ? quoted(name, quoteOf(keys[0], quote)) : keyText(name, quote);
    return { how: "items", node, name, dropped: [], added: [`${key}: ${literal(lean, { quote, json })}`], uses: [] };
  }

  /** @throws Refusal */
  rewrite(value: Value, wanted: Wanted): TextChange[] {
    if (this.#hasValue(value, wanted)) return [];
    if (value.how === "fixed") throw refusal(value);
    return this.#rewritten(value, wanted).map((change) => ({ ...change, uses: [...(value.uses ?? []), ...change.uses] }));
  }

  #rewritten(value: Exclude<Value, { how: "fixed" }>, wanted: Wanted): TextChange[] {
    if (value.how === "missing") return [this.addition(value.object, value.name, wanted)];
    if (value.how === "list" && Array.isArray(wanted.full)) return this.#list(value, wanted);
    if (value.how === "object" && isObject(wanted.full)) {
      return this.#members(value, wanted).flatMap(({ name, of }) => this.member(value, name, of));
    }
    const { node } = value;
    const layout = this.#layoutIn(node);
    const first = "templateSpans" in node ? undefined : node.getText()[0];
    return [{ how: "replace", node, text: literal(wanted.lean, { ...layout, quote: quoteOf(first, layout.quote) }), uses: [] }];
  }

  #deleted(object: ObjectValue, name: string, value: Value, { owner, index, property }: ConfigSetting): TextChange[] {
    if (this.reader.dataOf(value) === unknown) throw refusal(value);
    if (value.how === "plain" && value.value === undefined) return [];
    const beneath = this.reader.member(object, name, property);
    if (beneath.set) throw new Refusal("is set twice", beneath.set.property);
    if (beneath.how !== "missing") throw refusal(beneath);
    const uses = owner === object ? [] : (value.uses ?? []);
    return [{ how: "items", node: owner.node, name, dropped: [index], added: [], uses }];
  }

  #list(list: Extract<Value, { how: "list" }>, wanted: Wanted): TextChange[] {
    const layout = this.#layoutIn(list.node);
    const { matched, free } = this.#matched(list.items, eachOf(wanted));
    const changes = [...matched].flatMap(([index, as]) => {
      const item = list.items[index];
      return item && !isSpread(item) ? this.rewrite(item, as) : [];
    });
    const dropped = [...list.items.keys()].filter((index) => !matched.has(index));
    const added = [...free].map(({ lean }) => literal(lean, layout));
    if (dropped.length + added.length === 0) return changes;
    return [{ how: "items", node: list.node, dropped, added, uses: [] }, ...changes];
  }

  /**
   * Pairs the items in an existing list with wanted items. The function first pairs equal items, and then similar items.
   *
   * `free` contains the wanted items without a pair.
   */
  #matched(items: readonly Value[], wanted: readonly Wanted[]): { matched: Map<number, Wanted>; free: Set<Wanted> } {
    const free = new Set(wanted);
    const matched = new Map<number, Wanted>();
    for (const [index, item] of items.entries()) {
      if (isSpread(item)) matched.set(index, this.#spreadItems(item, free));
    }
    const take = (index: number, match: Wanted | undefined): void => {
      if (match !== undefined && free.delete(match)) matched.set(index, match);
    };
    const byKey = Map.groupBy(free, ({ full }) => keyOf(full));
    for (const [index, item] of items.entries()) {
      if (matched.has(index)) continue;
      const key = keyOf(this.reader.dataOf(item));
      const same = byKey.get(key)?.filter((candidate) => free.has(candidate));
      take(index, key === undefined ? same?.find((candidate) => this.#hasValue(item, candidate)) : same?.[0]);
    }
    const unmatched = [...items.entries()].filter(([index]) => !matched.has(index));
    if (unmatched.length * free.size <= maxPairs) {
      const pairs = unmatched.flatMap(([index, item]) =>
        [...free].map((candidate) => ({ index, candidate, score: this.#similarity(item, candidate) })),
      );
      for (const { index, candidate, score } of pairs.toSorted((a, b) => b.score - a.score)) {
        if (score > 0 && !matched.has(index)) take(index, candidate);
      }
    }
    return { matched, free };
  }

  /**
   * Pairs wanted items with the list items that come from a spread (`...list`).
   *
   * @param free wanted items without a pair. The method deletes the items that it pairs
   * @throws Refusal
   */
  #spreadItems(item: Value, free: Set<Wanted>): Wanted {
    const data = this.reader.dataOf(item) as unknown[];
    for (const datum of data) {
      const as = [...free].find(({ full, lean }) => sameSet(datum, full) || sameSet(datum, lean));
      if (!as) throw refusal(item);
      free.delete(as);
    }
    return { full: data, lean: data };
  }

  /** Whether an expression has the wanted value. The comparison ignores the order of list items. */
  #hasValue(value: Value, wanted: Wanted): boolean {
    if (value.how === "object") {
      return isObject(wanted.full) && this.#members(value, wanted).every(({ member, of }) => this.#hasValue(member, of));
    }
    if (value.how === "list" && !value.items.some(isSpread)) {
      const free = new Set(eachOf(wanted));
      if (!Array.isArray(wanted.full) || free.size !== value.items.length) return false;
      return value.items.every((item) =>
        [...free].some((candidate) => this.#hasValue(item, candidate) && free.delete(candidate)),
      );
    }
    const data = this.reader.dataOf(value);
    return data !== unknown && (sameSet(data, wanted.full) || sameSet(data, wanted.lean));
  }

  #members(object: ObjectValue, { full, lean }: Wanted): { name: string; of: Wanted; member: Value }[] {
    const [fulls, leans] = [recordOf(full), recordOf(lean)];
    const names = new Set([...this.reader.namesIn(object), ...Object.keys(leans)]);
    return [...names].map((name) => {
      return { name, of: { full: fulls[name], lean: leans[name] }, member: this.reader.member(object, name) };
    });
  }

  /** Returns the number of equal members of two objects. A member with similar lists counts as a fraction of an equal member. */
  #similarity(value: Value, wanted: Wanted): number {
    if (value.how !== "object" || !isObject(wanted.full)) return 0;
    const scores = this.#members(value, wanted).map(({ member, of }) => {
      if (member.how === "missing") return 0;
      if (this.#hasValue(member, of)) return 1;
      const data = this.reader.dataOf(member);
      if (!Array.isArray(data) || !Array.isArray(of.full)) return 0;
      const had = new Set(data.map(stable));
      return of.full.filter((element) => had.has(stable(element))).length / (Math.max(had.size, of.full.length) + 1);
    });
    return scores.reduce((sum, score) => sum + score, 0);
  }

  #layoutIn(node: ts.Node): Layout {
    const file = node.getSourceFile();
    return { quote: styleOf(this.reader.source.ts, file).quote, json: isData(file.fileName) };
  }
}

function eachOf({ full, lean }: Wanted): Wanted[] {
  const written = Array.isArray(lean) ? (lean as unknown[]) : [];
  return (Array.isArray(full) ? full : []).map((item: unknown, i) => ({ full: item, lean: i in written ? written[i] : item }));
}

function recordOf(value: unknown): Record<string, unknown> {
  return Object.assign(
    Object.create(null) as Record<string, unknown>,
    isObject(value) && !(value instanceof Expression) ? value : {},
  );
}

/** Whether two JSON values are equal, ignoring the order of list items. */
function sameSet(a: unknown, b: unknown): boolean {
  return a === b || stable(inOneOrder(a)) === stable(inOneOrder(b));
}

function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => stable(inOneOrder(item))).toSorted();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOneOrder(member)]));
}

function keyOf(value: unknown): string | undefined {
  return value === unknown || value === undefined || (typeof value === "object" && value !== null) ? undefined : stable(value);
}

function quoteOf(text: string | undefined, otherwise: Quote): Quote {
  return text === '"' || text === "'" || text === "`" ? text : otherwise;
}

/** Returns a key that is equal for equal changes. */
export function keyOfChange({ node, how, uses: _uses, ...content }: TextChange): string {
  return stable([node.getSourceFile().fileName, node.pos, node.end, how, content]);
}
