import { compare } from "../../provider/compare";
import { titleOf } from "../../provider/identity";
import { stringOf } from "../../provider/values";
import { previewStack } from "../engine/preview";
import type { ProjectStack } from "../engine/stack";
import { type EngineResource, type ManagedResource, managedOf } from "../engine/state";
import type { Output } from "../report/output";
import type { Program } from "./program";
import type { Listed } from "./target";

/** The resources that the next update would create, by URN. Those of ours are declared and not managed yet. */
export type Created = ReadonlyMap<string, EngineResource>;

/**
 * Finds the resources that the next update would create. The engine runs the program, unless its text declares no resource of ours
 * that the stack does not manage.
 *
 * @throws UsageError if the program cannot be previewed, InterruptedError
 */
export async function createdBy(
  stack: ProjectStack,
  program: Program,
  managed: readonly ManagedResource[],
  out: Output,
): Promise<Created> {
  const isManaged = new Set(managed.map(({ kind, name }) => `${kind.name} ${name}`));
  const declarations = program.place.source?.declarations ?? [];
  if (declarations.every(({ className, name }) => isManaged.has(`${className} ${name}`))) return new Map();
  out.progress("Previewing the program, which declares something already");
  const { steps } = await previewStack(stack, "The program cannot be previewed, so what it declares already is not known");
  return new Map(steps.flatMap(({ op, urn, newState }) => (op === "create" && newState ? [[urn, newState]] : [])));
}

/** Whether a declaration is that of a record: with its name or its id, and with no other account group. */
export function isOf({ kindName, kind, inputs }: ManagedResource, record: Listed): boolean {
  if (kindName !== record.of.name) return false;
  const [group, actual] = [inputs, record.found.state].map(({ accountGroupId }) => stringOf(accountGroupId));
  if (group !== undefined && actual !== undefined && group !== actual && kind.takesDefaultAccountGroup !== false) return false;
  if (Object.values(inputs).includes(record.id)) return true;
  return record.title !== undefined && titleOf(kind, inputs) === record.title;
}

/**
 * Finds the declaration of each record that has one. If several records have its name, it is that of the record without a difference. No
 * record has two declarations.
 */
export function declarationsOf(records: readonly Listed[], created: Created): Map<Listed, EngineResource> {
  const found = new Map<Listed, EngineResource>();
  for (const resource of created.values()) {
    const declared = managedOf("", resource);
    if (!declared) continue;
    const candidates = records.filter((one) => isOf(declared, one) && !found.has(one));
    const same = candidates.find(({ of, found: { state } }) =>
      compare(of.kind, state, declared.inputs).every(({ recordsOnly }) => recordsOnly),
    );
    const record = same ?? (candidates.length === 1 ? candidates[0] : undefined);
    if (record) found.set(record, resource);
  }
  return found;
}
