import type ts from "typescript";
import { check, withoutDefaults } from "../provider/check";
import type { Kind } from "../provider/kind";
import { isSame } from "../provider/shape";
import { isObject } from "../provider/values";
import { secretMask } from "../common/text";
import type { AcceptedChange, AcceptedResource, ObservedResource } from "./acceptance";
import { asWritten } from "./advice";
import type { Import } from "./imports";
import type { Instance } from "./instances";
import type { Expression } from "./literal";
import type { Reader } from "./reader";
import type { SourceReferences } from "./source-references";
import { keyOfChange, Rewriter, type TextChange, type Wanted } from "./rewriter";
import type { Sharing } from "./sharing";
import { isJavaScript } from "./tsconfig";
import { refusal, Refusal, unknown, type Value } from "./value";
import { appliedToYaml } from "./yaml-edits";
import { isYaml } from "./yaml-source";

/** The changes that give a property its new value, and the imports that the changes need. */
export interface PropertyPlan {
  readonly changes: readonly TextChange[];
  /** Alternative changes if other properties share the value. The alternative changes leave the shared value unchanged. */
  readonly instead?: readonly TextChange[];
  readonly imports: readonly Import[];
}

export interface ResourceChange {
  readonly resource: AcceptedResource;
  readonly change: AcceptedChange;
}

export class Planner {
  constructor(
    private readonly sharing: Sharing,
    private readonly references: SourceReferences,
  ) {}

  /**
   * Plans the edit of one property of an instance.
   *
   * @param changes the changes to the property, at most one change per stack
   * @param resources all resources of the instance, one for each stack
   * @throws Refusal
   */
  plan(instance: Instance, changes: readonly ResourceChange[], resources: readonly ObservedResource[]): PropertyPlan {
    const plans = changes.map((resourceChange) => this.#planOf(instance, resourceChange));
    const [first] = plans;
    const isAgreed = changes.length === resources.length || plans.every((plan) => plan.changes.length === 0);
    const distinct = new Set(plans.map((plan) => plan.changes.map(keyOfChange).toSorted().join()));
    if (!first || !isAgreed || distinct.size > 1) throw notAlike(instance, resources);
    return first;
  }

  #planOf(instance: Instance, { resource, change }: ResourceChange): PropertyPlan {
    const { instances } = this.sharing;
    const { kind, secrets, stack } = resource;
    const { property } = change;
    const { node } = instance.declaration;
    if (!Object.hasOwn(kind.schema.shape, property)) throw new Refusal(`is not a property of ${kind.name}`, node);
    const reader = instances.reader(instance.env, { idOf: (expression) => this.references.idOf(stack, expression) });
    const args = instances.argumentsOf(instance, reader);
    const member = args?.how === "object" ? reader.member(args, property) : undefined;
    if (change.secret || secrets.has(property) || kind.secrets.includes(property) || containsMask(change.after)) {
      throw new Refusal("is secret: it is never written into a program", node, member && refusal(member).remedy);
    }
    if (!args) throw new Refusal("is declared without arguments", node);
    const obstacle = args.how === "fixed" ? args.why : args.how === "object" && this.sharing.otherUse(args.uses);
    if (obstacle)
      throw new Refusal(`has arguments that cannot be changed: the expression ${obstacle}`, node.arguments?.[1] ?? node);
    if (args.how !== "object") throw new Refusal("has arguments that are not an object literal", args.node);

    const imports: Import[] = [];
    const places = [args.node, member?.node ?? args.node];
    const wanted = wantedOf(kind, change, (id, kindName) => this.references.to(id, { stack, kindName, places }, imports));
    const written = member && reader.dataOf(member);
    if (member && written === unknown) throw refusal(openIn(reader, member));
    const declared =
      written === undefined || wanted.full === undefined ? written : check(kind, { [property]: written }).inputs[property];
    if (written !== undefined && isSame(kind, property, declared, wanted.full)) return { changes: [], imports };
    const rewriter = new Rewriter(reader);
    const changes = rewriter.member(args, property, wanted);
    const isShared = member?.set && member.set.owner !== args && wanted.full !== undefined;
    const instead = isShared && !isInJavaScript(args.node) ? [rewriter.addition(args, property, wanted)] : undefined;
    for (const { uses, node: place } of changes) {
      const why = this.sharing.otherUse(uses);
      if (why === undefined) continue;
      if (instead) return { changes: instead, imports };
      const set = member?.set?.property;
      throw new Refusal(why, set && "initializer" in set ? set.initializer : (set ?? place));
    }
    for (const [file, changesOfFile] of Map.groupBy(changes, ({ node: place }) => place.getSourceFile())) {
      if (isYaml(file)) appliedToYaml(file, changesOfFile);
      if (isJavaScript(file.fileName)) {
        throw new Refusal("is in a JavaScript file: only TypeScript and data files are edited", member?.node ?? args.node);
      }
    }
    return { changes, imports, ...(instead && { instead }) };
  }
}

/**
 * Returns the refusal for a property that has different values in the instance's resources. A program can read different values from the
 * configuration of each stack.
 */
export function notAlike({ declaration }: Instance, resources: readonly ObservedResource[]): Refusal {
  const stacks = new Set(resources.map(({ resource }) => resource.stack));
  const why = `is shared by several resources with different values (stack ${[...stacks].join(", ")})`;
  return new Refusal(why, declaration.node, stacks.size > 1 ? "by stack" : undefined);
}

function openIn(reader: Reader, value: Value): Value {
  const members = value.how === "object" ? reader.namesIn(value).map((name) => reader.member(value, name)) : [];
  const parts = value.how === "list" ? value.items : members;
  const open = parts.find((part) => reader.dataOf(part) === unknown);
  return open ? openIn(reader, open) : value;
}

function wantedOf(kind: Kind, change: AcceptedChange, refer: (id: string, kindName: string) => Expression | undefined): Wanted {
  const { property, after } = change;
  const written = asWritten(kind, change);
  if (written === undefined) return { full: undefined, lean: undefined };
  const target = kind.refersTo[property];
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    return (target !== undefined && typeof value === "string" && refer(value, target)) || value;
  };
  const lean = referred(withoutDefaults(kind, { [property]: written })[property]);
  return { full: check(kind, { [property]: after }).inputs[property], lean };
}

function isInJavaScript(node: ts.Node): boolean {
  return isJavaScript(node.getSourceFile().fileName);
}

function containsMask(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsMask);
  return isObject(value) ? Object.values(value).some(containsMask) : value === secretMask;
}
