import { requiredProperties } from "../../provider/check";
import { isObject, type Properties } from "../../provider/values";
import { UsageError } from "../command";
import type { ManagedResource } from "../engine/state";
import { type Front, frontModules } from "../front";
import type { Declaration } from "../edit/declarations";
import { Expression, keyText, literal } from "../edit/literal";
import { styleOf, usual, type Style } from "../edit/style";
import { isJavaScript } from "../edit/tsconfig";
import { mistakeIn } from "../edit/typescript";
import { Draft } from "./draft";
import { importedKinds, inOrderOfReference, lastWord, type ImportedKind } from "../kinds";
import { fileOf } from "./place";
import type { PlannedItem, ImportPlan } from "./plan";
import type { Program } from "./program";
import { capitalizedWord } from "./names";
import type { RecordNameOf } from "./referred";
import { cut, visible } from "../report/text";

/** A file of the program as it is to be. */
export interface GeneratedFile {
  /** Path from the root. */
  readonly path: string;
  /** The present text. Absent for a new file. */
  readonly before: string | undefined;
  readonly text: string;
  /** Declarations that are added. */
  readonly added: number;
}

interface Surrounding {
  readonly program: Program;
  readonly held: readonly ManagedResource[];
  /** The front of the classes. */
  readonly front: Front;
  readonly nameOf: RecordNameOf;
}

/** A constant that holds a resource, and the file it is in. */
interface Constant {
  readonly path: string;
  readonly variable: string;
  /** Whether other files may import it. */
  readonly exported: boolean;
}

/**
 * The files of the program that declare what is new, in the order they are to be written: one that refers to another after it,
 * and the one that the program starts with last. Whatever is there stays as it is.
 *
 * @throws UsageError if a file that gets declarations does not parse
 */
export function generate({ items }: ImportPlan, { program, held, front, nameOf }: Surrounding): GeneratedFile[] {
  const fresh = items.filter(({ status }) => status === "new");
  const constantOf = constants(items, held, program);
  const style = styleOfProgram(program);
  const drafts = inOrderOfReference(importedKinds).flatMap((of) => {
    const own = fresh.filter((item) => item.of === of);
    if (own.length === 0) return [];
    const path = fileOf(program.place, of);
    const draft = new Draft(
      program,
      path,
      own.map(({ variable = "" }) => variable),
    );
    declareAll(draft, of, own, { program, constantOf, front, nameOf, style });
    return [{ draft, added: own.length }];
  });
  // The entry also loads files that an interrupted run has written.
  const declared = items.flatMap(({ status, path, declared: runs }) =>
    status === "declared" && path !== undefined && !runs ? [path] : [],
  );
  const entry = entryDraft(program, [...new Set([...drafts.map(({ draft }) => draft.path), ...declared])]);
  const guard = guardDraft(program, drafts.length > 0 || entry !== undefined, style);
  const all = [...drafts, ...[entry, guard].flatMap((draft) => (draft ? [{ draft, added: 0 }] : []))];
  for (const { draft } of all) refuseBroken(program, draft.path);
  const files = all.map(({ draft, added }): GeneratedFile => {
    return { path: draft.path, before: program.text(draft.path), text: draft.text(style), added };
  });
  return files.filter(({ before, text }) => before !== text);
}

/** The style of the file that the program starts with. */
function styleOfProgram({ place }: Program): Style {
  const file = place.source?.file(place.start ?? place.entry) ?? place.source?.file(place.entry);
  return place.source && file ? styleOf(place.source.ts, file) : usual;
}

/** @throws UsageError */
function refuseBroken({ place }: Program, path: string): void {
  const { source } = place;
  const text = source?.texts.get(path);
  const mistake = source && text !== undefined ? mistakeIn(source.ts, path, text) : undefined;
  if (!mistake) return;
  throw new UsageError(
    `${path}:${mistake.line}:${mistake.column} is no valid program, so nothing can be added to it. Correct it, then run this again`,
    "work",
  );
}

/** The constant of a resource by kind and id: of this import, or one that the program has already. */
function constants(items: readonly PlannedItem[], held: readonly ManagedResource[], program: Program) {
  const found = new Map<string, Constant>();
  const addDeclared = (kindName: string, id: string, declaration: Declaration | undefined): void => {
    if (declaration?.variable === undefined) return;
    const { variable, exported, position } = declaration;
    found.set(`${kindName} ${id}`, { path: position.file, variable, exported });
  };
  for (const { kindName, kind, id, name } of held) {
    const declarations = program.place.source?.find(kind.name, name) ?? [];
    // Which of several it is, nobody can tell.
    if (declarations.length === 1) addDeclared(kindName, id, declarations[0]);
  }
  for (const { of, id, name, status, path, variable } of items) {
    if (status === "declared") addDeclared(of.name, id, program.declarationOf(of, name));
    if (status === "new" && path !== undefined && variable !== undefined)
      found.set(`${of.name} ${id}`, { path, variable, exported: true });
  }
  return (kindName: string, id: string): Constant | undefined => found.get(`${kindName} ${id}`);
}

interface Surroundings extends Omit<Surrounding, "held"> {
  readonly constantOf: (kindName: string, id: string) => Constant | undefined;
  readonly style: Style;
}

