import type ts from "typescript";
import { isWrapper } from "../edit/declarations";
import type { Instances } from "../edit/instances";

/** Members that lead from a value to the label in it, the outermost first. `*` is any item of a list or table. */
type Path = readonly string[];

const any = "*";
/** Methods of lists and maps, by what their result holds. */
const methods = {
  each: /^(map|flatMap|forEach)$/,
  list: /^(filter|slice|concat|sort|reverse|toSorted|toReversed|values)$/,
  item: /^(find|findLast|at|get|pop|shift)$/,
  writes: /^(push|unshift|set|add|has|keys)$/,
};

/** Follows a label through constants, tables, loops, functions and files to the resources that take it. */
export class Flow {
  /** Declarations of resources that take the label as an argument. */
  readonly users = new Set<ts.Node>();
  /** Types between the label and these declarations. They may name the class `Label`. */
  readonly types: ts.Node[] = [];
  /** A use that is no argument of a resource. */
  other: ts.Node | undefined;
  readonly #seen = new Set<string>();
  readonly #resources: ReadonlySet<ts.Node>;

  constructor(
    private readonly instances: Instances,
    private readonly label: ts.NewExpression,
  ) {
    this.#resources = new Set(instances.source.declarations.map(({ node }) => node));
    this.#follow(label, []);
  }

