import type ts from "typescript";
import { few } from "../common/text";
import type { Instance, Instances } from "./instances";
import type { TextChange } from "./rewriter";
import { anyMember, type ValueUse } from "./value";

/** A property of an instance. Without a property it is whether there is that instance. */
export interface Dependent {
  readonly instance: Instance;
  readonly property?: string;
}

/** Knows which properties read which place of a program: a change of the place changes all of them. */
export class Sharing {
  readonly #readers = new Map<ts.Node, Map<string, Set<Dependent>>>();

  constructor(readonly instances: Instances) {
    for (const instance of instances.all) {
      const existence: Dependent = { instance };
      for (const place of instance.places) this.#add(existence, ...place);
      for (const property of Object.keys(instance.declaration.kind.schema.shape)) {
        const dependent: Dependent = { instance, property };
        const reader = instances.reader(instance.env, { trace: (...place) => this.#add(dependent, ...place) });
        const member = instances.memberOf(instance, property, reader);
        if (member) reader.dataOf(member);
      }
    }
  }

  /** All properties that a change changes. */
  of({ node, ...change }: TextChange): Dependent[] {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    const name = change.how === "items" ? change.name : undefined;
    const read = name === undefined ? [...members.values()] : [name, anyMember].map((member) => members.get(member));
    return [...new Set(read.flatMap((dependents) => [...(dependents ?? [])]))];
  }

  /** The reason why a value that is read by these names cannot be changed: code that declares no resource reads it, too. */
  otherUse(uses: readonly ValueUse[] = []): string | undefined {
    const { symbols, source } = this.instances;
    for (const use of uses) {
      const declared = use.symbol.valueDeclaration;
      const isConstant = declared && source.ts.isVariableDeclaration(declared) && declared.initializer;
      const called = `is the ${isConstant ? "constant" : "variable"} ${use.symbol.name}`;
      if (symbols.escapes(use.symbol)) return `${called}, which other files can import`;
      if (symbols.references(use.symbol).some((node) => this.#isOther(node, use)))
        return `${called}, which is used elsewhere, too`;
    }
    return undefined;
  }

  /** The reason why a change is not made: other properties that it changes do not want it. */
  reason(instance: Instance, others: readonly Dependent[]): string {
    if (others.some(({ property }) => property === undefined)) return "is what a resource is named by, too";
    const names = others.flatMap(({ instance: of }) => (of === instance ? [] : [of.name ?? of.declaration.className]));
    const shown = [...new Set(names.length > 0 ? names : others.map(({ property = "" }) => property))];
    return `is shared with ${few(shown, 3)}, which ${shown.length === 1 ? "has" : "have"} not drifted to the same value`;
  }

  #isOther(node: ts.Identifier, { member }: ValueUse): boolean {
    const { parent } = node;
    const isMember = this.instances.source.ts.isPropertyAccessExpression(parent) && parent.expression === node;
    const read = isMember ? parent.name.text : undefined;
    const isApart = read !== undefined && (read === "length" || (member !== undefined && read !== member));
    return !isApart && !this.#readers.has(node);
  }

  #add(reader: Dependent, node: ts.Node, member = ""): void {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    this.#readers.set(node, members);
    members.set(member, (members.get(member) ?? new Set()).add(reader));
  }
}
