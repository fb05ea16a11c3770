import MagicString from "magic-string";
import type ts from "typescript";
import { frontModules } from "../front";
import type { FileEdit } from "../edit/accepted";
import { declaredNames, importedAs } from "../edit/bindings";
import { packageModules } from "../edit/declarations";
import type { Instance, Instances } from "../edit/instances";
import { withImports } from "../edit/imports";
import { syntaxOf } from "../edit/apply";
import type { ProgramSource } from "../edit/program";
import { Refusal } from "../edit/value";
import { dropItems, specifierOf } from "./specifiers";
import { Swapper, type TextReplacement, type Swap } from "./swap";
import { attempt, labelClass, type LabelDeclaration, tagClass, tagNames } from "./pairs";

/** Files with tests that select by tags, and the tests that could not be written so. */
export interface TestEdits {
  readonly edits: readonly FileEdit[];
  readonly written: readonly Instance[];
  readonly refused: ReadonlyMap<Instance, Refusal>;
}

interface PlannedTest {
  readonly instance: Instance;
  readonly swap: Swap;
  readonly replacements: readonly TextReplacement[];
}

const labelsProperty = "endpointAgentLabels";

/** The declared tests that select by labels, as far as the program shows it. */
export function testsByLabel(instances: Instances): Instance[] {
  return instances.all.filter((instance) => {
    if (instance.declaration.kind.refersTo[labelsProperty] === undefined) return false;
    return instances.memberOf(instance, labelsProperty).how !== "absent";
  });
}

/** Has tests select by the tags of the labels that they select by. Nothing is written yet. @param kept tests that stay, and why */
export function testEdits(
  instances: Instances,
  labels: readonly LabelDeclaration[],
  kept: ReadonlyMap<Instance, Refusal>,
): TestEdits {
  const names = tagNames(instances, labels);
  const swapper = new Swapper(instances.source, instances.symbols, names, { from: labelClass, to: tagClass });
  const refused = new Map(kept);
  let planned: PlannedTest[] = [];
  for (const instance of testsByLabel(instances)) {
    if (refused.has(instance)) continue;
    const plan = attempt(() => planOf(instances, swapper, instance));
    if (plan instanceof Refusal) refused.set(instance, plan);
    else planned.push(plan);
  }
  // What one test leaves as it is may be what another one shares with it.
  for (let changed = true; changed;) {
    const within = planned.flatMap(({ swap }) => swap.within);
    const out = planned.filter((one) => {
      const use = swapper.otherUse(one.swap, within) ?? sharedWith(one, refused, instances);
      if (use) refused.set(one.instance, new Refusal("shares what it selects with something that stays as it is", use));
      return use !== undefined;
    });
    planned = planned.filter((one) => !out.includes(one));
    changed = out.length > 0;
  }
  const edits = editsOf(
    instances,
    planned.flatMap(({ replacements }) => replacements),
    names,
  );
  return { edits, written: planned.map(({ instance }) => instance), refused };
}

/** The place that a test has in common with one that is refused. */
function sharedWith(one: PlannedTest, refused: ReadonlyMap<Instance, Refusal>, instances: Instances): ts.Node | undefined {
  const own = new Set(one.replacements.map(({ node }) => node));
  for (const instance of refused.keys()) {
    const member = instances.memberOf(instance, labelsProperty);
    if (member.how === "set" && member.property.name && own.has(member.property.name)) return member.property;
  }
  return undefined;
}

/** @throws Refusal */
function planOf(instances: Instances, swapper: Swapper, instance: Instance): PlannedTest {
  const { ts: compiler } = instances.source;
  const member = instances.memberOf(instance, labelsProperty);
  const selector = instances.memberOf(instance, "agentSelectorType");
  if (member.how !== "set") throw new Refusal(`has ${labelsProperty} from elsewhere`, instance.declaration.node);
  const end = selector.how === "absent" ? undefined : selector.value;
  if (end?.how !== "plain" || !compiler.isStringLiteralLike(end.node)) {
    throw new Refusal("has an agentSelectorType that is no plain text", instance.declaration.node);
  }
  const { property } = member;
  const quote = end.node.getText()[0] ?? '"';
  const selects = { node: end.node, text: `${quote}agent-tags${quote}` };
  if (compiler.isShorthandPropertyAssignment(property)) {
    const swap = swapper.swap(property.name);
    return {
      instance,
      swap,
      replacements: [selects, ...swap.replacements, { node: property, text: `tagIds: ${labelsProperty}` }],
    };
  }
  if (!compiler.isPropertyAssignment(property)) throw new Refusal(`has ${labelsProperty} from elsewhere`, property);
  const swap = swapper.swap(property.initializer);
  const [first = ""] = property.name.getText();
  const key = /["']/.test(first) ? `${first}tagIds${first}` : "tagIds";
  return { instance, swap, replacements: [selects, { node: property.name, text: key }, ...swap.replacements] };
}

function editsOf(
  instances: Instances,
  replacements: readonly TextReplacement[],
  names: ReadonlyMap<ts.Symbol, string>,
): FileEdit[] {
  const byFile = Map.groupBy(replacements, ({ node }) => node.getSourceFile());
  return [...byFile].map(([file, own]): FileEdit => {
    const edited = new MagicString(file.text);
    const once = new Map(own.map((one) => [one.node, one.text]));
    for (const [node, text] of once) edited.update(node.getStart(), node.end, text);
    takeNames(instances, file, new Set(once.keys()), names, edited);
    const after = edited.toString();
    const { source } = instances;
    const lacks = [...once.values()].includes(tagClass) && importedAs(source.ts, file, packageModules, tagClass) === undefined;
    const imports = lacks ? [{ from: moduleOf(source, file), names: [tagClass] }] : [];
    return {
      path: file.fileName,
      before: file.text,
      after: withImports(source.ts, after, file.fileName, imports, syntaxOf(source, file)),
    };
  });
}

/** The module that a file takes our classes from, or the program where the file has none yet. */
function moduleOf({ declarations }: ProgramSource, file: ts.SourceFile): string {
  const own = declarations.find(({ position }) => position.file === file.fileName) ?? declarations[0];
  return frontModules[own?.front ?? "dynamic"];
}

/** Has a file import what it names now; a name that it does not use anymore goes. */
function takeNames(
  { source, symbols }: Instances,
  file: ts.SourceFile,
  changed: ReadonlySet<ts.Node>,
  names: ReadonlyMap<ts.Symbol, string>,
  edited: MagicString,
): void {
  const there = declaredNames(source.ts, file);
  const dropped = new Set<ts.Node>();
  for (const [symbol, name] of names) {
    const uses = symbols.references(symbol).filter((node) => node.getSourceFile() === file);
    const swapped = uses.filter((node) => changed.has(node));
    const [first] = swapped;
    const specifier = first && specifierOf(source, file, first.text);
    if (!specifier) continue;
    const isUnused = swapped.length === uses.length;
    if (there.has(name)) {
      if (isUnused) dropped.add(specifier);
    } else if (isUnused) edited.update(specifier.getStart(), specifier.end, name);
    else edited.appendLeft(specifier.end, `, ${name}`);
  }
  dropItems(source, edited, dropped);
}
