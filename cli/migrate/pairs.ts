import type ts from "typescript";
import type { ManagedResource } from "../engine/state";
import { registry } from "../../provider/registry";
import { fronts } from "../front";
import { tokenOf } from "../front-token";
import { withoutTypes, type Declaration } from "../edit/declarations";
import { Holdings, type Holding } from "./holding";
import type { Instances } from "../edit/instances";
import { Refusal } from "../edit/value";
import { tagVariables } from "./tag-arguments";

export const labelClass = registry.label.name;
export const tagClass = registry.endpointAgentTag.name;

/** The URN of the tag that a label became: the same name, below the same parent. So no step has to be remembered anywhere. */
export function tagUrnOf({ urn }: Pick<ManagedResource, "urn">): string {
  const front = fronts.find((one) => urn.includes(`${tokenOf(one, labelClass)}::`)) ?? "dynamic";
  return urn.replace(`${tokenOf(front, labelClass)}::`, () => `${tokenOf(front, tagClass)}::`);
}

/** A declaration of labels, the one of their tags where the program has it, and what it is part of. */
export interface LabelDeclaration {
  readonly declaration: Declaration;
  /** Names of the resources that it declares, as far as the program shows them. */
  readonly names: readonly string[];
  /** Whether the program shows all of them. */
  readonly isNamed: boolean;
  readonly tag: Declaration | undefined;
  readonly holding: Holding | Refusal;
}

/** The declarations of labels of a program. */
export function labelDeclarations(instances: Instances): LabelDeclaration[] {
  const { source, symbols } = instances;
  const [labels, tags] = [labelClass, tagClass].map((name) => source.declarations.filter((one) => one.className === name));
  const namesOf = (declaration: Declaration): (string | undefined)[] =>
    instances.all.flatMap((one) => (one.declaration === declaration ? [one.name] : []));
  const named = new Map((tags ?? []).map((tag) => [tag, namesOf(tag)]));
  const holdings = new Holdings(source, symbols, labels ?? []);
  return (labels ?? []).map((declaration): LabelDeclaration => {
    const names = namesOf(declaration);
    return {
      declaration,
      names: names.flatMap((name) => name ?? []),
      isNamed: !names.includes(undefined),
      tag: tagOf(declaration, names, named),
      holding: attempt(() => holdings.of(declaration)),
    };
  });
}

/** The declaration of tags of the same names; where names are worked out, the one in the same file that works them out alike. */
function tagOf(
  { node, position }: Declaration,
  names: readonly (string | undefined)[],
  tags: ReadonlyMap<Declaration, readonly (string | undefined)[]>,
): Declaration | undefined {
  const isKnown = names.length > 0 && !names.includes(undefined);
  const text = node.arguments?.[0]?.getText();
  const found = [...tags].find(([tag, own]) => {
    if (isKnown) return names.every((name) => own.includes(name));
    return tag.position.file === position.file && tag.node.arguments?.[0]?.getText() === text;
  });
  return found?.[0];
}

/** The variables that stand for tags, by the variables that stand for their labels. */
export function tagNames(instances: Instances, declarations: readonly LabelDeclaration[]): Map<ts.Symbol, string> {
  const { ts: compiler } = instances.source;
  const held = namesOfTags(instances);
  const found = new Map<ts.Symbol, string>();
  for (const { declaration, tag, holding } of declarations) {
    if (!tag || holding instanceof Refusal) continue;
    for (const symbol of holding.symbols) {
      const direct = directlyHeld(compiler, tag.node);
      const declared = symbol.valueDeclaration;
      const isDirect =
        declared !== undefined &&
        compiler.isVariableDeclaration(declared) &&
        declared.initializer !== undefined &&
        withoutTypes(compiler, declared.initializer) === declaration.node;
      const path = declared?.getSourceFile().fileName ?? "";
      const name = isDirect ? direct : tagVariables(symbol.name).find((one) => held.has(`${path} ${one}`));
      if (name !== undefined) found.set(symbol, name);
    }
  }
  return found;
}

/** The variables and functions that hold tags, each with its file: another one may have such a name by chance. */
function namesOfTags({ source, symbols }: Instances): Set<string> {
  const tags = source.declarations.filter((one) => one.className === tagClass);
  const holdings = new Holdings(source, symbols, tags);
  const held = tags.flatMap((tag): ts.Symbol[] => {
    const holding = attempt(() => holdings.of(tag));
    return holding instanceof Refusal ? [] : [...holding.symbols];
  });
  return new Set(held.map((symbol) => `${symbol.valueDeclaration?.getSourceFile().fileName} ${symbol.name}`));
}

/** The variable of `const x = new …`. */
function directlyHeld(compiler: Instances["source"]["ts"], node: ts.NewExpression): string | undefined {
  let at: ts.Node = node.parent;
  while (compiler.isParenthesizedExpression(at) || compiler.isAsExpression(at) || compiler.isSatisfiesExpression(at))
    at = at.parent;
  return compiler.isVariableDeclaration(at) && compiler.isIdentifier(at.name) ? at.name.text : undefined;
}

/** What something comes to, or why it does not. */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
