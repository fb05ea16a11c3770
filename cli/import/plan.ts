import type { Reference } from "../../provider/references/references";
import type { CheckFailure } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { type ManagedResource, nameOfUrn } from "../engine/state";
import type { Front } from "../front";
import { glob } from "../glob";
import { importedKinds } from "../kinds";
import { compareText } from "../report/text";
import type { Declaration } from "../edit/declarations";
import { type UnmanagedDeclaration, declarationsOf, type OwnDeclarations } from "./declared";
import { express, type Expressed, type Home, secretsAskedFor } from "./express";
import { capitalizedWord, resourceNames, variables } from "./names";
import { fileOf, type ProgramPlace } from "./place";
import { Program } from "./program";
import { type RequestedSecret, type GivenSecrets, matchSecrets } from "./secrets";
import type { Listed } from "./target";

/** The treatment of a record by an import. */
export type ItemStatus =
  /** Declared in a file of its kind, and imported. */
  | "new"
  /** Declared by the program already, and imported. */
  | "declared"
  /** In the state of the stack already. */
  | "managed"
  /** In the state of another stack of the project. */
  | "elsewhere"
  | "excluded"
  /** No declaration expresses it. */
  | "inexpressible";

/** A record of the service, and its treatment by the import. */
export interface PlannedItem extends Listed {
  readonly status: ItemStatus;
  /** Name of its resource, the one it has or the one it gets. */
  readonly name: string;
  readonly stack?: string;
  /** The constant that is to hold it. */
  readonly variable?: string;
  /** Where the program declares it, or is to. */
  readonly path?: string;
  /** The front of its class, if the text of the program declares it. */
  readonly front?: Front;
  /** Its declaration, if the engine previews it. */
  readonly declared?: UnmanagedDeclaration;
  readonly expressed?: Expressed;
  readonly failures?: readonly CheckFailure[];
  /** Configuration keys of its secrets, by property. */
  readonly keys: Readonly<Record<string, string>>;
  /** Alert rules and streams that name it, where that was asked for. */
  readonly namedBy?: readonly Reference[];
}

/** A secret of an imported resource, with its value if that is known. */
export interface PlannedSecret extends RequestedSecret {
  readonly value?: string;
  /** Whether the configuration of the stack holds that value already. */
  readonly configured: boolean;
}

export interface ImportPlan {
  readonly items: readonly PlannedItem[];
  readonly secrets: readonly PlannedSecret[];
  /** Entries of the file of secrets that are for resources which are not imported now. */
  readonly unusedSecrets: readonly string[];
}

