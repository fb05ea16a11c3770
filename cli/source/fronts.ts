import MagicString from "magic-string";
import type ts from "typescript";
import { classOfToken, nativeToken, typeToken } from "../../sdk/token";
import { type Front, frontModules } from "../front";
import { bindingsOf, importedAs } from "./bindings";
import { positionOf, withoutTypes } from "./declarations";
import type { FileEdit } from "./accepted";
import type { ProgramSource } from "./program";
import type { Position } from "../engine/state";
import type { TypeScript } from "./typescript";

/** Something of a program that a move to another front does not edit. */
export interface Unmoved {
  readonly position: Position;
  /** Why, after "it". */
  readonly reason: string;
  /** What a person does about it. */
  readonly advice: string;
}

/** A file on its way to another front: as it is to be, and what is left of it to a person. */
export interface MovedFile {
  /** Absent where nothing changes. */
  readonly edit?: FileEdit;
  readonly left: readonly Unmoved[];
}

/**
 * Has a file take everything from another front. Only specifiers change, with the quotes they have. A file that uses what the other front
 * does not have stays as it is: its resources stay what they are, too, and both fronts work side by side.
 */
export function moveFile({ ts: compiler }: ProgramSource, file: ts.SourceFile, to: Front): MovedFile {
  const from: Front = to === "native" ? "dynamic" : "native";
  const path = file.fileName;
  const at = (node: ts.Node): Position => positionOf(path, file, node);
  const specifiers = specifiersOf(compiler, file).filter(({ text }) => text === frontModules[from]);
  const obstacles = specifiers.length === 0 ? [] : obstaclesIn(compiler, file, from);
  const stays = "takes what the other front does not have, so its file is left as it is";
  if (obstacles.length > 0) {
    return { left: obstacles.map(({ node, what, advice }) => ({ position: at(node), reason: `${stays}: ${what}`, advice })) };
  }
  const known = new Set<ts.Node>(specifiers);
  const left = [
    ...textsIn(compiler, file).flatMap((node) => (known.has(node) ? [] : strayText(node, from, to, at(node)))),
    ...(to === "native" && specifiers.length > 0
      ? providersIn(compiler, file, from).map((node) => bareProvider(at(node)))
      : []),
  ];
  if (specifiers.length === 0) return { left };
  const edited = new MagicString(file.text);
  for (const node of specifiers) edited.update(node.getStart(file) + 1, node.end - 1, frontModules[to]);
  return { edit: { path, before: file.text, after: edited.toString() }, left };
}

/** The texts by which a file names modules, in whatever way it loads them or names their types. */
function specifiersOf(compiler: TypeScript, file: ts.SourceFile): ts.StringLiteralLike[] {
  return textsIn(compiler, file).filter(({ parent }) => {
    if (compiler.isImportDeclaration(parent) || compiler.isExportDeclaration(parent)) return true;
    if (compiler.isExternalModuleReference(parent) || compiler.isModuleDeclaration(parent)) return true;
    if (compiler.isLiteralTypeNode(parent)) return compiler.isImportTypeNode(parent.parent);
    if (!compiler.isCallExpression(parent)) return false;
    const { expression } = parent;
    return expression.kind === compiler.SyntaxKind.ImportKeyword || /^require(\.resolve)?$/.test(expression.getText(file));
  });
}

function textsIn(compiler: TypeScript, file: ts.SourceFile): ts.StringLiteralLike[] {
  return nodesIn(compiler, file).filter((node) => compiler.isStringLiteralLike(node));
}

