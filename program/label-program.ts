import type ts from "typescript";
import type { AcceptedResource } from "./acceptance";
import type { Declaration } from "./declarations";
import type { Instance, Instances } from "./instances";
import { Refusal, unknown } from "./value";
import { registry } from "../provider/registry";

export const labelClass = registry.label.name;
export const tagClass = registry.endpointAgentTag.name;
export const labelsProperty = "endpointAgentLabels";

/** A declaration of labels. The first step writes a tag beside it, the second exchanges the two, the third deletes the label. */
export interface LabelDeclaration {
  readonly declaration: Declaration;
  readonly tag: Declaration | undefined;
}

/** The places that have a test select by labels. */
export interface LabelSelection {
  readonly property: ts.ObjectLiteralElementLike;
  readonly selector: ts.Expression;
  /** Whether the ids of the labels are written as text. */
  readonly isText: boolean;
}

/** A program that declares labels. */
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

  /** The instances that declare a resource. */
  instancesOf(resource: AcceptedResource): readonly Instance[] {
    const located = this.instances.locate(resource);
    if (!(located instanceof Refusal)) return located;
    const seen = resource.position && this.instances.source.at(resource.position);
    return seen?.className === resource.kind.name ? this.instances.at(seen.node) : [];
  }

  /** A tag belongs to the label of the same name. Computed names are the same if the same file computes them alike. */
  #isTagOf(tag: Declaration, label: Declaration): boolean {
    const [names, own] = [label, tag].map(({ node }) => this.instances.at(node).map(({ name }) => name));
    if (names?.length && !names.includes(undefined)) return names.every((name) => own?.includes(name));
    const [text, other] = [label, tag].map(({ node }) => node.arguments?.[0]?.getText());
    return tag.position.file === label.position.file && text === other;
  }

  fixedBy({ declaration, tag }: LabelDeclaration): Refusal | undefined {
    if (!tag || this.looseStatement(declaration.node) || this.looseStatement(tag.node)) return undefined;
    return new Refusal("has a tag that the program uses", tag.node);
  }

  /** The statement of a resource that nothing reads. */
  looseStatement(node: ts.NewExpression): ts.Statement | undefined {
    const { symbols } = this.instances;
    const compiler = this.#ts;
    const { parent } = node;
    if (compiler.isExpressionStatement(parent)) return parent;
    if (!compiler.isVariableDeclaration(parent) || !compiler.isIdentifier(parent.name)) return undefined;
    const statement = parent.parent.parent;
    const isAlone = compiler.isVariableStatement(statement) && statement.declarationList.declarations.length === 1;
    if (!isAlone || statement.modifiers) return undefined;
    const symbol = symbols.of(parent.name);
    return symbol && !symbols.isRead(symbol) ? statement : undefined;
  }

  /** @throws Refusal */
  selectionOf(instance: Instance): LabelSelection {
    const compiler = this.#ts;
    const { node } = instance.declaration;
    const labels = this.instances.memberOf(instance, labelsProperty);
    const selector = this.instances.memberOf(instance, "agentSelectorType");
    if (!labels?.set) throw new Refusal(`has ${labelsProperty} that the program does not show`, node);
    if (selector?.how !== "plain" || !compiler.isStringLiteralLike(selector.node))
      throw new Refusal("has an agentSelectorType that is no plain text", selector?.node ?? node);
    const isText = this.instances.reader(instance.env).dataOf(labels) !== unknown;
    return { property: labels.set.property, selector: selector.node, isText };
  }
}
