import { compare } from "../../../provider/compare";
import { titleOf } from "../../../provider/identity";
import type { CheckFailure } from "../../../provider/kind";
import { stringOf } from "../../../provider/values";
import { type EngineResource, managedOf, type ManagedResource, nameOfUrn, parentOf } from "../../../engine/state";
import type { Declaration } from "../../../program/declarations";
import { glob } from "../../../common/glob";
import { importedKinds, type ImportedKind } from "../../../provider/imported-kinds";
import { compareNames, compareText } from "../../../common/text";
import { express, type Expressed, type DefaultAccountGroup, secretsAskedFor } from "./record-declaration";
import { capitalizedWord, resourceNames, variables } from "./names";
import { fileOf } from "../../../program/program-place";
import type { ExistingProgram } from "../../../program/existing-program";
import type { ItemStatus } from "../../../program/record-to-declare";
import type { ReadResource } from "../../../provider/handler";

/** Resources that the program declares and that the next update would create, by URN. */
export type Created = ReadonlyMap<string, EngineResource>;

export interface ListedRecord {
  readonly of: ImportedKind;
  readonly id: string;
  readonly title: string | undefined;
  readonly record: ReadResource;
}

export interface PlannedItem extends ListedRecord {
  readonly status: ItemStatus;
  readonly name: string;
  readonly stack?: string;
  readonly variable?: string | undefined;
  readonly path?: string;
  readonly declaration?: Declaration;
  /** The resource in the program that declares the record. According to the preview, the next update would create the resource. */
  readonly declared?: EngineResource | undefined;
  readonly expressed?: Expressed;
  readonly failures?: readonly CheckFailure[];
  /** Secrets that the declaration of an imported record reads from the configuration. */
  readonly secrets: readonly PlannedSecret[];
}

export interface PlannedSecret {
  readonly key: string;
  readonly property: string;
  /** Value of the secret, or undefined if neither the user nor the configuration provides the value. */
  readonly value: string | undefined;
  readonly configured: boolean;
}