export interface ImportContext {
  readonly home: Home;
  readonly place: ProgramPlace;
  readonly managed: readonly ManagedResource[];
  readonly others: readonly ManagedResource[];
  /** Other resources of the program, as the engine previews them. */
  readonly own: OwnDeclarations;
  readonly match: readonly string[];
  readonly exclude: readonly string[];
  readonly given: GivenSecrets;
  /** Values of the project's own configuration of the stack, by key. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Decides what to do with each record, under which name. Sends and writes nothing. @throws UsageError */
export function planImport(listed: readonly Listed[], now: ImportContext): ImportPlan {
  const program = new Program(now.place);
  const named = nameAll(listed, now, program);
  const [isWanted, isExcluded] = [anyGlob(now.match), anyGlob(now.exclude)];
  const texts = ({ id, title }: Listed): string[] => (title === undefined ? [id] : [title, id]);
  const isAskedFor = (one: Listed): boolean =>
    (now.match.length === 0 || texts(one).some(isWanted)) && !texts(one).some(isExcluded);
  const sorted = named.map((item) => (isOpen(item) && !isAskedFor(item) ? { ...item, status: "excluded" as const } : item));

  const keys = new Set(program.keys);
  const asked = sorted.flatMap((item) => (isOpen(item) ? askedOf(item, now, keys) : []));
  const skipped = new Set(sorted.filter((item) => !isOpen(item)).flatMap(({ id, name }) => [id, name]));
  const { values, unused } = matchSecrets(now.given, asked, skipped);
  const secrets = asked.map((one): PlannedSecret => {
    const value = values.get(one) ?? now.configured[one.key];
    return { ...one, value, configured: value !== undefined && now.configured[one.key] === value };
  });
  const known = Map.groupBy(secrets, ({ id }) => id);
  const items = sorted.map((item) => (isOpen(item) ? expressed(item, known.get(item.id) ?? [], now) : item));
  const imported = new Set(items.filter(isOpen).map(({ id }) => id));
  return { items, secrets: secrets.filter(({ id }) => imported.has(id)), unusedSecrets: unused };
}

export function isOpen({ status }: PlannedItem): boolean {
  return status === "new" || status === "declared";
}

/** Names every record, whether or not it is imported: so that a name does not depend on what is left out. */
function nameAll(listed: readonly Listed[], { managed, others, own, place }: ImportContext, program: Program): PlannedItem[] {
  const [here, there] = [byRecord(managed), byRecord(others)];
  const isManaged = (one: Listed): boolean => here.has(keyOf(one)) || there.has(keyOf(one));
  const bound = declarationsOf(
    listed.filter((one) => !isManaged(one)),
    own.declared,
  );
  const namesHere = new Set([
    ...managed.map(({ kind, name }) => `${kind.name} ${name}`),
    ...[...bound.values()].map(({ of, name }) => `${of.kind.name} ${name}`),
  ]);
  const names = resourceNames(listed, (one, name) => {
    if (isManaged(one) || bound.has(one)) return false;
    return namesHere.has(`${one.of.kind.name} ${name}`) || program.declaresAnother(one, name);
  });
  const declarations = new Map<Listed, Declaration>();
  for (const [one, { name }] of bound) names.set(one, name);
  for (const [one, name] of names) {
    const declaration = isManaged(one) ? undefined : program.declarationOf(one.of, name);
    if (declaration) declarations.set(one, declaration);
  }
  const fresh = [...names].filter(([one]) => !isManaged(one) && !bound.has(one) && !declarations.has(one));
  const chosen = variables(new Map(fresh), (one, variable) => program.isSeen(one.of, variable));
  const items = listed.map((one): PlannedItem => {
    const name = names.get(one) ?? one.id;
    const [holder, foreign, declaration] = [here.get(keyOf(one)), there.get(keyOf(one)), declarations.get(one)];
    if (holder) return { ...one, status: "managed", name: holder.name, stack: holder.stack, keys: {} };
    if (foreign) return { ...one, status: "elsewhere", name: foreign.name, stack: foreign.stack, keys: {} };
    const declared = bound.get(one);
    if (declaration) {
      const { variable, position, front } = declaration;
      const keys = program.secretKeys(declaration);
      return { ...one, status: "declared", name, variable, path: position.file, front, declared, keys };
    }
    if (declared) return { ...one, status: "declared", name, declared, keys: {} };
    const path = fileOf(place, one.of);
    return { ...one, status: "new", name, variable: chosen.get(one), path, keys: {} };
  });
  return items.toSorted(inOrder);
}

/** Kinds in the order of the registry, names as people sort them. */
function inOrder(a: PlannedItem, b: PlannedItem): number {
  const kinds = importedKinds.indexOf(a.of) - importedKinds.indexOf(b.of);
  return kinds || collator.compare(a.name, b.name) || compareText(a.id, b.id);
}

const collator = new Intl.Collator("en", { numeric: true });

const keyOf = ({ of, id }: Listed): string => `${of.name} ${id}`;

function byRecord(resources: readonly ManagedResource[]): Map<string, ManagedResource> {
  return new Map(resources.map((one) => [`${one.kindName} ${one.id}`, one]));
}

/** The secrets that the program is to take from the configuration for a record. @param used keys that are another's, which grow */
function askedOf(item: PlannedItem, { home }: ImportContext, used: Set<string>): RequestedSecret[] {
  const properties = secretsAskedFor(item.of.kind, item.found, home).filter(
    // A declaration of the program itself names the source of its secrets.
    (property) => item.status === "new" || item.keys[property] !== undefined,
  );
  return properties.map((property) => {
    const stem = item.variable ?? item.name;
    const plain = `${stem}${capitalizedWord(property)}`;
    const key = item.keys[property] ?? (used.has(plain) ? `${stem}${item.id}${capitalizedWord(property)}` : plain);
    used.add(key);
    return { key, property, name: item.name, id: item.id, only: properties.length === 1 };
  });
}

function expressed(item: PlannedItem, secrets: readonly PlannedSecret[], now: ImportContext): PlannedItem {
  const keys = Object.fromEntries(secrets.map(({ property, key }) => [property, key]));
  const values: Properties = Object.fromEntries(secrets.map(({ property, value }) => [property, value]));
  const result = express(item.of.kind, item.found, now.home, values);
  const failures = "failures" in result ? result.failures : withoutParent(item, now.own);
  if (failures.length > 0) return { ...item, keys, status: "inexpressible", failures };
  return "failures" in result ? item : { ...item, keys, expressed: result };
}

/** The engine imports a resource below one that exists, or below a component, which it imports with it. */
function withoutParent({ declared }: PlannedItem, { created }: OwnDeclarations): CheckFailure[] {
  const parent = declared?.parent === undefined ? undefined : created.get(declared.parent);
  if (parent?.custom !== true) return [];
  const name = nameOfUrn(parent.urn);
  return [{ path: "", reason: `belongs to ${name}, which is not in the stack yet: \`pulumi up --target\` that first` }];
}

/** Whether any of the patterns fits a text. Case does not count. */
export function anyGlob(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map((pattern) => glob(pattern, "i"));
  return (text) => expressions.some((expression) => expression.test(text));
}
