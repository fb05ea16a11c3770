import { join } from "node:path";
import ts from "typescript";

/** An editor's description of a symbol in the package. */
export interface Hover {
  /** Name of the class or the function. */
  of: string;
  kind: "class" | "function";
  side: "arguments" | "outputs" | "results";
  /** Property, from the outermost: `filters.key`. */
  path: string;
  /** Its description. */
  text: string;
}

/** A program with the symbols to inspect, and their positions. */
interface Program {
  text: string;
  places: (Omit<Hover, "text"> & { at: number })[];
}

/**
 * Inspects every argument, output and result of every class and function in the package that is installed in `folder`. A member of
 * several alternative object types counts as described only if each alternative describes it.
 */
export function hoversOf(folder: string): Hover[] {
  const file = join(folder, "every.ts");
  const { service, write } = editor(folder, file);
  write(`import * as all from "pulumi-endpoint-monitoring";\n`);
  const every = new Writer(service, file).program();
  write(every.text);
  const hovers = new Map<string, Hover>();
  for (const { at, ...place } of every.places) {
    const shown = service.getQuickInfoAtPosition(file, at)?.documentation;
    const key = [place.of, place.side, place.path].join(" ");
    const text = ts.displayPartsToString(shown).trim();
    if (hovers.get(key)?.text !== "") hovers.set(key, { ...place, text });
  }
  return [...hovers.values()];
}

/** The compiler as an editor runs it, on one file that changes. */
function editor(folder: string, file: string) {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: ["node"],
    skipLibCheck: true,
  };
  let version = 0;
  let content = "";
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "1"),
    getScriptSnapshot: (name) => {
      const text = name === file ? content : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (of) => ts.getDefaultLibFilePath(of),
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    readDirectory: (...parameters) => ts.sys.readDirectory(...parameters),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
    realpath: (name) => ts.sys.realpath?.(name) ?? name,
  });
  const write = (text: string): void => {
    content = text;
    version += 1;
  };
  return { service, write };
}

/** Writes a program that names every property once for each alternative object type. */
class Writer {
  private readonly checker: ts.TypeChecker;
  private readonly source: ts.SourceFile;
  private text = `import * as all from "pulumi-endpoint-monitoring";\n`;
  private readonly places: Program["places"] = [];
  private variables = 0;

  constructor(service: ts.LanguageService, file: string) {
    const program = service.getProgram();
    const source = program?.getSourceFile(file);
    if (!program || !source) throw new Error(`${file} is not in its program.`);
    this.checker = program.getTypeChecker();
    this.source = source;
  }

  program(): Program {
    const [declaration] = this.source.statements;
    if (!declaration || !ts.isImportDeclaration(declaration)) throw new Error("The program has no import.");
    const module = this.checker.getSymbolAtLocation(declaration.moduleSpecifier);
    if (!module) throw new Error("The package has no declarations.");
    for (const exported of this.checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(exported) : exported;
      if (!(symbol.flags & ts.SymbolFlags.Value)) continue;
      const type = this.checker.getTypeOfSymbolAtLocation(symbol, this.source);
      const [constructor] = type.getConstructSignatures();
      const [call] = type.getCallSignatures();
      if (constructor) this.ofClass(exported.name, constructor);
      else if (call) this.ofFunction(exported.name, call);
    }
    return { text: this.text, places: this.places };
  }

  private ofClass(of: string, constructor: ts.Signature): void {
    const [, args] = constructor.getParameters();
    if (args) this.literals({ of, kind: "class", side: "arguments" }, `new all.${of}("n", `, this.typeOf(args));
    const self = this.variable(`all.${of}`);
    for (const output of constructor.getReturnType().getProperties()) {
      const type = this.typeOf(output);
      const outputType = valueOfOutput(type);
      if (!outputType || !isOurs(output)) continue;
      const place = { of, kind: "class", side: "outputs", path: output.name } as const;
      this.text += `${self}.`;
      this.mark(place);
      this.text += `${output.name}.apply((v) => {\n`;
      this.accesses(place, "v", outputType);
      this.text += "});\n";
    }
  }

  private ofFunction(of: string, call: ts.Signature): void {
    const [parameter] = call.getParameters();
    const argument = parameter && this.argumentOf(this.typeOf(parameter));
    if (argument) this.literals({ of, kind: "function", side: "arguments" }, `all.${of}(`, argument);
    const result = this.checker.getAwaitedType(call.getReturnType());
    // Every alternative has the same outputs.
    if (!result || valueOfOutput(result)) return;
    const value = this.variable(`Awaited<ReturnType<typeof all.${of}>>`);
    this.accesses({ of, kind: "function", side: "results", path: "" }, value, result);
  }

  /** The first argument of a function with a tuple of parameters. */
  private argumentOf(type: ts.Type): ts.Type | undefined {
    return this.checker.isTupleType(type) ? this.checker.getTypeArguments(type as ts.TypeReference)[0] : type;
  }

