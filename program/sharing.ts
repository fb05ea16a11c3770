import type ts from "typescript";
import { few } from "../common/text";
import type { Instance, Instances } from "./instances";
import type { TextChange } from "./rewriter";
import { anyMember, type ValueUse } from "./value";

/**
 * A property of an instance that depends on a node of the program. If `property` is absent, the name or the existence of the instance
 * depends on the node.
 */
export interface Dependent {
  readonly instance: Instance;
  readonly property?: string;
}

/** Finds all properties that depend on a node of the program, because a change to the node also changes these properties. */
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

  of({ node, ...change }: TextChange): Dependent[] {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    const name = change.how === "items" ? change.name : undefined;
    const read = name === undefined ? [...members.values()] : [name, anyMember].map((member) => members.get(member));
    return [...new Set(read.flatMap((dependents) => [...(dependents ?? [])]))];
  }

  /** Returns the reason why a change is refused, if code outside of resource declarations also reads the value. */
  otherUse(uses: readonly ValueUse[] = []): string | undefined {
    const { symbols, source } = this.instances;
    for (const use of uses) {
      const declared = use.symbol.valueDeclaration;
      const isConstant = declared && source.ts.isVariableDeclaration(declared) && declared.initializer;
      const called = `is the ${isConstant ? "constant" : "variable"} ${use.symbol.name}`;
      if (symbols.escapes(use.symbol)) return `${called}, which other files can import`;
      if (symbols.references(use.symbol).some((node) => this.#isOtherUse(node, use)))
        return `${called}, which other code also uses`;
    }
    return undefined;
  }

  /**
   * Returns the reason why the edit of a shared value is refused.
   *
   * @param conflicts the other properties that the edit would also change
   */
  reason(instance: Instance, conflicts: readonly Dependent[]): string {
    if (conflicts.some(({ property }) => property === undefined)) return "is also part of the name of a resource";
    const names = conflicts.flatMap(({ instance: of }) => (of === instance ? [] : [of.name ?? of.declaration.className]));
    const shown = [...new Set(names.length > 0 ? names : conflicts.map(({ property = "" }) => property))];
    return `is shared with ${few(shown, 3)}, which ${shown.length === 1 ? "has" : "have"} not drifted to the same value`;
  }

  #isOtherUse(node: ts.Identifier, { member }: ValueUse): boolean {
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
