import MagicString from "magic-string";
import type ts from "typescript";
import type { FileEdit } from "../edit/accepted";
import { declaredNames, importedAs } from "../edit/bindings";
import { type Declaration, packageModules, withoutTypes } from "../edit/declarations";
import type { Instance, Instances } from "../edit/instances";
import { locate } from "../edit/locate";
import { commentsIn } from "../edit/places";
import type { ProgramSource } from "../edit/program";
import { lineEndOf, styleOf } from "../edit/style";
import { Refusal } from "../edit/value";
import type { ManagedResource } from "../engine/state";
import { endpointAgentTag } from "../../provider/resources/endpoint-agent-tag";
import { registry } from "../../provider/registry";
import { Flow } from "./flow";
import type { TagNaming } from "./template";

export const labelClass = registry.label.name;
export const tagClass = registry.endpointAgentTag.name;

/** A declaration of labels. The first step writes a tag beside it, the second exchanges the two, the third deletes the label. */
export interface LabelDeclaration {
  readonly declaration: Declaration;
  /** Names of the labels. A name that the program computes is undefined. */
  readonly names: readonly (string | undefined)[];
  readonly tag: Declaration | undefined;
  readonly flow: Flow;
}

/** A program that declares labels, and the edits of the three steps. Nothing is written. */
export class LabelProgram {
  readonly labels: readonly LabelDeclaration[];

  constructor(readonly instances: Instances) {
    const of = (name: string): Declaration[] => instances.source.declarations.filter(({ className }) => className === name);
    const tags = of(tagClass);
    this.labels = of(labelClass).map((declaration) => ({
      declaration,
      names: this.#namesOf(declaration),
      tag: tags.find((tag) => this.#isTagOf(tag, declaration)),
      flow: new Flow(instances, declaration.node),
    }));
  }

  /** The instances that declare a resource. */
  instancesOf({ kind, name, position }: Pick<ManagedResource, "kind" | "name" | "position">): readonly Instance[] {
    const found = locate(this.instances, { kind, name, position });
    if (!("why" in found)) return found;
    const seen = position && this.instances.source.at(position);
    return seen?.className === kind.name ? this.instances.all.filter(({ declaration }) => declaration === seen) : [];
  }

  #namesOf(declaration: Declaration): (string | undefined)[] {
    return this.instances.all.flatMap((one) => (one.declaration === declaration ? [one.name] : []));
  }

  /** A tag belongs to the label of the same name. Computed names are the same if the same file computes them alike. */
  #isTagOf(tag: Declaration, label: Declaration): boolean {
    const [names, own] = [this.#namesOf(label), this.#namesOf(tag)];
    if (names.length > 0 && !names.includes(undefined)) return names.every((name) => own.includes(name));
    const [text, other] = [label, tag].map(({ node }) => node.arguments?.[0]?.getText());
    return tag.position.file === label.position.file && text === other;
  }

  /** Declares a tag beside a label. @throws Refusal */
  addTag(edits: ProgramEdits, { declaration: { node } }: LabelDeclaration, naming: TagNaming): void {
    const { source } = this.instances;
    const { ts: compiler } = source;
    const file = node.getSourceFile();
    const [name, args, options] = node.arguments ?? [];
    if (!name || !args) throw new Refusal("is declared without arguments", node);
    const at = this.#statementAround(node);
    const { semicolon } = styleOf(compiler, file);
    const rest = options ? this.#optionsOf(options) : [];
    const written = [name.getText(), this.#tagArguments(node, args, naming), ...rest].join(", ");
    const text = `new ${edits.className(node)}(${written})${semicolon}`;
    const { text: whole } = file;
    const lineEnd = lineEndOf(whole);
    const line = whole.lastIndexOf("\n", at.getStart()) + 1;
    const indent = /^[ \t]*/.exec(whole.slice(line))?.[0] ?? "";
    if (compiler.isArrowFunction(at)) {
      const { body } = at;
      edits.insert(file, body.getStart(), `{${lineEnd}${indent}  ${text}${lineEnd}${indent}  return `);
      edits.insert(file, body.end, `${semicolon}${lineEnd}${indent}}`);
    } else if (compiler.isReturnStatement(at)) edits.insert(file, at.getStart(), `${text}${lineEnd}${indent}`);
    else {
      const end = whole.indexOf("\n", at.end) < 0 ? whole.length : whole.indexOf("\n", at.end);
      // A comment behind the statement on its line belongs to it.
      const over = commentsIn(whole, at.end, end).at(-1)?.end ?? at.end;
      edits.insert(file, Math.min(over, end), `${lineEnd}${indent}${text}`);
    }
  }

  /** The statement or arrow function that runs as often as an expression in it. @throws Refusal */
  #statementAround(node: ts.Node): ts.Node {
    const { ts: compiler } = this.instances.source;
    const { SyntaxKind } = compiler;
    const branches = new Set<ts.SyntaxKind>([SyntaxKind.BarBarToken, SyntaxKind.AmpersandAmpersandToken]);
    for (let at = node; ; at = at.parent) {
      const { parent } = at;
      if (compiler.isArrowFunction(parent) && parent.body === at) return parent;
      if (compiler.isBlock(parent) || compiler.isSourceFile(parent) || compiler.isModuleBlock(parent)) return at;
      const isBranch =
        compiler.isConditionalExpression(parent) ||
        (compiler.isBinaryExpression(parent) && branches.has(parent.operatorToken.kind)) ||
        compiler.isIfStatement(parent) ||
        compiler.isCaseOrDefaultClause(parent);
      if (isBranch) throw new Refusal("is declared in a branch that has no block of its own", node);
      if (compiler.isClassElement(parent) || compiler.isParameter(parent))
        throw new Refusal("is a member of a class or the default of a parameter", node);
    }
  }