function declareAll(draft: Draft, of: ImportedKind, items: readonly PlannedItem[], around: Surroundings): void {
  const { front, style } = around;
  const { indent, quote, semicolon } = style;
  const className = draft.name(frontModules[front], of.kind.name, `${of.kind.name}Resource`);
  const hasKeys = items.some(({ keys }) => Object.keys(keys).length > 0);
  const config = hasKeys ? configOf(draft, around.program, semicolon) : undefined;
  for (const item of items) {
    const args = argumentsOf(draft, item, config, around).map(
      ([property, value]) => `${indent}${keyText(property, quote)}: ${inLines(value, style)},\n`,
    );
    const head = `new ${className}(${literal(item.name, { quote })}, {\n${args.join("")}}`;
    draft.addExported(item.variable ?? "", `${head}, { protect: true })`, semicolon, referencesComment(item));
  }
}

/** A comment with the alert rules and streams that name a record by its id. */
function referencesComment({ namedBy = [] }: PlannedItem): string {
  return namedBy.map(({ by, id, name }) => `// Named by ${by} ${visible(cut(name, maxComment))} (${visible(id)})\n`).join("");
}

/** A list of several objects, or with comments, gets a line an item. All other layout is left to the project's formatter. */
function inLines(value: unknown, { indent, quote }: Style): string {
  const text = literal(value, { quote });
  const isTable =
    Array.isArray(value) && value.length > 1 && value.every((item) => isObject(item) && !(item instanceof Expression));
  const lines = isTable ? `[\n${value.map((item) => `${literal(item, { quote })},\n`).join("")}]` : text;
  return lines.replaceAll(/\n(?=(\])?)/g, (_, end) => `\n${end === undefined ? indent + indent : indent}`);
}

/** Characters of the name of a record in a comment. */
const maxComment = 60;

/** The arguments as a person would order them: the name, what is required, then the rest as documented. */
function argumentsOf(
  draft: Draft,
  item: PlannedItem,
  config: string | undefined,
  { program, constantOf, nameOf, style }: Surroundings,
) {
  const { kind } = item.of;
  const secrets = Object.entries(item.keys).map(([property, key]) => [
    property,
    new Expression(`${config}.getSecret(${literal(key, { quote: style.quote })})`),
  ]);
  const values: Properties = { ...item.expressed?.declared, ...Object.fromEntries(secrets) };
  const refer = (target: string, id: unknown): unknown => {
    if (typeof id !== "string") return id;
    const constant = constantOf(target, id);
    const name = nameOf(target, id);
    const named = name === undefined ? id : new Expression(literal(id, { quote: style.quote }), visible(cut(name, maxComment)));
    return (constant && reference(draft, constant, target, program)) ?? named;
  };
  const required = new Set(requiredProperties(kind));
  const rank = (property: string): number => {
    if (kind.identity.includes(property)) return 0;
    // Lists are long, and read better after what is short.
    return required.has(property) && !Array.isArray(values[property]) ? 1 : 2;
  };
  return Object.keys(kind.schema.shape)
    .filter((property) => values[property] !== undefined)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((property): [string, unknown] => {
      const target: string | undefined = kind.refersTo[property];
      const value = values[property];
      if (target === undefined) return [property, value];
      return [property, Array.isArray(value) ? value.map((id) => refer(target, id)) : refer(target, value)];
    });
}

/** Returns `office.id`, and imports `office` from another file. Undefined if this file cannot import it. */
function reference(draft: Draft, constant: Constant, target: string, program: Program): Expression | undefined {
  if (constant.path === draft.path) return new Expression(`${constant.variable}.id`);
  // A file that loads this one is loaded after it: its constants would not be there yet.
  if (!constant.exported || program.loads(constant.path, draft.path)) return undefined;
  const noun = importedKinds.find(({ name }) => name === target)?.kind.noun ?? target;
  const module = program.specifier(draft.path, constant.path);
  return new Expression(`${draft.name(module, constant.variable, constant.variable + capitalizedWord(lastWord(noun)))}.id`);
}

/** Returns the constant of the project's configuration, and declares it if there is none. */
function configOf(draft: Draft, program: Program, semicolon: string): string {
  const there = program.configIn(draft.path);
  if (there !== undefined) return there;
  const pulumi = draft.namespace("@pulumi/pulumi", "pulumi", "Config");
  const name = draft.declare("config", "projectConfig");
  draft.add(
    "// The service never returns these secrets. One that the configuration does not\n// hold stays as the service has it.\n" +
      `const ${name} = new ${pulumi}.Config()${semicolon}`,
  );
  return name;
}

/** The entry, if it has to load more files. */
function entryDraft(program: Program, paths: readonly string[]): Draft | undefined {
  const { entry } = program.place;
  const lacking = paths.filter((path) => path !== entry && !program.isLoaded(path));
  if (lacking.length === 0) return undefined;
  const draft = new Draft(program, entry, []);
  for (const path of lacking) draft.load(program.specifier(entry, path));
  return draft;
}

/** The file that the program starts with, if it has to load the files of one stack: other stacks run it, too. */
function guardDraft(program: Program, writes: boolean, { indent, quote, semicolon }: Style): Draft | undefined {
  const { entry, start, guard } = program.place;
  if (guard === undefined || start === undefined || !writes || program.isGuarded(start, entry)) return undefined;
  const draft = new Draft(program, start, []);
  const pulumi = draft.namespace("@pulumi/pulumi", "pulumi", "getStack");
  const module = literal(program.specifier(start, entry), { quote });
  // Not every project has the types of Node.
  const isTyped = !isJavaScript(start) && !guard.isModule && !/\brequire\b/.test(program.text(start) ?? "");
  if (isTyped) draft.add(`declare const require: (module: string) => unknown${semicolon}`);
  const load = guard.isModule ? `await import(${module})` : `require(${module})`;
  draft.add(`if (${pulumi}.getStack() === ${literal(guard.stack, { quote })}) {\n${indent}${load}${semicolon}\n}`);
  return draft;
}
