import { requiredProperties } from "../provider/check";
import { isObject, type Properties } from "../provider/values";
import { type Front, frontModules } from "./front";
import type { Declaration } from "./declarations";
import { Expression, keyText, literal } from "./literal";
import { styleOf, usual, type Style } from "./style";
import { mistakeIn } from "./typescript";
import { Draft } from "./draft";
import { importedKinds, inOrderOfReference, type ImportedKind } from "../provider/imported-kinds";
import { fileOf } from "./program-place";
import type { ExistingProgram } from "./existing-program";
import { cut, visible } from "../common/text";
import { UsageError } from "../common/errors";
import { type RecordToDeclare, type RecordNameOf, type ReferableResource, type GeneratedFile } from "./record-to-declare";

interface GenerationContext {
  readonly program: ExistingProgram;
  readonly managed: readonly ReferableResource[];
  readonly front: Front;
  readonly nameOf: RecordNameOf;
}

interface Constant {
  readonly path: string;
  readonly variable: string;
  readonly exported: boolean;
}

interface FilesContext extends GenerationContext {
  readonly constantOf: (kindName: string, id: string) => Constant | undefined;
  readonly style: Style;
}

/**
 * Returns the files that declare the new records, in the order of writing. Existing lines in the files stay unchanged.
 *
 * Each file comes after the files that it imports, so the program's entry file comes last.
 *
 * @throws UsageError if a file to change has a syntax error
 */
export function generate(items: readonly RecordToDeclare[], context: GenerationContext): GeneratedFile[] {
  const { program, managed } = context;
  const { source } = program.place;
  const first = source?.file(program.place.entry);
  const style = source && first ? styleOf(source.ts, first) : usual;
  const filesContext = { ...context, constantOf: constants(items, managed, program), style };
  const drafts = inOrderOfReference(importedKinds).flatMap((of) => {
    const records = items.filter((item) => item.of === of && item.status === "new");
    return records.length === 0 ? [] : [{ draft: kindDraft(of, records, filesContext), added: records.length }];
  });
  // The program must also load files that an earlier, interrupted import wrote.
  const unloaded = items.flatMap(({ status, path, declared }) => (status === "declared" && !declared ? (path ?? []) : []));
  const entry = entryDraft(program, [...new Set([...drafts.map(({ draft }) => draft.path), ...unloaded])].toSorted(), style);
  const files = [...drafts, ...(entry ? [{ draft: entry, added: 0 }] : [])].map(({ draft, added }): GeneratedFile => {
    const before = program.text(draft.path);
    if (before !== undefined) refuseBroken(program, draft.path, before);
    return { path: draft.path, before, text: draft.text(style), added };
  });
  return files.filter(({ before, text }) => before !== text);
}

function refuseBroken({ place: { source } }: ExistingProgram, path: string, text: string): void {
  const mistake = source && mistakeIn(source.ts, path, text);
  if (!mistake) return;
  throw new UsageError(
    `${path}:${mistake.line}:${mistake.column} has a syntax error, so nothing can be added to the file. Correct the syntax error, then run the command again`,
    "work",
  );
}

function constants(items: readonly RecordToDeclare[], managed: readonly ReferableResource[], program: ExistingProgram) {
  const byValue = new Map<string, Constant>();
  const addDeclared = (kindName: string, id: string, { variable, exported, position }: Declaration): void => {
    if (variable !== undefined) byValue.set(`${kindName} ${id}`, { path: position.file, variable, exported });
  };
  for (const { kindName, kind, id, name } of managed) {
    const declarations = program.declarations(kind.name, name);
    if (declarations.length === 1 && declarations[0]) addDeclared(kindName, id, declarations[0]);
  }
  for (const { of, id, status, path = "", variable = "", declaration } of items) {
    if (declaration) addDeclared(of.name, id, declaration);
    if (status === "new") byValue.set(`${of.name} ${id}`, { path, variable, exported: true });
  }
  return (kindName: string, id: string): Constant | undefined => byValue.get(`${kindName} ${id}`);
}

