import { stable } from "../../../provider/values";
import { importedKinds, inOrderOfReference, lastWord, type ImportedKind } from "../../../provider/imported-kinds";
import { compareText } from "../../../common/text";

export interface Nameable {
  readonly of: ImportedKind;
  readonly id: string;
  readonly title: string | undefined;
}

/** Possible lengths of the id suffix that distinguishes records with the same name. `Infinity` means the whole id. */
const idPartLengths = [4, 8, Infinity];

/**
 * Derives resource names from the records' names. If several records would get the same name, each name ends with a part of the record's
 * id. The names do not depend on the order of the records.
 *
 * @param records all records, so that the resource names do not depend on the selected records
 * @param isTaken function that decides whether another resource has a name
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

/** Returns a record's resource name. If a record has no title, its resource name consists of its type and the end of its id. */
function baseName({ of, title = "", id }: Nameable): string {
  const words = wordsOfText(title);
  return words.length > 0 ? kebab(words) : `${of.kind.noun.toLowerCase().replaceAll(" ", "-")}-${idPart(id, 8)}`;
}

/** Returns the last characters of an id, because consecutive ids differ at the end. */
function idPart(id: string, length: number): string {
  const plain = kebab([wordsOfText(id.toLowerCase()).join("")]);
  return length >= plain.length ? plain : plain.slice(-length);
}

/**
 * Returns a unique variable name for each resource. A suffix with the resource type prevents conflicts with reserved words and existing
 * variables. Referenced resource types get their variables first, because more files use them.
 *
 * @param named resources with their names
 * @param isTaken function that decides whether the program already has a variable with a name
 */
export function variables<R extends Nameable>(
  named: ReadonlyMap<R, string>,
  isTaken: (variable: string) => boolean,
): Map<R, string> {
  const chosen = new Map<R, string>();
  const used = new Set<string>();
  const isFree = (candidate: string): boolean => isVariable(candidate) && !used.has(candidate) && !isTaken(candidate);
  const ordered = [...named].toSorted(
    ([a, name], [b, otherName]) => kindRanks.indexOf(a.of) - kindRanks.indexOf(b.of) || compareText(name, otherName),
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

/** Yields readable variable names first, and then an unlimited series of numbered names. */
function* candidatesFor({ of }: Nameable, name: string): Generator<string, undefined> {
  const [plain, noun, kind] = [camel(name), lastWord(of.kind.noun), camel(kebab(wordsOfText(of.kind.noun)))];
  // A variable cannot begin with a digit.
  const stem = /^\p{ID_Start}/u.test(plain) ? plain : noun + capitalizedWord(plain);
  yield stem;
  yield stem + capitalizedWord(noun);
  yield stem + capitalizedWord(kind);
  for (let i = 2; ; i += 1) yield `${stem}_${i}`;
}

/** Maximum length of a resource name, in characters. A longer name is cut after the last word that fits. */
const maxNameCharacters = 60;

/**
 * Splits a string into lower-case words, and removes characters that identifiers do not allow. Words in camel case, such as `fooTest`, keep
 * their capitals. Latin letters lose their accents, so `é` becomes `e`.
 */
export function wordsOfText(text: string): string[] {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFKC")
    .replace(/[\p{L}\p{M}\p{N}]+/gu, withoutCapitals)
    // The conversion to lower case can add combining marks to Latin letters again.
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    // Apostrophes and invisible characters do not split a word, so "it's" is one word.
    .replace(/['’ʼ\p{Default_Ignorable_Code_Point}]/gu, "");
  const words = plain.match(identifierWords) ?? [];
  // An identifier cannot begin with a combining mark.
  return words.map((word) => word.replace(/^\p{M}+/u, "")).filter((word) => word !== "");
}

/** Converts a word to lower case. If the word is in camel case, only its beginning changes: `HTTPServerTest` becomes `httpServerTest`. */
function withoutCapitals(word: string): string {
  const isCamel = /\p{Ll}\p{Lu}/u.test(word) && word.match(identifierWords)?.[0] === word;
  if (!isCamel) return word.toLowerCase();
  return word.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}+/u, (capitals) => capitals.toLowerCase());
}

/**
 * Matches letters, marks and digits that every supported compiler accepts in identifiers. The pattern excludes newer Unicode characters.
 * Beyond the first 65,536 Unicode characters, the pattern includes only Chinese characters.
 */
const identifierWords =
  /(?:(?=\p{ID_Continue})(?![\u0cf3\u088f\u0c5c\u0cdc\u1c89\u1c8a\ua7cb-\ua7f1])(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{M}\p{N}]|[\u{20000}-\u{2a6df}]))+/gu;

/** Joins words into a resource name, such as `vpn-gateway`. */
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

/** Returns a resource name as an identifier, such as `vpnGateway` or `floor1_2`. The result may begin with a digit. */
export function camel(name: string): string {
  return name.split("-").reduce((before, word) => {
    if (before === "") return word;
    return /\p{N}$/u.test(before) && /^\p{N}/u.test(word) ? `${before}_${word}` : before + capitalizedWord(word);
  }, "");
}

/** Returns a word with a capital first letter, if every compiler accepts that letter. */
export function capitalizedWord(word: string): string {
  const [first = ""] = word;
  const capital = first.toUpperCase();
  const isLetter = Array.from(capital).length === 1 && capital.match(identifierWords) !== null;
  return isLetter ? capital + word.slice(first.length) : word;
}

/** Whether a string is a valid name for a variable at the top level of a file. */
export function isVariable(text: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(text) && !reserved.has(text);
}

/** Words that cannot be variable names: reserved words, and names that already have a meaning in programs. */
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