  /** The label's arguments with key and value instead of the name. @throws Refusal */
  #tagArguments(label: ts.NewExpression, args: ts.Expression, naming: TagNaming): string {
    const { ts: compiler } = this.instances.source;
    const node = withoutTypes(compiler, args);
    if (!compiler.isObjectLiteralExpression(node)) return `{ ${this.#membersOf(label, node, naming)} }`;
    const { text } = node.getSourceFile();
    const { quote } = styleOf(compiler, node.getSourceFile());
    let [written, at, isNamed] = ["", node.getStart(), false];
    for (const member of node.properties) {
      let own = member.getText();
      if (compiler.isSpreadAssignment(member)) {
        if (this.#namesIn(label, member.expression).has("name")) {
          own = this.#membersOf(label, member.expression, naming);
          isNamed = true;
        }
      } else if (!member.name || !("text" in member.name)) throw new Refusal("has an argument with a key in brackets", member);
      else if (member.name.text === "name") {
        const value = compiler.isPropertyAssignment(member) ? member.initializer : member.name;
        const bare = withoutTypes(compiler, value);
        own = naming.members(value.getText(), quote, compiler.isStringLiteralLike(bare) ? bare.text : undefined);
        isNamed = true;
      } else if (!Object.hasOwn(endpointAgentTag.schema.shape, member.name.text))
        throw new Refusal(`has ${member.name.text}, which tags do not have`, member);
      written += text.slice(at, member.getStart()) + own;
      at = member.end;
    }
    if (!isNamed) throw new Refusal("has a name that the program does not show in its arguments", node);
    return written + text.slice(at, node.end);
  }

  /** The members of arguments that are written elsewhere, such as in the row of a list: `matchType: site.matchType`. @throws Refusal */
  #membersOf(label: ts.NewExpression, node: ts.Expression, naming: TagNaming): string {
    const { quote } = styleOf(this.instances.source.ts, node.getSourceFile());
    const [names, text] = [this.#namesIn(label, node), node.getText()];
    if (!names.has("name")) throw new Refusal("has arguments that the program does not show", node);
    const other = [...names].find((name) => name !== "name" && !Object.hasOwn(endpointAgentTag.schema.shape, name));
    if (other !== undefined) throw new Refusal(`has ${other}, which tags do not have`, node);
    const members = [...names].map((name) =>
      name === "name" ? naming.members(`${text}.name`, quote) : `${name}: ${text}.${name}`,
    );
    return members.join(", ");
  }

  /** Names of the members that an expression has in any instance of a label. A call has none, since it would run twice. */
  #namesIn(label: ts.NewExpression, node: ts.Expression): ReadonlySet<string> {
    if (!/^[\w$.]+$/.test(node.getText())) return new Set();
    const own = this.instances.all.filter(({ declaration }) => declaration.node === label);
    const names = own.flatMap(({ env }) => {
      const reader = this.instances.reader(env);
      const value = reader.read(node);
      return value.how === "object" ? reader.namesIn(value) : [];
    });
    return new Set(names);
  }

  /** Options of the resource without those of the label alone. */
  #optionsOf(options: ts.Expression): string[] {
    const { ts: compiler } = this.instances.source;
    const node = withoutTypes(compiler, options);
    if (!compiler.isObjectLiteralExpression(node)) return [options.getText()];
    const kept = node.properties.filter(({ name }) => !/^["']?(aliases|import|id)\b/.test(name?.getText() ?? ""));
    if (kept.length === node.properties.length) return [options.getText()];
    return kept.length === 0 ? [] : [`{ ${kept.map((one) => one.getText()).join(", ")} }`];
  }

  /** The reason why a label and its tag cannot be exchanged. */
  fixedBy({ declaration, tag, flow }: LabelDeclaration): Refusal | undefined {
    if (flow.other) return new Refusal("is used in the program", flow.other);
    if (!tag || this.#looseStatement(declaration.node)) return undefined;
    if (!this.#looseStatement(tag.node)) return new Refusal("has a tag that the program uses", tag.node);
    const isBeside = this.#blockOf(tag.node) === this.#blockOf(declaration.node);
    return isBeside ? undefined : new Refusal("has its tag in another place of the program", tag.node);
  }

  /** Puts a tag in the place of its label, and the label in the place of the tag. */
  exchange(edits: ProgramEdits, { declaration, tag, flow }: LabelDeclaration): void {
    if (!tag) return;
    edits.replace(declaration.node, tag.node.getText());
    edits.replace(tag.node, declaration.node.getText());
    this.#retype(edits, flow);
  }

  /** Has the types between labels and tests name the class of tags. */
  #retype(edits: ProgramEdits, { types }: Flow): void {
    const { ts: compiler } = this.instances.source;
    const visit = (node: ts.Node): void => {
      const file = node.getSourceFile();
      const isClass = importedAs(compiler, file, packageModules, labelClass) === node.getText();
      if (isClass) edits.replace(node, edits.className(node));
      else compiler.forEachChild(node, visit);
    };
    types.forEach(visit);
  }

  /** Deletes a label, and puts its tag in its place unless that is done. @returns whether it could be deleted */
  delete(edits: ProgramEdits, { declaration, tag, flow }: LabelDeclaration): boolean {
    const loose = this.#looseStatement(declaration.node);
    const statement = loose ?? (tag && this.#looseStatement(tag.node));
    if (!statement) return false;
    if (!loose && tag) {
      edits.replace(declaration.node, tag.node.getText());
      this.#retype(edits, flow);
    }
    edits.deleteStatement(statement);
    return true;
  }

  /** The statement of a resource that no variable holds, or one that nothing reads. */
  #looseStatement(node: ts.NewExpression): ts.Statement | undefined {
    const { source, symbols } = this.instances;
    const { ts: compiler } = source;
    const { parent } = node;
    if (compiler.isExpressionStatement(parent)) return parent;
    if (!compiler.isVariableDeclaration(parent) || !compiler.isIdentifier(parent.name)) return undefined;
    const statement = parent.parent.parent;
    const isAlone = compiler.isVariableStatement(statement) && statement.declarationList.declarations.length === 1;
    if (!isAlone || statement.modifiers) return undefined;
    const symbol = symbols.of(parent.name);
    return symbol && symbols.uses(symbol).length === 0 ? statement : undefined;
  }

  #blockOf(node: ts.Node): ts.Node {
    const { ts: compiler } = this.instances.source;
    let at = node.parent;
    while (!compiler.isBlock(at) && !compiler.isSourceFile(at) && !compiler.isModuleBlock(at) && !compiler.isFunctionLike(at))
      at = at.parent;
    return at;
  }

  /** The places that have a test select by labels. @throws Refusal */
  selectorOf(instance: Instance): { property: ts.ObjectLiteralElementLike; selector: ts.Expression } {
    const { ts: compiler } = this.instances.source;
    const { node } = instance.declaration;
    const labels = this.instances.memberOf(instance, labelsProperty);
    const selector = this.instances.memberOf(instance, "agentSelectorType");
    const isWritten =
      labels.how === "set" &&
      (compiler.isPropertyAssignment(labels.property) || compiler.isShorthandPropertyAssignment(labels.property));
    if (!isWritten) throw new Refusal(`has ${labelsProperty} that the program does not show`, node);
    const value = selector.how === "absent" ? undefined : selector.value;
    if (value?.how !== "plain" || !compiler.isStringLiteralLike(value.node))
      throw new Refusal("has an agentSelectorType that is no plain text", value?.node ?? node);
    return { property: labels.property, selector: value.node };
  }

  /** Has a test select by tags. */
  select(edits: ProgramEdits, { property, selector }: ReturnType<LabelProgram["selectorOf"]>): void {
    const { ts: compiler } = this.instances.source;
    const quote = selector.getText()[0] ?? '"';
    edits.replace(selector, `${quote}agent-tags${quote}`);
    const { name } = property;
    if (compiler.isShorthandPropertyAssignment(property)) edits.replace(property, `tagIds: ${labelsProperty}`);
    else if (name) edits.replace(name, name.getText().replace(labelsProperty, "tagIds"));
  }
}