  /** Follows the value of an expression, which holds the label at a path, to what the program does with it. */
  #follow(node: ts.Node, path: Path): void {
    const { ts: compiler } = this.instances.source;
    const key = `${node.getSourceFile().fileName} ${node.pos} ${node.end} ${path.join(".")}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { parent } = node;
    if (isWrapper(compiler, parent)) {
      if ("type" in parent) this.types.push(parent.type);
      return this.#follow(parent, path);
    }
    if (compiler.isPropertyAccessExpression(parent)) return this.#member(parent, parent.name.text, path);
    if (compiler.isElementAccessExpression(parent) && parent.expression === node) {
      const { argumentExpression: name } = parent;
      return this.#member(parent, compiler.isStringLiteralLike(name) ? name.text : any, path);
    }
    if (compiler.isPropertyAssignment(parent) || compiler.isShorthandPropertyAssignment(parent)) {
      const name = "text" in parent.name ? parent.name.text : any;
      return this.#follow(parent.parent, [name, ...path]);
    }
    if (compiler.isSpreadAssignment(parent)) return this.#follow(parent.parent, path);
    if (compiler.isSpreadElement(parent)) return this.#follow(parent, path);
    if (compiler.isArrayLiteralExpression(parent))
      return this.#follow(parent, compiler.isSpreadElement(node) ? path : [any, ...path]);
    if (compiler.isVariableDeclaration(parent)) return this.#bind(parent.name, path, parent);
    if (compiler.isForOfStatement(parent) && compiler.isVariableDeclarationList(parent.initializer)) {
      return this.#bind(parent.initializer.declarations[0]?.name, path.slice(1));
    }
    if (compiler.isReturnStatement(parent) || compiler.isArrowFunction(parent)) return this.#returned(parent, path);
    if (compiler.isBinaryExpression(parent)) {
      if (parent.operatorToken.kind === compiler.SyntaxKind.EqualsToken) return this.#kept(parent.left, path);
      if (parent.operatorToken.kind === compiler.SyntaxKind.QuestionQuestionToken) return this.#follow(parent, path);
    }
    if (compiler.isConditionalExpression(parent) && parent.condition !== node) return this.#follow(parent, path);
    if (compiler.isCallExpression(parent) || compiler.isNewExpression(parent)) return this.#argument(parent, node, path);
    const isDone =
      compiler.isExpressionStatement(parent) || compiler.isExportAssignment(parent) || compiler.isExportSpecifier(parent);
    if (!isDone) this.other ??= node;
  }

  #member(access: ts.Expression, name: string, path: Path): void {
    const { ts: compiler } = this.instances.source;
    const [first, ...rest] = path;
    if (first === undefined) {
      if (name === "id") this.#follow(access, path);
      else this.other ??= access;
      return;
    }
    const call = access.parent;
    if (first === any && compiler.isCallExpression(call) && call.expression === access) {
      if (methods.writes.test(name)) return;
      const [callback] = call.arguments;
      const hasRow = callback && (compiler.isArrowFunction(callback) || compiler.isFunctionExpression(callback));
      if (hasRow) this.#bind(callback.parameters[0]?.name, rest, callback.parameters[0]);
      if (methods.list.test(name)) return this.#follow(call, path);
      if (methods.item.test(name)) return this.#follow(call, rest);
      if (!methods.each.test(name) || !hasRow) this.other ??= access;
      return;
    }
    if (name === "length" || name === "size") return;
    if ([first, name].includes(any) || first === name) this.#follow(access, rest);
  }

  /** Follows a variable, parameter or pattern that takes a value. */
  #bind(name: ts.BindingName | undefined, path: Path, holder?: ts.VariableDeclaration | ts.ParameterDeclaration): void {
    const { symbols, source } = this.instances;
    const { ts: compiler } = source;
    if (holder?.type) this.types.push(holder.type);
    if (!name) return;
    if (!compiler.isIdentifier(name)) {
      const [first, ...rest] = path;
      for (const [i, one] of name.elements.entries()) {
        if (!compiler.isBindingElement(one)) continue;
        const taken = compiler.isArrayBindingPattern(name) ? `${i}` : (one.propertyName ?? one.name).getText();
        if (one.dotDotDotToken) this.#bind(one.name, path);
        else if (first === any || first === taken) this.#bind(one.name, rest);
        else if (first === undefined && taken === "id") this.#bind(one.name, path);
        else if (first === undefined) this.other ??= one;
      }
      return;
    }
    const statement = holder?.parent.parent;
    const isExported = statement?.getText().startsWith("export") === true && compiler.isVariableStatement(statement);
    const isOutput = isExported && symbols.isEntry(name.getSourceFile().fileName);
    // A constant that holds the resource itself is exported out of habit. What is made of it is meant as an output.
    if (isOutput && (this.label.pos < statement.pos || this.label.end > statement.end)) this.other ??= name;
    const symbol = symbols.of(name);
    for (const use of symbol ? symbols.uses(symbol) : []) this.#follow(use, path);
  }

  /** Follows what is put into a variable or its members: `labels[site] = …`. */
  #kept(target: ts.Expression, path: Path): void {
    const { symbols, source } = this.instances;
    const { ts: compiler } = source;
    if (/^(module\.)?exports\b/.test(target.getText())) return;
    const names: string[] = [];
    let root = target;
    while (compiler.isPropertyAccessExpression(root) || compiler.isElementAccessExpression(root)) {
      names.unshift(compiler.isPropertyAccessExpression(root) ? root.name.text : any);
      root = root.expression;
    }
    const symbol = compiler.isIdentifier(root) ? symbols.of(root) : undefined;
    if (!symbol) return void (this.other ??= target);
    const declared = symbol.valueDeclaration;
    if (declared && compiler.isVariableDeclaration(declared) && declared.type) this.types.push(declared.type);
    const isWrite = (use: ts.Node): boolean => use.pos >= target.pos && use.end <= target.end;
    for (const use of symbols.uses(symbol)) if (!isWrite(use)) this.#follow(use, [...names, ...path]);
  }

  #argument(call: ts.CallExpression | ts.NewExpression, node: ts.Node, path: Path): void {
    const { ts: compiler } = this.instances.source;
    if (this.#resources.has(call)) return void this.users.add(call);
    this.types.push(...(call.typeArguments ?? []));
    const called = call.expression;
    const [, ...rest] = path;
    const result = new Map<string, Path>([
      ["Object.values", [any, ...rest]],
      ["Object.entries", [any, "1", ...rest]],
      ["Object.fromEntries", [any, ...rest.slice(1)]],
      ["Object.freeze", path],
      ["Map", [any, ...rest.slice(1)]],
      ["Set", path],
    ]).get(called.getText());
    if (result) return this.#follow(call, result);
    if (called.getText() === "Object.keys") return;
    const index = call.arguments?.findIndex((one) => one === node) ?? -1;
    if (compiler.isPropertyAccessExpression(called) && methods.writes.test(called.name.text)) {
      return this.#kept(called.expression, [any, ...path]);
    }
    const parameter = this.#calleeOf(called)?.parameters[index];
    if (!parameter || parameter.dotDotDotToken || parameter.modifiers) this.other ??= node;
    else this.#bind(parameter.name, path, parameter);
  }

  /** The function or constructor that a name means. */
  #calleeOf(called: ts.Expression): ts.SignatureDeclaration | undefined {
    const { symbols, source } = this.instances;
    const { ts: compiler } = source;
    const declared = compiler.isIdentifier(called) ? symbols.of(called)?.valueDeclaration : undefined;
    const made = declared && compiler.isVariableDeclaration(declared) ? declared.initializer : declared;
    if (made && compiler.isClassLike(made)) return made.members.find((one) => compiler.isConstructorDeclaration(one));
    return made && compiler.isFunctionLike(made) ? made : undefined;
  }

  /** Follows what a function returns to its calls. */
  #returned(node: ts.Node, path: Path): void {
    const { symbols, source } = this.instances;
    const { ts: compiler } = source;
    let made = node;
    while (!compiler.isFunctionLike(made)) made = made.parent;
    if (made.type) this.types.push(made.type);
    const { parent } = made;
    if (compiler.isCallExpression(parent) && parent.expression !== made) {
      const name = compiler.isPropertyAccessExpression(parent.expression) ? parent.expression.name.text : "";
      if (methods.each.test(name)) return this.#follow(parent, [any, ...path]);
    }
    const name = compiler.isVariableDeclaration(parent) ? parent.name : compiler.isFunctionDeclaration(made) && made.name;
    const symbol = name && compiler.isIdentifier(name) ? symbols.of(name) : undefined;
    if (!symbol) return void (this.other ??= node);
    for (const use of symbols.uses(symbol)) {
      const call = use.parent;
      if (compiler.isCallExpression(call) && call.expression === use) this.#follow(call, path);
      else if (!compiler.isExportSpecifier(call)) this.other ??= use;
    }
  }
}