  /** Writes a call for each alternative of its argument, with all its properties. */
  private literals(place: Omit<Hover, "path" | "text">, call: string, type: ts.Type): void {
    for (const form of this.objectsOf(type)) {
      this.text += call;
      this.literal({ ...place, path: "" }, form, 0);
      this.text += ");\n";
    }
  }

  private literal(place: Omit<Hover, "text">, form: ts.Type, depth: number): void {
    this.text += "{ ";
    for (const property of this.propertiesOf(form)) {
      const type = this.typeOf(property);
      // Marks a property that this alternative lacks.
      if (this.checker.getNonNullableType(type).flags & ts.TypeFlags.Never) continue;
      const inner = { ...place, path: pathOf(place.path, property.name) };
      this.mark(inner);
      this.text += `${property.name}: `;
      const array = this.arrayIn(type);
      const [object] = this.objectsOf(type);
      if (object && depth < 5) {
        this.text += array ? "[" : "";
        this.literal(inner, object, depth + 1);
        this.text += array ? "]" : "";
      } else this.text += sampleOf(type);
      this.text += ", ";
    }
    this.text += "}";
  }

  /** Writes an access to each property of a value, also of nested values. */
  private accesses(place: Omit<Hover, "text">, value: string, type: ts.Type): void {
    if (this.arrayIn(type)) {
      const item = `v${(this.variables += 1)}`;
      this.text += `{ const ${item} = ${value}![0]!;\n`;
      this.accessesOf(place, item, this.objectsOf(type));
      this.text += "}\n";
    } else this.accessesOf(place, value, this.objectsOf(type));
  }

  private accessesOf(place: Omit<Hover, "text">, value: string, forms: readonly ts.Type[]): void {
    const names = new Map(forms.flatMap((form) => this.propertiesOf(form).map((property) => [property.name, property])));
    for (const [name, property] of names) {
      const inner = { ...place, path: pathOf(place.path, name) };
      const isInAll = forms.every((form) => form.getProperty(name));
      this.text += isInAll ? `{ ` : `if ("${name}" in ${value}) { `;
      const variable = `v${(this.variables += 1)}`;
      this.text += `const ${variable} = ${value}.`;
      this.mark(inner);
      this.text += `${name}!;\n`;
      this.accesses(inner, variable, this.typeOf(property));
      this.text += "}\n";
    }
  }

  private mark(place: Omit<Hover, "text">): void {
    this.places.push({ ...place, at: this.text.length });
  }

  private variable(type: string): string {
    const name = `v${(this.variables += 1)}`;
    this.text += `declare const ${name}: ${type};\n`;
    return name;
  }

  private typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbolAtLocation(symbol, this.source);
  }

  private propertiesOf(type: ts.Type): ts.Symbol[] {
    return this.checker.getPropertiesOfType(type).filter(isOurs);
  }

  private arrayIn(type: ts.Type): boolean {
    return unionOf(type).some((part) => this.checker.isArrayType(part));
  }

  /** The object types of a type and its array items, without promises, outputs and functions. */
  private objectsOf(type: ts.Type): ts.Type[] {
    return unionOf(type).flatMap((part) => {
      if (this.checker.isArrayType(part)) {
        const [item] = this.checker.getTypeArguments(part as ts.TypeReference);
        return item ? this.objectsOf(item) : [];
      }
      const isObject = (part.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
      const isWrapped = valueOfOutput(part) !== undefined || part.symbol?.name === "Promise";
      return isObject && !isWrapped && part.getCallSignatures().length === 0 ? [part] : [];
    });
  }
}

const pathOf = (outer: string, name: string): string => (outer === "" ? name : `${outer}.${name}`);
const unionOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

/** A value of a type that distinguishes alternatives of an object. */
function sampleOf(type: ts.Type): string {
  const literal = unionOf(type).find((part) => part.isLiteral());
  if (literal?.isLiteral()) return JSON.stringify(literal.value);
  return unionOf(type).some((part) => part.flags & ts.TypeFlags.BooleanLiteral) ? "true" : "null as unknown";
}

/** The value's type in a Pulumi output, or undefined for another type. */
function valueOfOutput(type: ts.Type): ts.Type | undefined {
  const parts = unionOf(type).flatMap((part) => (part.isIntersection() ? part.types : [part]));
  const output = parts.find((part) => part.symbol?.name === "OutputInstance");
  // Only a reference to a generic interface has arguments.
  return (output as ts.TypeReference | undefined)?.typeArguments?.[0];
}

/** Whether a property belongs to this package and not to the language, Node or Pulumi. */
function isOurs({ name, declarations = [] }: ts.Symbol): boolean {
  if (name.startsWith("__")) return false;
  return declarations.some((declaration) => declaration.getSourceFile().fileName.includes("/pulumi-endpoint-monitoring/"));
}
