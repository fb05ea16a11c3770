import MagicString from "magic-string";
import type ts from "typescript";
import type { Node, Scalar } from "yaml";
import { stable } from "../provider/values";
import { literal, quoted } from "./literal";
import type { TextChange } from "./rewriter";
import { lineEndOf } from "./style";
import type { ChangedFile } from "./text-edits";
import { Refusal } from "./value";
import { readYaml, yamlContents, yaml, type Members, type YamlItems } from "./yaml-source";

/**
 * Applies changes to a YAML file.
 *
 * @throws Refusal if the edited file would not contain the expected data
 */
export function appliedToYaml(file: ts.SourceFile, changes: readonly TextChange[]): ChangedFile {
  const { text = "", parts } = yamlContents.get(file) ?? {};
  const edited = new MagicString(text);
  const wanted = readYaml(text);
  const refused = new Refusal("is in a form of YAML that cannot be edited", changes[0]?.node);
  // The function edits inner collections before it edits outer collections.
  const groups = [...Map.groupBy(changes, ({ node }) => node)].toSorted(([a], [b]) => b.pos - a.pos);
  for (const how of ["replace", "items"] as const) {
    for (const [at, changesOfNode] of groups) {
      const { node, path } = parts?.get(at.getStart()) ?? {};
      if (!node || !path) throw refused;
      for (const change of changesOfNode) {
        if (change.how !== "replace" || how !== "replace") continue;
        if (!("value" in node) && node.flow !== true) throw refused;
        const value = valueIn(change.text);
        edited.update(node.range?.[0] ?? 0, node.range?.[1] ?? 0, textOf(value, node));
        wanted.setIn(path, value);
      }
      const itemChanges = changesOfNode.flatMap((change) => (change.how === "items" && how === "items" ? [change] : []));
      if (itemChanges.length === 0 || "value" in node) continue;
      const isList = yaml().isSeq(node);
      const keys: unknown[] = itemChanges.flatMap(({ name, dropped }) => dropped.map((index) => (isList ? index : name)));
      const deleted = new Set(keys.map((key) => (isList ? Number(key) : node.items.findIndex((item) => keyOf(item) === key))));
      const added = itemChanges.flatMap((change) => change.added.map((item) => valueIn(isList ? item : `{${item}}`)));
      if (!editItems(edited, node, deleted, added)) throw refused;
      for (const key of keys.toSorted((a, b) => Number(b) - Number(a))) wanted.deleteIn([...path, key]);
      for (const item of added) {
        if (isList) wanted.addIn(path, item);
        else for (const [key, value] of Object.entries(item as object)) wanted.setIn([...path, key], value);
      }
    }
  }
  const after = readYaml(edited.toString());
  if (after.errors.length > 0 || stable(after.toJS()) !== stable(wanted.toJS())) throw refused;
  const moved = (at: number): number => {
    const lines = text.split("\n").slice(0, file.text.slice(0, at).split("\n").length - 1);
    return lines.length === 0 ? 0 : edited.slice(0, lines.join("\n").length + 1).length;
  };
  return { text: edited.toString(), moved };
}

/**
 * Deletes and appends items of a collection.
 *
 * @returns whether the edit was possible without losing comments
 */
function editItems(
  edited: MagicString,
  node: Members | YamlItems,
  deleted: ReadonlySet<number>,
  added: readonly unknown[],
): boolean {
  const { isPair, isScalar, isSeq } = yaml();
  const text = edited.original;
  const items = node.items.map((item) => {
    const [first, last] = isPair<Scalar, Node | null>(item) ? [item.key, item.value ?? item.key] : [item, item];
    return { last, start: first?.range?.[0] ?? 0, end: endOf(last) };
  });
  const like = items.find(({ last }) => isScalar(last) && typeof last.value === "string")?.last;
  const texts = added.map((item) => {
    if (isSeq(node)) return textOf(item, like);
    return Object.entries(item as object)
      .map(([key, value]) => `${textOf(key)}: ${textOf(value, like)}`)
      .join(", ");
  });
  const final = items.findLastIndex((_, i) => !deleted.has(i));
  const last = items[final];
  if (node.flow === true) {
    const [start = 0, end = 0] = node.range ?? [];
    if (!last) edited.update(start, end, isSeq(node) ? `[${texts.join(", ")}]` : `{ ${texts.join(", ")} }`);
    else if (texts.length > 0) edited.appendLeft(last.end, `, ${texts.join(", ")}`);
    const cuts = items.flatMap((item, i): [number, number][] => {
      if (!last || !deleted.has(i)) return [];
      return [i < final ? [item.start, items[i + 1]?.start ?? end] : [items[i - 1]?.end ?? start, item.end]];
    });
    for (const [from, to] of cuts) edited.remove(from, to);
    const replaced: [number, number][] = last ? cuts : [[start, end]];
    return !replaced.some(([from, to]) => text.slice(from, to).includes("#"));
  }
  const lineOf = (at: number): number => text.lastIndexOf("\n", at - 1) + 1;
  const isWhole = ({ start }: { start: number }): boolean => {
    return (isSeq(node) ? /^ *- +$/ : /^ *$/).test(text.slice(lineOf(start), start));
  };
  if (!last || items.some((item, i) => deleted.has(i) && !isWhole(item)) || (isSeq(node) && !isWhole(last))) return false;
  for (const i of deleted) {
    const { start = 0, end = 0 } = items[i] ?? {};
    edited.remove(lineOf(start), text.indexOf("\n", end) + 1 || text.length);
  }
  const lead = text.slice(lineOf(last.start), last.start);
  const indent = isSeq(node) ? lead : " ".repeat(lead.length);
  const lineEnd = last.end + (/\r?\n|$/.exec(text.slice(last.end))?.index ?? 0);
  edited.appendLeft(lineEnd, texts.map((item) => lineEndOf(text) + indent + item).join(""));
  return true;
}

function endOf(node: Node | null): number {
  const { isCollection, isPair } = yaml();
  const last = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (isPair<Node, Node | null>(last)) return endOf(last.value ?? last.key);
  return last === undefined ? (node?.range?.[1] ?? 0) : endOf(last as Node);
}

/**
 * Returns a value in one line. A string gets the same quotes as a similar node. Without such a node, the function omits unnecessary quotes.
 */
function textOf(value: unknown, like?: Node | null): string {
  const { isScalar } = yaml();
  if (typeof value !== "string") return literal(value, { quote: '"', json: true });
  const type = isScalar(like) ? like.type : undefined;
  const safe = quoted(value);
  if (type === "QUOTE_SINGLE" && !/\\[^"\\]/.test(safe)) return `'${value.replaceAll("'", "''")}'`;
  const isPlain = /^[a-z](?:[\w ./@-]|:(?! ))*[\w/]$/i.test(value) && !/^(true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain && type !== "QUOTE_DOUBLE" && type !== "QUOTE_SINGLE" ? value : safe;
}

function keyOf(item: Members["items"][number] | Node | null): unknown {
  return yaml().isPair<Scalar, Node | null>(item) ? item.key.value : undefined;
}

/** @throws Refusal if the literal contains an expression, such as the id of a resource */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal("would need an expression, which YAML cannot contain");
  }
}