export interface ImportContext {
  readonly home: DefaultAccountGroup;
  readonly program: ExistingProgram;
  readonly managed: readonly ManagedResource[];
  readonly others: readonly ManagedResource[];
  readonly created: Created;
  readonly match: readonly string[];
  readonly exclude: readonly string[];
  /** Secret values that the user provided, by configuration key. */
  readonly secretValues: Readonly<Record<string, string>>;
  /** Stack configuration values in the project's namespace. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Chooses a resource name and a status for each record. The function sends no requests and writes no files. */
export function planImport(listed: readonly ListedRecord[], now: ImportContext): PlannedItem[] {
  const [isWanted, isExcluded] = [anyGlob(now.match), anyGlob(now.exclude)];
  const isAskedFor = ({ id, title = id }: ListedRecord): boolean =>
    (now.match.length === 0 || isWanted(title) || isWanted(id)) && !isExcluded(title) && !isExcluded(id);
  return nameAll(listed, now).map((item) => {
    if (!isOpen(item)) return item;
    return isAskedFor(item) ? expressed(item, now) : { ...item, status: "excluded" };
  });
}

/** Whether the command imports a record. */
export function isOpen({ status }: PlannedItem): boolean {
  return status === "new" || status === "declared";
}

/** The function names all records, including skipped records, so that the names do not depend on the selected records. */
function nameAll(listed: readonly ListedRecord[], { managed, others, created, program }: ImportContext): PlannedItem[] {
  const holders = new Map(
    [...others, ...managed].map((managedResource) => [`${managedResource.kindName} ${managedResource.id}`, managedResource]),
  );
  const holderOf = ({ of, id }: ListedRecord): ManagedResource | undefined => holders.get(`${of.name} ${id}`);
  const here = new Set(managed);
  const free = listed.filter((item) => !holderOf(item));
  const bound = declarationsOf(free, created);
  const taken = new Set([
    ...managed.map(({ kind, name }) => `${kind.name} ${name}`),
    ...[...bound].map(([{ of }, { urn }]) => `${of.kind.name} ${nameOfUrn(urn)}`),
  ]);
  const names = resourceNames(listed, (item, name) => {
    if (holderOf(item) || bound.has(item)) return false;
    return taken.has(`${item.of.kind.name} ${name}`) || program.declaresAnother(item, name);
  });
  for (const [entry, { urn }] of bound) names.set(entry, nameOfUrn(urn));
  const nameOf = (item: ListedRecord): string => names.get(item) ?? item.id;
  const declarations = new Map(free.map((item) => [item, program.declarations(item.of.kind.name, nameOf(item))[0]]));
  const fresh = free.filter((item) => !bound.has(item) && !declarations.get(item));
  const chosen = variables(new Map(fresh.map((item) => [item, nameOf(item)])), (variable) => program.isTaken(variable));
  const items = listed.map((record): PlannedItem => {
    const [holder, declared, declaration] = [holderOf(record), bound.get(record), declarations.get(record)];
    if (holder) {
      return {
        ...record,
        status: here.has(holder) ? "managed" : "elsewhere",
        name: holder.name,
        stack: holder.stack,
        secrets: [],
      };
    }
    const item = { ...record, name: nameOf(record), declared, secrets: [] };
    if (declaration) {
      const { variable, position } = declaration;
      return { ...item, status: "declared", declaration, variable, path: position.file };
    }
    if (declared) return { ...item, status: "declared" };
    return { ...item, status: "new", variable: chosen.get(record), path: fileOf(program.place, record.of) };
  });
  return items.toSorted(inOrder);
}

function inOrder(a: PlannedItem, b: PlannedItem): number {
  const kinds = importedKinds.indexOf(a.of) - importedKinds.indexOf(b.of);
  return kinds || compareNames(a.name, b.name) || compareText(a.id, b.id);
}

function secretsOf({ of, record, status, declaration, variable }: PlannedItem, now: ImportContext): PlannedSecret[] {
  const keys = declaration && now.program.secretKeys(declaration);
  return secretsAskedFor(of.kind, record, now.home).flatMap((property) => {
    // An existing declaration determines the configuration keys of its secrets.
    const key = keys?.[property] ?? (status === "new" ? `${variable}${capitalizedWord(property)}` : undefined);
    if (key === undefined) return [];
    const value = now.secretValues[key] ?? now.configured[key];
    return [{ key, property, value, configured: value !== undefined && now.configured[key] === value }];
  });
}

function expressed(item: PlannedItem, now: ImportContext): PlannedItem {
  const secrets = secretsOf(item, now);
  const values = Object.fromEntries(secrets.map(({ property, value }) => [property, value]));
  const result = express(item.of.kind, item.record, now.home, values);
  const failures = "failures" in result ? result.failures : withoutParent(item, now.created);
  if ("failures" in result || failures.length > 0) return { ...item, status: "inexpressible", failures };
  return { ...item, secrets, expressed: result };
}

/**
 * Returns a failure if the parent is a resource that is not in the stack yet. A parent that is a component does not cause a failure,
 * because the engine imports components with their children.
 */
function withoutParent({ declared }: PlannedItem, created: Created): CheckFailure[] {
  const parent = created.get((declared && parentOf(declared)) ?? "");
  if (parent?.custom !== true) return [];
  const name = nameOfUrn(parent.urn);
  return [
    { path: "", reason: `belongs to ${name}, which is not in the stack yet: create it first with \`pulumi up --target\`` },
  ];
}

export function anyGlob(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map((pattern) => glob(pattern, "i"));
  return (text) => expressions.some((expression) => expression.test(text));
}

/** Whether a declaration has the name or the id of a record, and does not declare another account group. */
export function isOf({ kindName, kind, inputs }: ManagedResource, record: ListedRecord): boolean {
  if (kindName !== record.of.name) return false;
  const [group, actual] = [inputs, record.record.state].map(({ accountGroupId }) => stringOf(accountGroupId));
  if (group !== undefined && actual !== undefined && group !== actual && kind.takesDefaultAccountGroup !== false) return false;
  if (Object.values(inputs).includes(record.id)) return true;
  return record.title !== undefined && titleOf(kind, inputs) === record.title;
}

/**
 * Finds the declarations of records. If several records have the declared name, the declaration belongs to the record with the declared
 * properties.
 */
export function declarationsOf(records: readonly ListedRecord[], created: Created): Map<ListedRecord, EngineResource> {
  const byRecord = new Map<ListedRecord, EngineResource>();
  for (const resource of created.values()) {
    const declared = managedOf("", resource);
    if (!declared) continue;
    const candidates = records.filter((item) => isOf(declared, item) && !byRecord.has(item));
    const same = candidates.find(({ of, record: { state } }) =>
      compare(of.kind, state, declared.inputs).every(({ recordsOnly }) => recordsOnly),
    );
    const record = same ?? (candidates.length === 1 ? candidates[0] : undefined);
    if (record) byRecord.set(record, resource);
  }
  return byRecord;
}