function kindDraft(of: ImportedKind, items: readonly RecordToDeclare[], context: FilesContext): Draft {
  const { program, front, style } = context;
  const { indent, quote, semicolon } = style;
  const variables = items.map(({ variable = "" }) => variable);
  const draft = new Draft(program, fileOf(program.place, of), variables);
  const className = draft.name(frontModules[front], of.kind.name);
  const config = items.some(({ secrets }) => secrets.length > 0) ? configOf(draft, program, semicolon) : "";
  for (const item of items) {
    const args = argumentsOf(draft, item, config, context).map(
      ([property, value]) => `${indent}${keyText(property, quote)}: ${inLines(value, style)},\n`,
    );
    const head = `new ${className}(${literal(item.name, { quote })}, {\n${args.join("")}}`;
    draft.addExported(item.variable ?? "", `${head}, { protect: true })`, semicolon);
  }
  return draft;
}

/** Returns a literal. In a list of objects, each item is on its own line. The project's formatter can wrap all other lines. */
function inLines(value: unknown, { indent, quote }: Style): string {
  const text = literal(value, { quote });
  const isTable =
    Array.isArray(value) && value.length > 1 && value.every((item) => isObject(item) && !(item instanceof Expression));
  const lines = isTable ? `[\n${value.map((item) => `${literal(item, { quote })},\n`).join("")}]` : text;
  return lines.replaceAll(/\n(?=(\])?)/g, (_, end) => `\n${end === undefined ? indent + indent : indent}`);
}

const maxNameInComment = 60;

function argumentsOf(draft: Draft, item: RecordToDeclare, config: string, context: FilesContext): [string, unknown][] {
  const { kind } = item.of;
  const { quote } = context.style;
  const secrets = item.secrets.map(({ property, key }) => [
    property,
    new Expression(`${config}.getSecret(${literal(key, { quote })})`),
  ]);
  const values: Properties = { ...item.expressed?.declared, ...Object.fromEntries(secrets) };
  const refer = (target: string, id: unknown): unknown => {
    if (typeof id !== "string") return id;
    const name = context.nameOf(target, id);
    const named = name === undefined ? id : new Expression(literal(id, { quote }), visible(cut(name, maxNameInComment)));
    return reference(draft, target, id, context) ?? named;
  };
  const required = new Set(requiredProperties(kind));
  const rank = (property: string): number => {
    if (kind.identity.includes(property)) return 0;
    // Lists come after short values, because lists are long.
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

/** Returns a reference such as `office.id`. If another file declares `office`, the function adds an import. */
function reference(draft: Draft, target: string, id: string, { constantOf, program }: FilesContext): Expression | undefined {
  const constant = constantOf(target, id);
  if (!constant) return undefined;
  const { path, variable, exported } = constant;
  if (path === draft.path) return new Expression(`${variable}.id`);
  // If the constant's file loads the file of `draft`, the constant is not initialized yet when the file of `draft` runs.
  if (!exported || path === program.place.entry || program.loads(path, draft.path)) return undefined;
  return new Expression(`${draft.name(program.specifier(draft.path, path), variable)}.id`);
}

function configOf(draft: Draft, program: ExistingProgram, semicolon: string): string {
  const existing = program.configIn(draft.path);
  if (existing !== undefined) return existing;
  const pulumi = draft.namespace("@pulumi/pulumi", "pulumi", "Config");
  const name = draft.declare("config");
  draft.add(
    "// The service never returns these secrets. A secret that is not in the\n// configuration keeps its value in the service.\n" +
      `const ${name} = new ${pulumi}.Config()${semicolon}`,
  );
  return name;
}

/** Returns the program's entry file, if it must load more files. The entry file loads the files of a stack only if that stack runs. */
function entryDraft(
  program: ExistingProgram,
  paths: readonly string[],
  { indent, quote, semicolon }: Style,
): Draft | undefined {
  const { entry, onlyFor, isModule } = program.place;
  const lacking = paths.filter((path) => !program.loads(entry, path)).map((path) => program.specifier(entry, path));
  if (lacking.length === 0) return undefined;
  const draft = new Draft(program, entry, []);
  if (onlyFor === undefined) {
    for (const module of lacking) draft.load(module);
    return draft;
  }
  const pulumi = draft.namespace("@pulumi/pulumi", "pulumi", "getStack");
  // Some projects do not have Node's type declarations.
  const isTyped = !isModule && !/\brequire\b/.test(program.text(entry) ?? "");
  if (isTyped) draft.add(`declare const require: (module: string) => unknown${semicolon}`);
  const loads = lacking.map((module) => `${indent}${isModule ? "await import" : "require"}(${literal(module, { quote })})`);
  const block = loads.map((load) => `${load}${semicolon}\n`).join("");
  draft.add(`if (${pulumi}.getStack() === ${literal(onlyFor, { quote })}) {\n${block}}`);
  return draft;
}
