import { stable } from "../../../provider/values";
import { importedKinds, inOrderOfReference, lastWord, type ImportedKind } from "../../../provider/imported-kinds";
import { compareText } from "../../../common/text";

/** A record that gets a name. */
export interface Nameable {
  readonly of: ImportedKind;
  readonly id: string;
  readonly title: string | undefined;
}

/** Lengths of the part of an id that distinguishes records of one name. The last one takes the whole id. */
const idPartLengths = [4, 8, Infinity];

/**
 * Names of resources, from the names of the records alone: the same record gets the same name, whatever else exists and in
 * whatever order it is listed. Records of a kind whose names read alike all get a part of their id.
 *
 * @param records records to be named, and those from whose names they must differ
 * @param isTaken whether something else has a name
 */
export function resourceNames<R extends Nameable>(
  records: readonly R[],
  isTaken: (record: R, name: string) => boolean,
): Map<R, string> {
  const names = new Map<R, string>();
  const keyOf = ({ of }: R, name: string): string => stable([of.name, camel(name)]);
  const alike = Map.groupBy(records, (record) => keyOf(record, baseName(record)));
  const used = new Set(alike.keys());
  for (const group of alike.values()) {
    const plain = group.map(baseName);
    const marked = idPartLengths.map((length) => group.map((record) => `${baseName(record)}-${idPart(record.id, length)}`));
    const isFree = (tried: readonly string[]): boolean =>
      new Set(tried.map(camel)).size === tried.length &&
      group.every((record, i) => {
        const name = tried[i] ?? "";
        return (tried === plain || !used.has(keyOf(record, name))) && !isTaken(record, name);
      });
    const chosen = [plain, ...marked].find(isFree) ?? marked.at(-1) ?? plain;
    for (const [i, record] of group.entries()) {
      const name = chosen[i] ?? record.id;
      names.set(record, name);
      used.add(keyOf(record, name));
    }
  }
  return names;
}

/** Returns the resource name for a record. Without a name of its own it gets the noun of its kind and the end of its id. */
function baseName({ of, title = "", id }: Nameable): string {
  const words = wordsOfText(title);
  return words.length > 0 ? kebab(words) : `${of.kind.noun.toLowerCase().replaceAll(" ", "-")}-${idPart(id, 8)}`;
}

/** Returns the last characters of an id, in which ids differ that a service counts up. */
function idPart(id: string, length: number): string {
  const plain = kebab([wordsOfText(id.toLowerCase()).join("")]);
  return length >= plain.length ? plain : plain.slice(-length);
}

/**
 * Variables of resources, each of which no other one has: the name as an identifier, with the kind at its end if that is a word of the
 * language, or taken.
 *
 * @param named resources with their names. Kinds that others refer to get their variables first, since those are seen in more files
 * @param isTaken whether the program has a variable of that name
 */
export function variables<R extends Nameable>(
  named: ReadonlyMap<R, string>,
  isTaken: (variable: string) => boolean,
): Map<R, string> {
  const chosen = new Map<R, string>();
  const used = new Set<string>();
  const isFree = (candidate: string): boolean => isVariable(candidate) && !used.has(candidate) && !isTaken(candidate);
  const ordered = [...named].toSorted(
    ([a, name], [b, other]) => kindRanks.indexOf(a.of) - kindRanks.indexOf(b.of) || compareText(name, other),
  );
  for (const [record, name] of ordered) {
    for (const candidate of candidatesFor(record, name)) {
      if (!isFree(candidate)) continue;
      chosen.set(record, candidate);
      used.add(candidate);
      break;
    }
  }
  return chosen;
}

const kindRanks = inOrderOfReference(importedKinds);

