import type ts from "typescript";
import { stable } from "../../provider/values";
import { few } from "../report/text";
import type { Instance, Instances } from "./instances";
import type { Change } from "./rewrite";
import { anyMember, type Trace, type Use } from "./value";

/** A property of an instance by its index. Without a property it is whether there is that instance. */
export type Dependent = `${number} ${string}`;

export function dependent(instance: number, property = ""): Dependent {
  return `${instance} ${property}`;
}

/** Knows which properties read which place of a program: a change of the place changes all of them. */
export class Sharing {
  readonly #readers = new Map<ts.Node, Map<string, Set<Dependent>>>();

  constructor(readonly instances: Instances) {
    for (const [i, instance] of instances.all.entries()) {
      for (const [node, member] of instance.places) this.#add(node, member, dependent(i));
      for (const property of Object.keys(instance.declaration.kind.schema.shape)) {
        const trace: Trace = (node, member) => this.#add(node, member, dependent(i, property));
        const reader = instances.reader(instance.env, { trace });
        const member = instances.memberOf(instance, property, reader);
        if (member.how !== "absent") reader.dataOf(member.value);
      }
    }
  }

  /** All properties that a change changes. */
  of({ node, ...change }: Change): Set<Dependent> {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    const read = "name" in change ? [change.name, anyMember].map((name) => members.get(name)) : [...members.values()];
    return new Set(read.flatMap((one) => [...(one ?? [])]));
  }

  /** The reason why a value that is read by these names cannot be changed: code that declares no resource reads it, too. */
  otherUse(uses: readonly Use[] = []): string | undefined {
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
    const read = others.map((one) => {
      const at = one.indexOf(" ");
      return { of: this.instances.all[Number(one.slice(0, at))], property: one.slice(at + 1) };
    });
    if (read.some(({ property }) => property === "")) return "is what a resource is named by, too";
    const names = new Set(read.flatMap(({ of }) => (of && of !== instance ? [of.name ?? of.declaration.className] : [])));
    const shown = names.size > 0 ? [...names] : [...new Set(read.map(({ property }) => property))];
    return `is shared with ${few(shown, 3)}, which ${shown.length === 1 ? "has" : "have"} not drifted to the same value`;
  }

  #isOther(node: ts.Identifier, { member }: Use): boolean {
    const { parent } = node;
    const isMember = this.instances.source.ts.isPropertyAccessExpression(parent) && parent.expression === node;
    const read = isMember ? parent.name.text : undefined;
    const isApart = read !== undefined && (read === "length" || (member !== undefined && read !== member));
    return !isApart && !this.instances.visited.has(node);
  }

  #add(node: ts.Node, member: string | undefined, reader: Dependent): void {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    this.#readers.set(node, members);
    const name = member ?? "";
    members.set(name, (members.get(name) ?? new Set()).add(reader));
  }
}

/** Text that is equal for the same change. */
export function keyOfChange({ node, how, uses: _uses, ...rest }: Change): string {
  return stable([node.getSourceFile().fileName, node.pos, node.end, how, rest]);
}
