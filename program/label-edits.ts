import MagicString from "magic-string";
import type ts from "typescript";
import type { SourceEdit } from "./source-edit";
import { declaredNames, importedAs } from "./bindings";
import { packageModules, withoutTypes } from "./declarations";
import {
  labelClass,
  labelsProperty,
  tagClass,
  type LabelDeclaration,
  type LabelProgram,
  type LabelSelection,
} from "./label-program";
import { withoutUnused } from "./text-edits";
import { styleOf } from "./style";
import { nodesIn } from "./typescript";
import { Refusal } from "./value";
import { endpointAgentTag } from "../provider/resources/endpoint-agent-tag";
import type { TagNaming } from "./tag-naming";

/** Matches syntax that may evaluate an inner expression more than once, or not at all. */
const branches = /^(Conditional|If|For|While|Do|Case|Default|PropertyDeclaration|Parameter)/;

/** @throws Refusal if the program computes the member's name (in brackets) */
function nameOf(part: ts.ObjectLiteralElementLike): string {
  if (part.name && "text" in part.name) return part.name.text;
  throw new Refusal("has an argument with a key in brackets", part);
}

/** Collects the edits of a migration step, without writing files. */
export class LabelEdits {
  readonly #ts: typeof ts;
  readonly #files = new Map<ts.SourceFile, MagicString>();

  constructor(private readonly program: LabelProgram) {
    this.#ts = program.instances.source.ts;
  }

  /**
   * Inserts the declaration of a tag before the declaration of its label.
   *
   * @throws Refusal
   */
  addTag({ declaration: { node } }: LabelDeclaration, naming: TagNaming): void {
    const [name, args, options] = node.arguments ?? [];
    if (!name || !args) throw new Refusal("is declared without arguments", node);
    const at = this.#statementAround(node);
    const written = [name.getText(), this.#tagArguments(node, args, naming), ...this.#optionsOf(options)].join(", ");
    const tag = `new ${this.#className(node)}(${written})`;
    const edited = this.#textOf(node);
    if (this.#ts.isArrowFunction(at)) {
      edited.appendLeft(at.body.getStart(), `{ ${tag}; return `).appendLeft(at.body.end, "; }");
      return;
    }
    const { semicolon, eol } = styleOf(this.#ts, node.getSourceFile());
    const [, indent = ""] = /([ \t]*)[^\n]*$/.exec(edited.original.slice(0, at.getStart())) ?? [];
    edited.appendLeft(at.getStart(), `${tag}${semicolon}${eol}${indent}`);
  }

  /**
   * Finds a place where a new statement runs exactly as often as an existing expression.
   *
   * @throws Refusal
   */
  #statementAround(node: ts.Node): ts.Node {
    const compiler = this.#ts;
    for (let at = node; ; at = at.parent) {
      const { parent } = at;
      if (compiler.isArrowFunction(parent) && parent.body === at) return parent;
      if (compiler.isBlock(parent) || compiler.isSourceFile(parent) || compiler.isModuleBlock(parent)) return at;
      const isLogical = compiler.isBinaryExpression(parent) && parent.operatorToken.kind !== compiler.SyntaxKind.EqualsToken;
      if (isLogical || branches.test(compiler.SyntaxKind[parent.kind]))
        throw new Refusal("is declared in a place where no tag can be written next to it", node);
    }
  }

  /**
   * Returns the arguments of a tag: the label's arguments with `key` and `value` in place of `name`.
   *
   * If the arguments are an expression, such as a loop variable, the tag reads each member: `matchType: site.matchType`.
   *
   * @throws Refusal
   */
  #tagArguments(label: ts.NewExpression, args: ts.Expression, naming: TagNaming): string {
    const compiler = this.#ts;
    const node = withoutTypes(compiler, args);
    const isLiteral = compiler.isObjectLiteralExpression(node);
    const copy = new MagicString(node.getSourceFile().text);
    let isNamed = false;
    for (const part of isLiteral ? node.properties : [node]) {
      const whole = compiler.isSpreadAssignment(part) ? part.expression : compiler.isExpression(part) ? part : undefined;
      const names = whole ? this.#namesIn(label, whole) : compiler.isExpression(part) ? [] : [nameOf(part)];
      const members = names.map((name) => {
        if (name === "name") return this.#named(naming, part, whole);
        if (!Object.hasOwn(endpointAgentTag.schema.shape, name)) throw new Refusal(`has ${name}, which tags do not have`, part);
        return whole ? `${name}: ${whole.getText()}.${name}` : part.getText();
      });
      if (names.includes("name")) copy.update(part.getStart(), part.end, members.join(", "));
      isNamed ||= names.includes("name");
    }
    if (!isNamed) throw new Refusal("has no literal name in its arguments", node);
    const written = copy.slice(node.getStart(), node.end);
    return isLiteral ? written : `{ ${written} }`;
  }

