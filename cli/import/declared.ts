import { compare } from "../../provider/compare";
import { titleOf } from "../../provider/identity";
import { type Properties, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { changingSteps, previewStack } from "../engine/preview";
import type { ProjectStack } from "../engine/stack";
import { type EngineResource, type ManagedResource, managedOf, kindNameOf, nameOfUrn, parentOf } from "../engine/state";
import { importedKinds, type ImportedKind } from "../kinds";
import type { Output } from "../report/output";
import type { Program } from "./program";
import type { Listed } from "./target";

/** A resource that the program declares and the stack does not manage yet, as the engine has it from the program. */
export interface UnmanagedDeclaration {
  readonly of: ImportedKind;
  readonly urn: string;
  /** Its type token. */
  readonly type: string;
  readonly name: string;
  readonly inputs: Properties;
  /** URN of the parent, unless that is the stack. */
  readonly parent: string | undefined;
}

/** The resources that the program declares and the stack does not manage. */
export interface OwnDeclarations {
  readonly declared: readonly UnmanagedDeclaration[];
  /** Every resource that the next update would create, by URN: parents of those may be among them. */
  readonly created: ReadonlyMap<string, EngineResource>;
}

export const nothingDeclared: OwnDeclarations = { declared: [], created: new Map() };

/**
 * Finds the resources that the program declares and the stack does not manage. The engine runs the program, unless its text declares
 * no such resource.
 *
 * @throws InterruptedError
 */
export async function declaredBy(
  stack: ProjectStack,
  program: Program,
  managed: readonly ManagedResource[],
  out: Output,
): Promise<OwnDeclarations> {
  const isManaged = new Set(managed.map(({ kind, name }) => `${kind.name} ${name}`));
  const declarations = program.place.source?.declarations ?? [];
  if (declarations.every(({ className, name }) => isManaged.has(`${className} ${name}`))) return nothingDeclared;
  out.progress("Previewing the program, which declares something already");
  try {
    const steps = changingSteps(await previewStack(stack, "The preview failed")).filter(({ op }) => op === "create");
    const created = new Map(steps.flatMap(({ urn, newState }) => (newState ? [[urn, newState] as const] : [])));
    return { declared: [...created.values()].flatMap((one) => declaredOf(stack.name, one)), created };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    out.warn(`What the program declares already is known from its text alone: ${error.message}`);
    return nothingDeclared;
  }
}

function declaredOf(stack: string, resource: EngineResource): UnmanagedDeclaration[] {
  const of = importedKinds.find(({ name }) => name === kindNameOf(resource.type));
  const managed = managedOf(stack, resource);
  if (!of || !managed) return [];
  return [
    {
      of,
      urn: resource.urn,
      type: resource.type,
      name: nameOfUrn(resource.urn),
      inputs: managed.inputs,
      parent: parentOf(resource),
    },
  ];
}

/** Whether a declaration is that of a record: it has its name or its id, and no other account group. */
export function isOf({ of, inputs }: Pick<UnmanagedDeclaration, "of" | "inputs">, record: Listed): boolean {
  if (of !== record.of) return false;
  const { state } = record.found;
  const [group, actual] = [stringOf(inputs["accountGroupId"]), stringOf(state["accountGroupId"])];
  if (group !== undefined && actual !== undefined && group !== actual && of.kind.takesDefaultAccountGroup !== false)
    return false;
  if (Object.values(inputs).includes(record.id)) return true;
  return record.title !== undefined && titleOf(of.kind, inputs) === record.title;
}

/**
 * The declaration of each record that has one. Where several records have a name, that one is meant which is as it is declared; no
 * record has two declarations.
 */
export function declarationsOf(
  records: readonly Listed[],
  declared: readonly UnmanagedDeclaration[],
): Map<Listed, UnmanagedDeclaration> {
  const found = new Map<Listed, UnmanagedDeclaration>();
  const taken = new Set<UnmanagedDeclaration>();
  const take = (pick: (candidates: readonly Listed[], one: UnmanagedDeclaration) => Listed | undefined): void => {
    for (const one of declared) {
      if (taken.has(one)) continue;
      const record = pick(
        records.filter((candidate) => isOf(one, candidate) && !found.has(candidate)),
        one,
      );
      if (!record) continue;
      found.set(record, one);
      taken.add(one);
    }
  };
  take((candidates, { of, inputs }) =>
    candidates.find(({ found: { state } }) => compare(of.kind, state, inputs).every(({ recordsOnly }) => recordsOnly)),
  );
  take((candidates) => (candidates.length === 1 ? candidates[0] : undefined));
  return found;
}
