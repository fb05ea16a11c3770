import ts from "typescript";
import { meanings } from "./words.mjs";

/** Converts TypeScript types of the SDK to types of a Pulumi schema. Each object becomes a named type. */
export class SchemaTypes {
  defined = new Map();
  #tokens = new Map();
  #enums = new Map();
  /** Symbols of a member that several variants of an object declare. */
  #forms = new Map();

  /** @param tokenOf returns the type token for a name */
  constructor(checker, tokenOf) {
    this.checker = checker;
    this.tokenOf = tokenOf;
  }

  textOf(symbol) {
    return ts
      .displayPartsToString(symbol.getDocumentationComment(this.checker))
      .trim()
      .replaceAll(/\{@link (\w+)\}/g, "`$1`");
  }

  /** Returns the members of an object, or of all variants of an object type. */
  propertiesOf(type) {
    const forms = type.isUnion() ? type.types : [type];
    const byName = Map.groupBy(
      forms.flatMap((form) => this.checker.getPropertiesOfType(form)),
      (member) => member.name,
    );
    return [...byName.values()].map((members) => {
      const present = members.filter((member) => !this.#isAbsent(member));
      const [first = members[0]] = present;
      if (present.length > 1) this.#forms.set(first, present);
      return first;
    });
  }

  /** Whether every variant of an object type requires a member. */
  isRequired(type, { name }) {
    const forms = type.isUnion() ? type.types : [type];
    return forms.every((form) => {
      const member = form.getProperty(name);
      return member !== undefined && !(member.flags & ts.SymbolFlags.Optional);
    });
  }

  /** Returns the schema of a member. The description in the schema names the allowed words. */
  property(symbol, place) {
    const bare = this.#valueOf(this.checker.getTypeOfSymbol(symbol));
    const words = this.#wordsOfMember(symbol);
    const text = this.textOf(symbol);
    const areNamed = words.every((word) => text.includes(`\`${word}\``));
    const allowed =
      words.length > 1 && !areNamed ? `${text === "" ? "" : " "}One of ${words.map((word) => `\`${word}\``).join(", ")}.` : "";
    const schema =
      words.length > 1 && !words.every(isNumber) ? this.#wordsSchema(bare, words, place, text) : this.type(bare, place);
    return { ...schema, ...((text !== "" || allowed !== "") && { description: text + allowed }) };
  }

  /**
   * Returns the schema of a type.
   *
   * @param place the path names an anonymous object, and the zod schema distinguishes integers
   */
  type(given, { path, zod }) {
    const type = this.#valueOf(given);
    const known = unwrapped(zod);
    if (this.checker.isArrayType(type)) {
      return { type: "array", items: this.type(this.checker.getTypeArguments(type)[0], { path, zod: known?.element }) };
    }
    const { flags } = type;
    if (flags & ts.TypeFlags.StringLike || this.#wordsOf(type).length > 0) return { type: "string" };
    if (flags & ts.TypeFlags.BooleanLike || isEvery(type, ts.TypeFlags.BooleanLike)) return { type: "boolean" };
    if (flags & ts.TypeFlags.NumberLike || isEvery(type, ts.TypeFlags.NumberLike))
      return { type: known?.isInt || areWhole(type) ? "integer" : "number" };
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return { $ref: "pulumi.json#/Any" };
    const objects = (type.isUnion() ? type.types : [type]).filter((form) => this.#isObject(form));
    if (type.isUnion() && objects.length < type.types.length) return this.#oneOf(type, path);
    const index = this.checker.getIndexInfosOfType(type)[0];
    if (index && this.propertiesOf(type).length === 0)
      return { type: "object", additionalProperties: this.type(index.type, { path }) };
    if (this.propertiesOf(type).length === 0) return { $ref: "pulumi.json#/Any" };
    return { $ref: `#/types/${this.#named(type, path, known)}` };
  }

  /** Returns the schema of a word, or of a list of words. Other text is also valid, because the service may add words. */
  #wordsSchema(type, words, { path }, text) {
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type);
      return { type: "array", items: this.#wordsSchema(this.#valueOf(item), words, { path }, text) };
    }
    const key = words.toSorted().join();
    const token = this.#enums.get(key) ?? this.#freeToken(type.aliasSymbol?.name ?? path.map(capital).join(""), path);
    if (!this.#enums.has(key)) {
      this.#enums.set(key, token);
      const known = meanings[path.at(-1)];
      const values = words.map((word) => ({
        name: nameOf(word),
        value: word,
        ...(known?.[word] !== undefined && { description: known[word] }),
      }));
      this.defined.set(token, {
        type: "string",
        description: type.aliasSymbol ? this.textOf(type.aliasSymbol) : summaryOf(text, path),
        enum: values,
      });
    }
    return { oneOf: [{ type: "string" }, { type: "string", $ref: `#/types/${token}` }] };
  }

  #oneOf(type, path) {
    const forms = type.types.map((form) => this.type(form, { path }));
    const different = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
    return different.length === 1 ? different[0] : { oneOf: different };
  }

  /** Returns the type token of an object, and defines the object's type at the first call. */
  #named(type, path, zod) {
    const met = this.#tokens.get(type);
    if (met) return met;
    const own = type.aliasSymbol?.name ?? type.symbol?.name ?? "";
    const name =
      own === "" || own.startsWith("__") || !/Args$|Record$|Result$|^[A-Z]/.test(own)
        ? path.map(capital).join("")
        : own.replace(/Args$/, "");
    // Two types must not share a name, so an anonymous object is named after its path.
    const token = this.#freeToken(name, path);
    this.#tokens.set(type, token);
    this.defined.set(token, undefined);
    const all = this.propertiesOf(type);
    // Generated SDKs spell `_links` as `links`, so a type cannot have both members.
    const members = all.filter((member) => !all.some((other) => member.name === `_${other.name}`));
    const text = type.symbol && !type.symbol.name.startsWith("__") ? this.textOf(type.symbol) : "";
    this.defined.set(token, {
      type: "object",
      ...(text !== "" && { description: text }),
      properties: Object.fromEntries(
        members.map((member) => [
          member.name,
          this.property(member, { path: [ownerOf(member) ?? name, member.name], zod: zod?.shape?.[member.name] }),
        ]),
      ),
      required: members.filter((member) => this.isRequired(type, member)).map(({ name: member }) => member),
    });
    return token;
  }

  #freeToken(name, path) {
    const candidates = [name, path.map(capital).join(""), `${path.map(capital).join("")}Of${capital(path[0])}`];
    const free = candidates.map(this.tokenOf).find((token) => !this.defined.has(token));
    if (free === undefined) throw new Error(`Two types of the schema would be called ${name}.`);
    return free;
  }

  #isObject(type) {
    return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && !this.checker.isArrayType(type);
  }

  #isAbsent(symbol) {
    const type = this.checker.getTypeOfSymbol(symbol);
    return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) !== 0;
  }

  #wordsOf(type) {
    const forms = type.isUnion() ? type.types : [type];
    const words = forms.filter((form) => form.isStringLiteral());
    // A list that the service may extend also allows other text, which the compiler spells as `string & {}`.
    const isList = forms.every((form) => words.includes(form) || (words.length > 0 && form.isIntersection()));
    return isList ? words.map(({ value }) => value) : [];
  }

  /** Returns the words of a member in all variants of its object. Returns an empty list if any variant allows other values. */
  #wordsOfMember(symbol) {
    const forms = (this.#forms.get(symbol) ?? [symbol]).map((form) => {
      const type = this.#valueOf(this.checker.getTypeOfSymbol(form));
      return this.#wordsOf(this.checker.isArrayType(type) ? this.#valueOf(this.checker.getTypeArguments(type)[0]) : type);
    });
    return forms.some((words) => words.length === 0) ? [] : [...new Set(forms.flat())];
  }

  /** Returns the type of the value in an input or output. */
  #valueOf(type) {
    const known = this.checker.getNonNullableType(type);
    if (known.symbol?.name === "OutputInstance") return this.#valueOf(this.checker.getTypeArguments(known)[0]);
    if (["Output", "Input"].includes(known.aliasSymbol?.name)) return this.#valueOf(known.aliasTypeArguments[0]);
    if (!known.isUnion()) return known;
    const promised = known.types.find((member) => member.symbol?.name === "Promise");
    return promised ? this.#valueOf(this.checker.getTypeArguments(promised)[0]) : known;
  }
}