  /** @param whole the expression that contains all arguments, such as a loop variable */
  #named(naming: TagNaming, part: ts.Node, whole: ts.Expression | undefined): string {
    const { quote } = styleOf(this.#ts, part.getSourceFile());
    if (whole) return naming.members(`${whole.getText()}.name`, quote);
    const value = this.#ts.isPropertyAssignment(part) ? part.initializer : undefined;
    const bare = value && withoutTypes(this.#ts, value);
    const text = bare && this.#ts.isStringLiteralLike(bare) ? bare.text : undefined;
    return naming.members(value?.getText() ?? "name", quote, text);
  }

  /**
   * Returns the names of all members that an expression has in at least one instance of a label. For a call, the list is empty, because a
   * copy of the call would run a second time.
   */
  #namesIn(label: ts.NewExpression, node: ts.Expression): string[] {
    if (!/^[\w$.]+$/.test(node.getText())) return [];
    const names = this.program.instances.at(label).flatMap(({ env }) => {
      const reader = this.program.instances.reader(env);
      const value = reader.read(node);
      return value.how === "object" ? reader.namesIn(value) : [];
    });
    return [...new Set(names)];
  }

  #optionsOf(options: ts.Expression | undefined): string[] {
    if (!options) return [];
    const node = withoutTypes(this.#ts, options);
    const members = this.#ts.isObjectLiteralExpression(node) ? node.properties : [];
    const copied = members.filter(({ name }) => !/^["']?(aliases|import|id)\b/.test(name?.getText() ?? ""));
    if (copied.length === members.length) return [options.getText()];
    return copied.length === 0 ? [] : [`{ ${copied.map((member) => member.getText()).join(", ")} }`];
  }

  exchange({ declaration, tag }: LabelDeclaration): void {
    if (!tag) return;
    this.#replace(declaration.node, tag.node.getText());
    this.#replace(tag.node, declaration.node.getText());
  }

  /**
   * Changes type annotations from labels to tags. If some labels still need the label type, the method writes a union type.
   *
   * @throws Refusal
   */
  retype(moved: readonly LabelDeclaration[]): void {
    const compiler = this.#ts;
    const areBoth = this.program.labels.some(
      (label) => !moved.includes(label) && !this.program.looseStatement(label.declaration.node),
    );
    for (const [path, text] of this.program.instances.source.texts) {
      const file = text.includes(labelClass) ? this.program.instances.source.file(path) : undefined;
      const labelName = file && importedAs(compiler, file, packageModules, labelClass);
      for (const node of file && labelName !== undefined ? nodesIn(compiler, file) : []) {
        if (!compiler.isTypeReferenceNode(node) || node.getText() !== labelName) continue;
        const tag = this.#className(node);
        if (!areBoth) this.#replace(node, tag);
        else if (!node.parent.getText().includes(`${labelName} | ${tag}`)) this.#replace(node, `(${labelName} | ${tag})`);
      }
    }
  }

  /**
   * Deletes the declaration of a label. If the program uses the label, the declaration of the tag replaces it.
   *
   * @returns whether the label was deleted
   */
  delete({ declaration, tag }: LabelDeclaration): boolean {
    const labelStatement = this.program.looseStatement(declaration.node);
    const statement = labelStatement ?? (tag && this.program.looseStatement(tag.node));
    if (!statement) return false;
    if (!labelStatement && tag) this.#replace(declaration.node, tag.node.getText());
    // The white space after the deleted statement is also removed, so the next statement takes its place.
    const [space = ""] = /^[ \t]*(\r?\n[ \t]*)?/.exec(statement.getSourceFile().text.slice(statement.end)) ?? [];
    this.#textOf(statement).remove(statement.getStart(), statement.end + space.length);
    return true;
  }

  select({ property, selector }: LabelSelection): void {
    const quote = selector.getText()[0] ?? '"';
    this.#replace(selector, `${quote}agent-tags${quote}`);
    const { name } = property;
    if (this.#ts.isShorthandPropertyAssignment(property)) this.#replace(property, `tagIds: ${labelsProperty}`);
    else if (name) this.#replace(name, name.getText().replace(labelsProperty, "tagIds"));
  }

  #textOf(node: ts.Node): MagicString {
    const file = node.getSourceFile();
    const edited = this.#files.get(file) ?? new MagicString(file.text);
    this.#files.set(file, edited);
    return edited;
  }

  #replace(node: ts.Node, text: string): void {
    this.#textOf(node).update(node.getStart(), node.end, text);
  }

  /**
   * Returns the name of the tag class in a file, and adds an import of the class if necessary.
   *
   * @throws Refusal
   */
  #className(at: ts.Node): string {
    const compiler = this.#ts;
    const file = at.getSourceFile();
    const known = importedAs(compiler, file, packageModules, tagClass);
    if (known !== undefined) return known;
    const named = nodesIn(compiler, file).filter((node) => compiler.isIdentifier(node) && node.text === labelClass);
    const parents = named.map(({ parent }) => parent);
    const specifier = parents.find((parent) => compiler.isImportSpecifier(parent));
    if (!specifier || declaredNames(compiler, file).has(tagClass))
      throw new Refusal(`is in a file that cannot import ${tagClass}`, at);
    this.#replace(specifier, `${specifier.getText()}, ${tagClass}`);
    return tagClass;
  }

  /** Returns the edited files, without unused imports of the label class. */
  files(): SourceEdit[] {
    return [...this.#files].map(([file, edited]) => {
      return { path: file.fileName, before: file.text, after: withoutUnused(this.#ts, file, edited.toString()) };
    });
  }
}