const labelsProperty = "endpointAgentLabels";

/** A name that a file takes from a module: `Label` of `import { Label } from …`, or of `const { Label } = require(…)`. */
type Specifier = ts.ImportSpecifier | ts.BindingElement;

/** Edits of files that are collected before any is written. */
export class ProgramEdits {
  readonly #files = new Map<ts.SourceFile, { text: MagicString; importsTag: boolean; done: Set<ts.Node> }>();

  constructor(private readonly source: ProgramSource) {}

  #of(file: ts.SourceFile) {
    const own = this.#files.get(file) ?? { text: new MagicString(file.text), importsTag: false, done: new Set() };
    this.#files.set(file, own);
    return own;
  }

  replace(node: ts.Node, text: string): void {
    const { text: edited, done } = this.#of(node.getSourceFile());
    if (!done.has(node)) edited.update(node.getStart(), node.end, text);
    done.add(node);
  }

  insert(file: ts.SourceFile, at: number, text: string): void {
    this.#of(file).text.appendLeft(at, text);
  }

  deleteStatement(node: ts.Node): void {
    const { text } = node.getSourceFile();
    this.#of(node.getSourceFile()).text.remove(text.slice(0, node.getStart()).trimEnd().length, node.end);
  }

  /** The name of the class of tags at a node, whose file imports it if it does not. @throws Refusal */
  className(at: ts.Node): string {
    const { ts: compiler } = this.source;
    const file = at.getSourceFile();
    const known = importedAs(compiler, file, packageModules, tagClass);
    if (known !== undefined) return known;
    const [specifier] = this.#specifiers(file);
    if (!specifier || declaredNames(compiler, file).has(tagClass))
      throw new Refusal(`is in a file that cannot import ${tagClass}`, at);
    const own = this.#of(file);
    if (!own.importsTag) own.text.appendLeft(specifier.end, `, ${tagClass}`);
    own.importsTag = true;
    return tagClass;
  }

  /** The specifiers by which a file has the class of labels. */
  #specifiers(file: ts.SourceFile): Specifier[] {
    const { ts: compiler } = this.source;
    const found: Specifier[] = [];
    const visit = (node: ts.Node): void => {
      const isSpecifier = compiler.isImportSpecifier(node) || compiler.isBindingElement(node);
      if (isSpecifier && (node.propertyName ?? node.name).getText() === labelClass) found.push(node);
      compiler.forEachChild(node, visit);
    };
    for (const one of file.statements) if (packageModules.some((module) => one.getText().includes(module))) visit(one);
    return found;
  }

  /** The edited files. A file that no longer uses the class of labels no longer imports it. */
  files(): FileEdit[] {
    return [...this.#files].map(([file, { text }]): FileEdit => {
      const [path, edited] = [file.fileName, text.toString()];
      return { path, before: file.text, after: this.#withoutUnused(path, edited) };
    });
  }

  #withoutUnused(path: string, text: string): string {
    const { ts: compiler } = this.source;
    const file = this.source.with([[path, text]]).file(path);
    const [specifier] = file ? this.#specifiers(file) : [];
    if (!file || !specifier) return text;
    let count = 0;
    const visit = (node: ts.Node): void => {
      if (compiler.isIdentifier(node) && node.text === specifier.name.getText()) count += 1;
      compiler.forEachChild(node, visit);
    };
    visit(file);
    const list = specifier.parent;
    const others = list.elements.filter((one) => one !== specifier).map((one) => one.getText());
    if (count > 1 || others.length === 0) return text;
    return `${text.slice(0, list.getStart())}{ ${others.join(", ")} }${text.slice(list.end)}`;
  }
}
