import { compare } from "../../../provider/compare";
import { titleOf } from "../../../provider/identity";
import type { Reference } from "../../../provider/references/references";
import type { CheckFailure } from "../../../provider/kind";
import { stringOf } from "../../../provider/values";
import { type EngineResource, managedOf, type ManagedResource, nameOfUrn, parentOf } from "../../../engine/state";
import type { Declaration } from "../../../program/declarations";
import { glob } from "../../../common/glob";
import { importedKinds, type ImportedKind } from "../../../provider/imported-kinds";
import { compareNames, compareText } from "../../../common/text";
import { express, type Expressed, type DefaultAccountGroup, secretsAskedFor } from "./express";
import { capitalizedWord, resourceNames, variables } from "./names";
import { fileOf } from "../../../program/program-place";
import type { ExistingProgram } from "../../../program/existing-program";
import type { ItemStatus } from "../../../program/record-to-declare";
import type { ReadResource } from "../../../provider/handler";

/** The resources that the next update would create, by URN. Those of ours are declared and not managed yet. */
export type Created = ReadonlyMap<string, EngineResource>;

/** A record as the service lists it. */
export interface ListedRecord {
  readonly of: ImportedKind;
  readonly id: string;
  readonly title: string | undefined;
  readonly record: ReadResource;
}

/** A record of the service, and its treatment by the import. */
export interface PlannedItem extends ListedRecord {
  readonly status: ItemStatus;
  /** Name of its resource, the one it has or the one it gets. */
  readonly name: string;
  readonly stack?: string;
  /** The constant that is to hold it. */
  readonly variable?: string | undefined;
  /** Path of the file that declares it, or is to. */
  readonly path?: string;
  /** Its declaration in the text of the program. */
  readonly declaration?: Declaration;
  /** The resource that the next update would create for it, if the engine previews one. */
  readonly declared?: EngineResource | undefined;
  readonly expressed?: Expressed;
  readonly failures?: readonly CheckFailure[];
  /** The secrets that its declaration takes from the configuration, if it is imported. */
  readonly secrets: readonly PlannedSecret[];
  /** Alert rules and streams that name it, with `--references`. */
  readonly namedBy?: readonly Reference[];
}

export interface PlannedSecret {
  readonly key: string;
  readonly property: string;
  /** Absent if nobody gave it and the configuration lacks it. */
  readonly value: string | undefined;
  /** Whether the configuration of the stack holds that value already. */
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
  /** Values of secrets that the user gave, by configuration key. */
  readonly secretValues: Readonly<Record<string, string>>;
  /** Values of the project's own configuration of the stack, by key. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Decides what to do with each record, under which name. Sends and writes nothing. */
export function planImport(listed: readonly ListedRecord[], now: ImportContext): PlannedItem[] {
  const [isWanted, isExcluded] = [anyGlob(now.match), anyGlob(now.exclude)];
  const isAskedFor = ({ id, title = id }: ListedRecord): boolean =>
    (now.match.length === 0 || isWanted(title) || isWanted(id)) && !isExcluded(title) && !isExcluded(id);
  return nameAll(listed, now).map((item) => {
    if (!isOpen(item)) return item;
    return isAskedFor(item) ? expressed(item, now) : { ...item, status: "excluded" };
  });
}

/** Whether a record is imported. */
export function isOpen({ status }: PlannedItem): boolean {
  return status === "new" || status === "declared";
}

/** Names every record, whether or not it is imported, so that a name does not depend on what is left out. */
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

/** Kinds in the order of the registry, names as people sort them. */
function inOrder(a: PlannedItem, b: PlannedItem): number {
  const kinds = importedKinds.indexOf(a.of) - importedKinds.indexOf(b.of);
  return kinds || compareNames(a.name, b.name) || compareText(a.id, b.id);
}

function secretsOf({ of, record, status, declaration, variable }: PlannedItem, now: ImportContext): PlannedSecret[] {
  const keys = declaration && now.program.secretKeys(declaration);
  return secretsAskedFor(of.kind, record, now.home).flatMap((property) => {
    // A declaration of the program itself names the source of its secrets.
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

/** The engine imports a resource below one that exists, or below a component, which it imports with it. */
function withoutParent({ declared }: PlannedItem, created: Created): CheckFailure[] {
  const parent = created.get((declared && parentOf(declared)) ?? "");
  if (parent?.custom !== true) return [];
  const name = nameOfUrn(parent.urn);
  return [{ path: "", reason: `belongs to ${name}, which is not in the stack yet: \`pulumi up --target\` that first` }];
}

/** Whether any of the patterns fits a text. Case does not count. */
export function anyGlob(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map((pattern) => glob(pattern, "i"));
  return (text) => expressions.some((expression) => expression.test(text));
}

/** Whether a declaration is that of a record: with its name or its id, and with no other account group. */
export function isOf({ kindName, kind, inputs }: ManagedResource, record: ListedRecord): boolean {
  if (kindName !== record.of.name) return false;
  const [group, actual] = [inputs, record.record.state].map(({ accountGroupId }) => stringOf(accountGroupId));
  if (group !== undefined && actual !== undefined && group !== actual && kind.takesDefaultAccountGroup !== false) return false;
  if (Object.values(inputs).includes(record.id)) return true;
  return record.title !== undefined && titleOf(kind, inputs) === record.title;
}

/**
 * Finds the declaration of each record that has one. If several records have its name, it is that of the record without a difference. No
 * record has two declarations.
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