function nodesIn(compiler: TypeScript, file: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A text that names the front without being an import of it. */
function strayText({ text }: ts.StringLiteralLike, from: Front, to: Front, position: Position): Unmoved[] {
  if (text === frontModules[from]) {
    const advice = `write "${frontModules[to]}" there if it stands for what the program imports`;
    return [{ position, reason: "names the module outside of an import", advice }];
  }
  const token = text.split(/[$:]{2}|\$/).find((part) => isTokenOf(part, from));
  if (token === undefined) return [];
  const other = (to === "native" ? nativeToken : typeToken)(classOfToken(token) ?? "");
  return [
    { position, reason: "names a type token", advice: `write ${other} there, or both while other stacks have not moved` },
  ];
}

function isTokenOf(text: string, front: Front): boolean {
  const className = classOfToken(text);
  return className !== undefined && text === (front === "native" ? nativeToken : typeToken)(className);
}

interface Obstacle {
  readonly node: ts.Node;
  readonly what: string;
  readonly advice: string;
}

/** What a file uses that only one of the fronts has. */
function obstaclesIn(compiler: TypeScript, file: ts.SourceFile, from: Front): Obstacle[] {
  const { names, namespaces } = bindingsOf(compiler, file, frontModules[from]);
  const exportedBy = (node: ts.Expression): string | undefined => {
    if (compiler.isIdentifier(node)) return names.get(node.text);
    if (!compiler.isPropertyAccessExpression(node) || !compiler.isIdentifier(node.expression)) return undefined;
    return namespaces.has(node.expression.text) ? node.name.text : undefined;
  };
  const isFunction = (node: ts.Expression): boolean => /^get[A-Z]/.test(exportedBy(node) ?? "");
  // The plugin has all that the dynamic front has.
  if (from === "dynamic") return [];
  return nodesIn(compiler, file).flatMap((node): Obstacle[] => {
    if (compiler.isImportSpecifier(node) && /^NativeFetch(Output)?$/.test((node.propertyName ?? node.name).text)) {
      const advice = "name the type Fetch or FetchOutput by hand, then run this again";
      return isOfModule(compiler, node, frontModules[from]) ? [{ node, what: `the type ${node.getText(file)}`, advice }] : [];
    }
    if (compiler.isCallExpression(node) && isFunction(node.expression)) {
      const option = memberOf(compiler, node.arguments[1], "provider");
      const advice = "functions use the settings of the stack there: take the option out, then run this again";
      return option ? [{ node: option, what: "the option provider of a function", advice }] : [];
    }
    if (!compiler.isNewExpression(node) || exportedBy(node.expression) === undefined) return [];
    const option = memberOf(compiler, node.arguments?.[2], "import");
    const advice = "run `pulumi up`, which imports it, and take the option out, then run this again";
    return option ? [{ node: option, what: "the resource option import", advice }] : [];
  });
}

function isOfModule(compiler: TypeScript, node: ts.ImportSpecifier, module: string): boolean {
  const { moduleSpecifier: specifier } = node.parent.parent.parent as ts.ImportDeclaration;
  return compiler.isStringLiteralLike(specifier) && specifier.text === module;
}

/** A member of an object that is written where it is passed. */
function memberOf(compiler: TypeScript, node: ts.Expression | undefined, name: string): ts.Node | undefined {
  const object = node && withoutTypes(compiler, node);
  if (!object || !compiler.isObjectLiteralExpression(object)) return undefined;
  return object.properties.find((member) => member.name?.getText() === name);
}

/** Providers that take the address or the credentials of the stack, which those of the plugin do not. */
function providersIn(compiler: TypeScript, file: ts.SourceFile, from: Front): ts.NewExpression[] {
  const name = importedAs(compiler, file, frontModules[from], "Provider");
  return nodesIn(compiler, file).filter((node): node is ts.NewExpression => {
    if (!compiler.isNewExpression(node) || name === undefined || node.expression.getText(file) !== name) return false;
    const args = node.arguments?.[1] && withoutTypes(compiler, node.arguments[1]);
    if (args && !compiler.isObjectLiteralExpression(args)) return false;
    if (args?.properties.some((member) => compiler.isSpreadAssignment(member))) return false;
    const has = (...members: string[]): boolean => members.some((member) => memberOf(compiler, args, member) !== undefined);
    return !has("baseUrl") || !has("token", "clientId");
  });
}

function bareProvider(position: Position): Unmoved {
  return {
    position,
    reason: "is a provider that leaves its address or its credentials to the stack, which one of the plugin does not",
    advice:
      'give it baseUrl and token (or clientId and clientSecret), such as those of new pulumi.Config("endpoint-monitoring"); ' +
      "without them the environment counts",
  };
}
