import MagicString from "magic-string";
import type ts from "typescript";
import type { FileEdit } from "../edit/accepted";
import { bindingsOfAny } from "../edit/bindings";
import { packageModules } from "../edit/declarations";
import type { Holding } from "./holding";
import type { Instances } from "../edit/instances";
import { commentsIn } from "../edit/places";
import { Refusal } from "../edit/value";
import { dropItems, dropLines, type Specifier, specifierOf, specifiersIn } from "./specifiers";
import { labelClass, type LabelDeclaration, tagClass } from "./pairs";
import { standsIn, type StepEdits } from "./write-tags";

/** Takes labels out of the program. @param kept labels that stay, and why */
export function labelEdits(
  instances: Instances,
  all: readonly LabelDeclaration[],
  kept: ReadonlyMap<LabelDeclaration, Refusal>,
): StepEdits {
  const refused = new Map(kept);
  for (const one of all) if (one.holding instanceof Refusal && !refused.has(one)) refused.set(one, one.holding);
  const leaving = (): Holding[] =>
    all.flatMap((one) => (refused.has(one) || one.holding instanceof Refusal ? [] : [one.holding]));
  for (let changed = true; changed;) {
    changed = false;
    const statements = new Set(leaving().flatMap((one) => [...one.statements]));
    for (const one of all) {
      if (refused.has(one) || one.holding instanceof Refusal) continue;
      const why = stays(instances, one.holding, all, refused, statements);
      if (!why) continue;
      refused.set(one, why);
      changed = true;
    }
  }
  return { edits: editsOf(instances, leaving()), refused };
}

/** Why a label cannot be taken out: something else uses it, or stands in one statement with it. */
function stays(
  { symbols }: Instances,
  holding: Holding,
  all: readonly LabelDeclaration[],
  refused: ReadonlyMap<LabelDeclaration, Refusal>,
  leaving: ReadonlySet<ts.Node>,
): Refusal | undefined {
  const other = all.find((two) => refused.has(two) && standsIn(two.declaration.node, holding.statements));
  if (other) return new Refusal("stands in one statement with a label that stays", other.declaration.node);
  const use = [...holding.symbols]
    .flatMap((symbol) => symbols.references(symbol))
    .find((node) => !standsIn(node, leaving) && !standsIn(node, holding.exports));
  return use && new Refusal("is used in the program", use);
}

function editsOf(instances: Instances, holdings: readonly Holding[]): FileEdit[] {
  const { source, symbols } = instances;
  const { ts: compiler } = source;
  const statements = new Set<ts.Node>(holdings.flatMap((one) => [...one.statements]));
  const names = new Set(holdings.flatMap((one) => [...one.symbols]));
  const exported = new Set(holdings.flatMap((one) => [...one.exports]));
  const imported = importsOf(instances, names);
  const touched = new Set([...statements, ...exported, ...imported].map((node) => node.getSourceFile()));
  return [...touched].map((file): FileEdit => {
    const edited = new MagicString(file.text);
    const here = (node: ts.Node): boolean => node.getSourceFile() === file;
    const whole = [...statements, ...[...exported].filter((node) => compiler.isStatement(node))].filter(here);
    for (const node of whole) dropStatement(edited, node as ts.Statement, statements);
    const items = [...exported, ...imported].filter((node) => here(node) && !compiler.isStatement(node));
    const unused = unusedClass(instances, file, whole);
    dropItems(source, edited, new Set([...items, ...(unused ? [unused] : [])]));
    return { path: file.fileName, before: file.text, after: edited.toString() };
  });

  function importsOf(of: Instances, all: ReadonlySet<ts.Symbol>): Specifier[] {
    return [...of.source.texts.keys()].flatMap((path) => {
      const file = source.file(path);
      if (!file) return [];
      return specifiersIn(source, file).filter(({ name }) => {
        const symbol = compiler.isIdentifier(name) ? symbols.of(name) : undefined;
        return symbol !== undefined && all.has(symbol) && !statements.has(name.parent.parent.parent);
      });
    });
  }
}

/** Takes out a statement. Comments above it stay where its copy comes next: they are about both. */
function dropStatement(edited: MagicString, node: ts.Statement, dropped: ReadonlySet<ts.Node>): void {
  const { text } = node.getSourceFile();
  const siblings = "statements" in node.parent ? (node.parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const next = siblings?.[siblings.indexOf(node) + 1];
  const isCopy = next !== undefined && !dropped.has(next) && next.getText().includes(tagClass);
  const lineEnd = text.indexOf("\n", node.end) < 0 ? text.length : text.indexOf("\n", node.end);
  const end = commentsIn(text, node.end, lineEnd).at(-1)?.end ?? node.end;
  const comments = isCopy ? [] : attached(text, node.getFullStart(), node.getStart());
  dropLines(edited, text, comments[0] ?? node.getStart(), end);
}

/** Where the comments begin that stand directly above a statement. */
function attached(text: string, from: number, start: number): number[] {
  const comments = commentsIn(text, from, start);
  const first = comments.findLastIndex((one, i) => /\n[ \t]*\r?\n/.test(text.slice(one.end, comments[i + 1]?.start ?? start)));
  return comments.slice(first + 1).map((one) => one.start);
}

/** The import of the class of labels, where nothing else in a file uses it. */
function unusedClass({ source }: Instances, file: ts.SourceFile, dropped: readonly ts.Node[]): Specifier | undefined {
  const { ts: compiler } = source;
  const { names } = bindingsOfAny(compiler, file, packageModules);
  const local = [...names].find(([, exported]) => exported === labelClass)?.[0];
  const specifier = local === undefined ? undefined : specifierOf(source, file, local);
  if (!specifier) return undefined;
  const gone = new Set<ts.Node>(dropped);
  let isUsed = false;
  const visit = (node: ts.Node): void => {
    if (gone.has(node) || node === specifier) return;
    if (compiler.isIdentifier(node) && node.text === local) isUsed = true;
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return isUsed ? undefined : specifier;
}
