import type ts from "typescript";
import type { FileEdit } from "../edit/accepted";
import { Copier } from "./copies";
import type { Instances } from "../edit/instances";
import { Refusal } from "../edit/value";
import { attempt, labelClass, type LabelDeclaration, tagClass } from "./pairs";
import { tagArguments, tagVariable } from "./tag-arguments";
import type { TagNaming } from "./template";

/** Files as a step leaves them, and what could not be written. */
export interface StepEdits {
  readonly edits: readonly FileEdit[];
  readonly refused: ReadonlyMap<LabelDeclaration, Refusal>;
}

/** Declares a tag beside each label that has none. Nothing is written yet. */
export function tagEdits(instances: Instances, all: readonly LabelDeclaration[], naming: TagNaming): StepEdits {
  const { source, symbols } = instances;
  const refused = new Map<LabelDeclaration, Refusal>();
  const texts = new Map<ts.Node, string>();
  for (const one of all.filter(({ tag }) => tag === undefined)) {
    const written = one.holding instanceof Refusal ? one.holding : attempt(() => tagArguments(source, one.declaration, naming));
    if (written instanceof Refusal) refused.set(one, written);
    else texts.set(one.declaration.node, written);
  }
  refuseTogether(all, refused);
  const written = all.filter((one) => one.tag === undefined && !refused.has(one));
  const copier = new Copier(
    source,
    symbols,
    {
      from: labelClass,
      to: tagClass,
      nameOf: tagVariable,
      argumentsOf: ({ node }) => texts.get(node) ?? "",
    },
    all.map(({ declaration }) => declaration),
  );
  const holdings = written.flatMap(({ holding }) => (holding instanceof Refusal ? [] : [holding]));
  return { edits: copier.edits(holdings), refused };
}

/** What stands in one statement is copied as a whole, or not at all. */
function refuseTogether(all: readonly LabelDeclaration[], refused: Map<LabelDeclaration, Refusal>): void {
  const isOut = (one: LabelDeclaration): boolean => one.tag !== undefined || refused.has(one);
  for (let changed = true; changed;) {
    changed = false;
    for (const one of all) {
      if (isOut(one) || one.holding instanceof Refusal) continue;
      const { statements } = one.holding;
      const other = all.find((two) => two !== one && isOut(two) && standsIn(two.declaration.node, statements));
      if (!other) continue;
      const what = other.tag === undefined ? "cannot be copied" : "has a tag already";
      refused.set(one, new Refusal(`stands in one statement with another label, which ${what}`, one.declaration.node));
      changed = true;
    }
  }
}

export function standsIn(node: ts.Node, statements: ReadonlySet<ts.Node>): boolean {
  for (let at = node; at; at = at.parent) if (statements.has(at)) return true;
  return false;
}