/** Returns the record that first declares a member, if several records share the member. */
function ownerOf({ valueDeclaration: declared }) {
  const isShared =
    declared !== undefined &&
    ts.isInterfaceDeclaration(declared.parent) &&
    declared.getSourceFile().fileName.includes("/api/generated/");
  return isShared ? declared.parent.name.text.replace(/Members$/, "") : undefined;
}

function isEvery(type, flag) {
  return type.isUnion() && type.types.every(({ flags }) => flags & flag);
}

function areWhole(type) {
  const forms = type.isUnion() ? type.types : [type];
  return forms.every((form) => form.isNumberLiteral() && Number.isInteger(form.value));
}

function unwrapped(zod) {
  return zod !== undefined && typeof zod.unwrap === "function" ? unwrapped(zod.unwrap()) : zod;
}

/** Returns a type name for a member, such as `Links` for `_links`. */
const capital = (name) => name.replace(/^_+/, "").replace(/^./, (first) => first.toUpperCase());

/** Returns an enum name for a word, such as `IcmpWithTcpConnect` for `icmp-with-tcp-connect`. */
const nameOf = (word) =>
  word
    .split(/[-_]/)
    .map((part) => (/^[A-Z0-9]+$/.test(part) ? capital(part.toLowerCase()) : capital(part)))
    .join("");

/** Whether a word is a numeric id of the service, which is no name. */
const isNumber = (word) => /^\d+$/.test(word);

/** Returns the first sentence of a description, unless this sentence lists the words. */
function summaryOf(text, path) {
  const [first = ""] = /^[^`]*?[.:;](?=\s|$)/s.exec(text) ?? [];
  return first === "" ? `Words of \`${path.at(-1)}\` of ${path[0]}.` : first.replace(/[:;]$/, ".");
}
