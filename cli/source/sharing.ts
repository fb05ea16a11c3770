import type ts from "typescript";
import { stable } from "../../provider/values";
import { few } from "../report/text";
import type { Declaration } from "./declarations";
import { anyMember, type Instance, type Instances } from "./instances";
import { objectIn, type Read, type Use } from "./read";
import type { Reader } from "./reader";
import type { Change } from "./rewrite";

/** A property of a resource that a program declares, or with no property whether there is that resource. */
export type Dependent = `${number} ${string}`;

export function dependent(instance: number, property = ""): Dependent {
  return `${instance} ${property}`;
}

/** Who reads which place of a program: a change of it is one for all of them. */
export class Sharing {
  readonly #readers = new Map<ts.Node, Map<string, Set<Dependent>>>();

  constructor(readonly instances: Instances) {
    for (const [i, instance] of instances.all.entries()) {
      for (const [node, member] of instance.places) this.#add(node, member, dependent(i));
      for (const property of Object.keys(instance.declaration.kind.schema.shape)) {
        saidOf(instances, instance, property, (node, member) => this.#add(node, member, dependent(i, property)));
      }
    }
  }

  /** All that a change is one for. */
  of({ node, ...change }: Change): Set<Dependent> {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    if (!("name" in change)) return new Set([...members.values()].flatMap((one) => [...one]));
    return new Set([change.name, anyMember].flatMap((name) => [...(members.get(name) ?? [])]));
  }

  /** Why something cannot be changed that is read by way of these names: code that says nothing of resources reads it, too. */
  otherUse(uses: readonly Use[]): string | undefined {
    const { symbols, visited, source } = this.instances;
    const isElsewhere = ({ symbol, member }: Use): boolean =>
      symbols.references(symbol).some((node) => {
        const { parent } = node;
        const read = source.ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : undefined;
        const isApart = read !== undefined && (read === "length" || (member !== undefined && read !== member));
        return !isApart && !visited.has(node);
      });
    for (const use of uses) {
      const declared = use.symbol.valueDeclaration;
      const isConstant = declared && source.ts.isVariableDeclaration(declared) && declared.initializer;
      const called = `is the ${isConstant ? "constant" : "variable"} ${use.symbol.name}`;
      if (symbols.escapes(use.symbol)) return `${called}, which other files can import`;
      if (isElsewhere(use)) return `${called}, which is used elsewhere, too`;
    }
    return undefined;
  }

  /** Why a change is not made: others that it is one for do not want it. */
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

  #add(node: ts.Node, member: string | undefined, reader: Dependent): void {
    const members = this.#readers.get(node) ?? new Map<string, Set<Dependent>>();
    this.#readers.set(node, members);
    const name = member ?? "";
    members.set(name, (members.get(name) ?? new Set()).add(reader));
  }
}

/** The arguments of a declaration; nothing where it has none. */
export function argumentsIn(reader: Reader, { node }: Declaration, before?: unknown): Read | undefined {
  const argument = node.arguments?.[1];
  return argument && reader.read(argument, before);
}

/** What a declaration says of a property, as an outline. */
export function saidOf(
  instances: Instances,
  { declaration, env }: Instance,
  property: string,
  trace?: (node: ts.Node, member?: string) => void,
): unknown {
  const reader = instances.reader(env, { trace });
  const args = argumentsIn(reader, declaration);
  const object = objectIn(args);
  if (!args || !object) return args && reader.outline(args);
  const member = reader.member(object, property);
  return member.how === "absent" ? undefined : reader.outline(member.read);
}

/** Text that is equal for the same change. */
export function keyOfChange({ node, how, uses: _uses, ...rest }: Change): string {
  return stable([node.getSourceFile().fileName, node.pos, node.end, how, rest]);
}
