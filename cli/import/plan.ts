import type { CheckFailure } from "../../provider/kind";
import { type Properties, stringOf } from "../../provider/values";
import { type Held, nameOfUrn } from "../held";
import type { Declaration } from "../source/declarations";
import { type Declared, declarationsOf, type OwnDeclarations } from "./declared";
import { express, type Expressed, type Home, secretsAskedFor } from "./express";
import { anyGlob } from "./globs";
import { importedKinds, lastWord } from "../kinds";
import type { Listed } from "./listing";
import { resourceNames, variables } from "./names";
import { fileOf, type Place } from "./place";
import { Program } from "./program";
import { type Asked, type GivenSecrets, matchSecrets } from "./secrets";
import { capitalized } from "./words";

/** What becomes of a record. */
export type Fate =
  /** Declared in a file of its kind, and imported. */
  | "new"
  /** Declared by the program already, and imported. */
  | "declared"
  /** In the state of the stack already. */
  | "managed"
  /** In the state of another stack of the project. */
  | "elsewhere"
  /** Not asked for. */
  | "excluded"
  /** No declaration says it. */
  | "inexpressible";

/** A record of the service, and what becomes of it. */
export interface Item extends Listed {
  readonly fate: Fate;
  /** Name of its resource, the one it has or the one it gets. */
  readonly name: string;
  /** Stack that manages it. */
  readonly stack?: string;
  /** The constant that is to hold it. */
  readonly variable?: string;
  /** Where the program declares it, or is to. */
  readonly path?: string;
  /** Its declaration, where the engine has it from the program. */
  readonly declared?: Declared;
  readonly expressed?: Expressed;
  /** Why no declaration says it. */
  readonly failures?: readonly CheckFailure[];
  /** Configuration keys of its secrets, by property. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A secret of an imported resource, and its value where that is known. */
export interface Secret extends Asked {
  readonly value?: string;
  /** Whether the configuration of the stack holds that value already. */
  readonly configured: boolean;
}

/** Everything that an import is to do. */
export interface Plan {
  readonly items: readonly Item[];
  readonly secrets: readonly Secret[];
  /** Entries of the file of secrets that are for resources which are not imported now. */
  readonly unusedSecrets: readonly string[];
}

/** What a plan is made from, beside the records. */
export interface Circumstances {
  readonly home: Home;
  readonly place: Place;
  readonly held: readonly Held[];
  /** What the other stacks of the project hold. */
  readonly others: readonly Held[];
  /** What the program declares beyond that, as the engine has it. */
  readonly own: OwnDeclarations;
  readonly match: readonly string[];
  readonly exclude: readonly string[];
  readonly given: GivenSecrets;
  /** Values of the project's own configuration of the stack, by key. */
  readonly configured: Readonly<Record<string, string>>;
  readonly adopt: boolean;
}

/** Decides what becomes of each record, under which name. Sends and writes nothing. @throws UsageError */
export function planImport(listed: readonly Listed[], now: Circumstances): Plan {
  const program = new Program(now.place);
  const named = nameAll(listed, now, program);
  const [isWanted, isExcluded] = [anyGlob(now.match), anyGlob(now.exclude)];
  const texts = ({ id, title }: Listed): string[] => (title === undefined ? [id] : [title, id]);
  const isAskedFor = (one: Listed): boolean =>
    (now.match.length === 0 || texts(one).some(isWanted)) && !texts(one).some(isExcluded);
  const sorted = named.map((item) => (isOpen(item) && !isAskedFor(item) ? { ...item, fate: "excluded" as const } : item));

  const keys = new Set(program.keys);
  const asked = sorted.flatMap((item) => (isOpen(item) ? askedOf(item, now, keys) : []));
  const skipped = new Set(sorted.filter((item) => !isOpen(item)).flatMap(({ id, name }) => [id, name]));
  const { values, unused } = matchSecrets(now.given, asked, skipped);
  const secrets = asked.map((one): Secret => {
    const value = values.get(one) ?? now.configured[one.key];
    return { ...one, value, configured: value !== undefined && now.configured[one.key] === value };
  });
  const known = Map.groupBy(secrets, ({ id }) => id);
  const items = sorted.map((item) => (isOpen(item) ? expressed(item, known.get(item.id) ?? [], named, now) : item));
  const imported = new Set(items.filter(isOpen).map(({ id }) => id));
  return { items, secrets: secrets.filter(({ id }) => imported.has(id)), unusedSecrets: unused };
}

/** Whether an item is to be imported. */
export function isOpen({ fate }: Item): boolean {
  return fate === "new" || fate === "declared";
}

/** Names every record, whether or not it is imported: so that a name does not hang on what is left out. */
function nameAll(listed: readonly Listed[], { held, others, own, place }: Circumstances, program: Program): Item[] {
  const [here, there] = [byRecord(held), byRecord(others)];
  const isManaged = (one: Listed): boolean => here.has(keyOf(one)) || there.has(keyOf(one));
  const bound = declarationsOf(
    listed.filter((one) => !isManaged(one)),
    own.declared,
  );
  const namesHere = new Set([
    ...held.map(({ kind, name }) => `${kind.name} ${name}`),
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
  const items = listed.map((one): Item => {
    const name = names.get(one) ?? one.id;
    const [holder, foreign, declaration] = [here.get(keyOf(one)), there.get(keyOf(one)), declarations.get(one)];
    if (holder) return { ...one, fate: "managed", name: holder.name, stack: holder.stack, keys: {} };
    if (foreign) return { ...one, fate: "elsewhere", name: foreign.name, stack: foreign.stack, keys: {} };
    const declared = bound.get(one);
    if (declaration) {
      const { variable, position } = declaration;
      const keys = program.secretKeys(declaration);
      return { ...one, fate: "declared", name, variable, path: position.file, declared, keys };
    }
    if (declared) return { ...one, fate: "declared", name, declared, keys: {} };
    const path = fileOf(place, one.of);
    return { ...one, fate: "new", name, variable: chosen.get(one), path, keys: {} };
  });
  return items.toSorted(inOrder);
}

/** Kinds in the order of the registry, names as people sort them. */
function inOrder(a: Item, b: Item): number {
  const kinds = importedKinds.indexOf(a.of) - importedKinds.indexOf(b.of);
  return kinds || collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}

const collator = new Intl.Collator("en", { numeric: true });

const keyOf = ({ of, id }: Listed): string => `${of.name} ${id}`;

function byRecord(held: readonly Held[]): Map<string, Held> {
  return new Map(held.map((one) => [`${one.kindName} ${one.id}`, one]));
}

/** The secrets that the program is to take from the configuration for a record. @param used keys that are another's, which grow */
function askedOf(item: Item, { home }: Circumstances, used: Set<string>): Asked[] {
  const properties = secretsAskedFor(item.of.kind, item.found, home).filter(
    // What stands in the program already says itself where its secrets come from.
    (property) => item.fate === "new" || item.keys[property] !== undefined,
  );
  return properties.map((property) => {
    const stem = item.variable ?? item.name;
    const plain = `${stem}${capitalized(property)}`;
    const key = item.keys[property] ?? (used.has(plain) ? `${stem}${item.id}${capitalized(property)}` : plain);
    used.add(key);
    return { key, property, name: item.name, id: item.id, only: properties.length === 1 };
  });
}

function expressed(item: Item, secrets: readonly Secret[], all: readonly Item[], now: Circumstances): Item {
  const keys = Object.fromEntries(secrets.map(({ property, key }) => [property, key]));
  const values: Properties = Object.fromEntries(secrets.map(({ property, value }) => [property, value]));
  const result = express(item.of.kind, item.found, now.home, values);
  const failures = "failures" in result ? result.failures : now.adopt ? notAdoptable(item, all) : withoutParent(item, now.own);
  if (failures.length > 0) return { ...item, keys, fate: "inexpressible", failures };
  return "failures" in result ? item : { ...item, keys, expressed: result };
}

/** The engine imports a resource below one that is there, or below a component, which it imports with it. */
function withoutParent({ declared }: Item, { created }: OwnDeclarations): CheckFailure[] {
  const parent = declared?.parent === undefined ? undefined : created.get(declared.parent);
  if (parent?.custom !== true) return [];
  const name = nameOfUrn(parent.urn);
  return [{ path: "", reason: `belongs to ${name}, which is not in the stack yet: \`pulumi up --target\` that first` }];
}

/** An adoption goes by the name: it has to tell the record from the others. */
function notAdoptable(item: Item, all: readonly Item[]): CheckFailure[] {
  if (!item.of.kind.providerOptions.includes(adopt)) return [];
  const place = stringOf(item.found.state["accountGroupId"]);
  const twins = all.filter(
    ({ of, title, found }) => of === item.of && title === item.title && stringOf(found.state["accountGroupId"]) === place,
  );
  if (twins.length < 2) return [];
  const reason = `is that of ${twins.length} ${lastWord(item.of.kind.noun)}s, and adoption goes by it: rename them, or import with Pulumi 3.254 or newer`;
  return [{ path: item.of.kind.nameProperty, reason }];
}

/** The input of records that makes a create take over what is there. */
export const adopt = "adopt";
