import type ts from "typescript";
import type { AcceptedResource } from "./acceptance";
import type { Declaration } from "./declarations";
import type { Instance, Instances } from "./instances";
import { Refusal, unknown } from "./value";
import { registry } from "../provider/registry";

export const labelClass = registry.label.name;
export const tagClass = registry.endpointAgentTag.name;
export const labelsProperty = "endpointAgentLabels";

/**
 * A declaration of one or more labels, with the tag that replaces the labels.
 *
 * Step 1 of the migration writes a tag next to the label. Step 2 of the migration exchanges the declarations of the label and the tag, so
 * that references to the label become references to the tag. Step 3 of the migration deletes the label.
 */
export interface LabelDeclaration {
  readonly declaration: Declaration;
  readonly tag: Declaration | undefined;
}

export interface LabelSelection {
  readonly property: ts.ObjectLiteralElementLike;
  readonly selector: ts.Expression;
  /** Whether the program contains label ids as literals. */
  readonly isText: boolean;
}

export class LabelProgram {
  readonly labels: readonly LabelDeclaration[];
  readonly #ts: typeof ts;

  constructor(readonly instances: Instances) {
    this.#ts = instances.source.ts;
    const of = (name: string): Declaration[] => instances.source.declarations.filter(({ className }) => className === name);
    const tags = of(tagClass);
    const tagOf = (label: Declaration): Declaration | undefined => tags.find((tag) => this.#isTagOf(tag, label));
    this.labels = of(labelClass).map((declaration) => ({ declaration, tag: tagOf(declaration) }));
  }

  instancesOf(resource: AcceptedResource): readonly Instance[] {
    const located = this.instances.locate(resource);
    if (!(located instanceof Refusal)) return located;
    const seen = resource.position && this.instances.source.at(resource.position);
    return seen?.className === resource.kind.name ? this.instances.at(seen.node) : [];
  }

  /**
   * Whether a tag has the same resource name as a label. Computed names count as equal if the expressions are equal and in the same file.
   */
  #isTagOf(tag: Declaration, label: Declaration): boolean {
    const [labelNames, tagNames] = [label, tag].map(({ node }) => this.instances.at(node).map(({ name }) => name));
    if (labelNames?.length && !labelNames.includes(undefined)) return labelNames.every((name) => tagNames?.includes(name));
    const [labelText, tagText] = [label, tag].map(({ node }) => node.arguments?.[0]?.getText());
    return tag.position.file === label.position.file && labelText === tagText;
  }

  fixedBy({ declaration, tag }: LabelDeclaration): Refusal | undefined {
    if (!tag || this.looseStatement(declaration.node) || this.looseStatement(tag.node)) return undefined;
    return new Refusal("has a tag that the program uses", tag.node);
  }

  /** Returns the statement that declares a resource, unless other code in the program reads the resource. */
  looseStatement(node: ts.NewExpression): ts.Statement | undefined {
    const { symbols } = this.instances;
    const compiler = this.#ts;
    const { parent } = node;
    if (compiler.isExpressionStatement(parent)) return parent;
    if (!compiler.isVariableDeclaration(parent) || !compiler.isIdentifier(parent.name)) return undefined;
    const statement = parent.parent.parent;
    const isSingle = compiler.isVariableStatement(statement) && statement.declarationList.declarations.length === 1;
    if (!isSingle || statement.modifiers) return undefined;
    const symbol = symbols.of(parent.name);
    return symbol && !symbols.isRead(symbol) ? statement : undefined;
  }

  /** @throws Refusal */
  selectionOf(instance: Instance): LabelSelection {
    const compiler = this.#ts;
    const { node } = instance.declaration;
    const labels = this.instances.memberOf(instance, labelsProperty);
    const selector = this.instances.memberOf(instance, "agentSelectorType");
    if (!labels?.set) throw new Refusal(`has ${labelsProperty} that cannot be read from the program`, node);
    if (selector?.how !== "plain" || !compiler.isStringLiteralLike(selector.node))
      throw new Refusal("has an agentSelectorType that is not plain text", selector?.node ?? node);
    const isText = this.instances.reader(instance.env).dataOf(labels) !== unknown;
    return { property: labels.set.property, selector: selector.node, isText };
  }
}