/** Beyond the names that people would choose, numbers go on until one is free. */
function* candidatesFor({ of }: Nameable, name: string): Generator<string, undefined> {
  const [plain, noun, kind] = [camel(name), lastWord(of.kind.noun), camel(kebab(wordsOfText(of.kind.noun)))];
  // No variable begins with a digit.
  const stem = /^\p{ID_Start}/u.test(plain) ? plain : noun + capitalizedWord(plain);
  yield stem;
  yield stem + capitalizedWord(noun);
  yield stem + capitalizedWord(kind);
  for (let i = 2; ; i += 1) yield `${stem}_${i}`;
}

/** The longest resource name, in characters. A longer one ends after the last word that fits. */
const maxNameCharacters = 60;

/**
 * The words of a text, of characters that may stand in an identifier: in lower case, but for words in camel case, which stay so
 * (`fooTest`). Accents of Latin letters go (`é` is `e`); other scripts stay as they are, since their readers wrote them.
 */
export function wordsOfText(text: string): string[] {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFKC")
    .replace(/[\p{L}\p{M}\p{N}]+/gu, withoutCapitals)
    // Some letters in lower case have a mark that their capital lacks.
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    // Apostrophes and invisible characters do not split a word: "it's" is one.
    .replace(/['’ʼ\p{Default_Ignorable_Code_Point}]/gu, "");
  const words = plain.match(identifierWords) ?? [];
  // A mark alone, or at the start, belongs to a letter that is missing.
  return words.map((word) => word.replace(/^\p{M}+/u, "")).filter((word) => word !== "");
}

/** Returns a word in lower case. In camel case only the beginning changes: `HTTPServerTest` is `httpServerTest`. */
function withoutCapitals(word: string): string {
  const isCamel = /\p{Ll}\p{Lu}/u.test(word) && word.match(identifierWords)?.[0] === word;
  if (!isCamel) return word.toLowerCase();
  return word.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}+/u, (capitals) => capitals.toLowerCase());
}

/**
 * Matches the letters, marks and digits that every compiler accepts in identifiers: none of Unicode's newest, and beyond the first plane
 * only Chinese characters.
 */
const identifierWords =
  /(?:(?=\p{ID_Continue})(?![\u0cf3\u088f\u0c5c\u0cdc\u1c89\u1c8a\ua7cb-\ua7f1])(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{M}\p{N}]|[\u{20000}-\u{2a6df}]))+/gu;

/** Joins words to the name of a resource: `vpn-gateway`. */
export function kebab(words: readonly string[]): string {
  let name = "";
  for (const word of words) {
    const longer = name === "" ? word : `${name}-${word}`;
    if (Array.from(longer).length > maxNameCharacters)
      return name === "" ? Array.from(word).slice(0, maxNameCharacters).join("") : name;
    name = longer;
  }
  return name;
}

/** Returns the name of a resource as an identifier, which may still begin with a digit: `vpnGateway`, `floor1_2`. */
export function camel(name: string): string {
  return name.split("-").reduce((before, word) => {
    if (before === "") return word;
    return /\p{N}$/u.test(before) && /^\p{N}/u.test(word) ? `${before}_${word}` : before + capitalizedWord(word);
  }, "");
}

/** Returns a word with a capital first letter, if that is one letter that every compiler accepts. */
export function capitalizedWord(word: string): string {
  const [first = ""] = word;
  const capital = first.toUpperCase();
  const isLetter = Array.from(capital).length === 1 && capital.match(identifierWords) !== null;
  return isLetter ? capital + word.slice(first.length) : word;
}

/** Whether a text can be a variable at the top level of a file. */
export function isVariable(text: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(text) && !reserved.has(text);
}

/** Words of the language, and names that mean something else at the top level of a file or to its readers. */
const reserved = new Set(
  [
    "abstract accessor any arguments as assert asserts async await bigint boolean break case catch class const constructor continue debugger declare default",
    "defer delete do else enum eval export extends false finally for from function get if implements import in infer instanceof intrinsic",
    "interface is keyof let module namespace never new null number object of out override package private protected public readonly require",
    "return satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown using var",
    "void while with yield",
    "console exports global globalThis process pulumi config __dirname __filename NaN Infinity Object Promise",
  ].flatMap((line) => line.split(" ")),
);
