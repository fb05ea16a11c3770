import { stable } from "../../provider/values";
import { importedKinds, inOrderOfReference, lastWord, meet } from "../kinds";
import { compareText } from "../report/text";
import type { Listed } from "./target";

/** A record to be named. */
export type Nameable = Pick<Listed, "of" | "id" | "title">;

/** Lengths of the part of an id that distinguishes records of one name; the last is the whole of it. */
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

/** The name of a record as one of a resource; a record without one is called what it is. */
function baseName({ of, title = "", id }: Nameable): string {
  const words = wordsOfText(title);
  return words.length > 0 ? kebab(words) : `${of.kind.noun.toLowerCase().replaceAll(" ", "-")}-${idPart(id, 8)}`;
}

/** The end of an id, which is what differs between ids that a service counts up; the whole of it for no length. */
function idPart(id: string, length: number): string {
  const plain = kebab([wordsOfText(id.toLowerCase()).join("")]);
  return length >= plain.length ? plain : plain.slice(-length);
}

/**
 * Variables of resources: the name as an identifier, with the kind at its end where that is a word of the language, or where
 * a resource of another kind that may be seen in the same file has it already.
 *
 * @param named resources with their names; kinds that others refer to come first, since their constants are seen in more files
 * @param isUsed whether a name already has a meaning where the variable is to stand or to be seen
 */
export function variables<R extends Nameable>(
  named: ReadonlyMap<R, string>,
  isUsed: (record: R, variable: string) => boolean,
): Map<R, string> {
  const chosen = new Map<R, string>();
  const given = new Map<string, R[]>();
  const ordered = [...named].toSorted(
    ([a, one], [b, other]) => kindRanks.indexOf(a.of) - kindRanks.indexOf(b.of) || compareText(one, other),
  );
  for (const [record, name] of ordered) {
    const isFree = (candidate: string): boolean =>
      isVariable(candidate) &&
      !isUsed(record, candidate) &&
      !(given.get(candidate) ?? []).some((other) => meet(other.of.name, record.of.name));
    const candidates = variableCandidates(record, name);
    const variable = candidates.find(isFree) ?? numbered(candidates.at(-1) ?? "", isFree);
    chosen.set(record, variable);
    given.set(variable, [...(given.get(variable) ?? []), record]);
  }
  return chosen;
}

const kindRanks = inOrderOfReference(importedKinds);

function variableCandidates({ of, id }: Nameable, name: string): string[] {
  const [plain, noun, word] = [camel(name), lastWord(of.kind.noun), kebab(wordsOfText(of.kind.noun))];
  const forms = [plain, plain + capitalizedWord(noun), noun + capitalizedWord(plain), plain + capitalizedWord(camel(word))];
  const part = camel(`${name}-${idPart(id, Infinity)}`);
  return [...forms, part, noun + capitalizedWord(part)];
}

/** Beyond all that a program would hold: a number makes it free. */
function numbered(stem: string, isFree: (candidate: string) => boolean): string {
  for (let i = 2; ; i += 1) if (isFree(`${stem}_${i}`)) return `${stem}_${i}`;
}

/** Longest name that is made of a record's own, in characters: longer ones end with a word before that. */
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
    // Lower case may bring a mark of its own.
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    // Apostrophes and invisible characters do not split a word: "it's" is one.
    .replace(/['’ʼ\p{Default_Ignorable_Code_Point}]/gu, "");
  const words = plain.match(identifierWords) ?? [];
  // A mark alone, or at the start, belongs to a letter that is missing.
  return words.map((word) => word.replace(/^\p{M}+/u, "")).filter((word) => word !== "");
}

/** A word in lower case; of one in camel case only its beginning: `HTTPServerTest` is `httpServerTest`. */
function withoutCapitals(word: string): string {
  const isCamel = /\p{Ll}\p{Lu}/u.test(word) && word.match(identifierWords)?.[0] === word;
  if (!isCamel) return word.toLowerCase();
  return word.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}+/u, (capitals) => capitals.toLowerCase());
}

/**
 * Letters, marks and digits that every compiler knows: of the planes beyond the first those of living languages alone, and none
 * of Unicode's newest.
 */
const identifierWords =
  /(?:(?=\p{ID_Continue})(?![\u088f\u0c5c\u0cdc\u0cf3\u1c89\u1c8a\ua7cb-\ua7f1])(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{M}\p{N}]|[\u{20000}-\u{2a6df}]))+/gu;

/** Words as the name of a resource: `vpn-gateway`. Empty for none. */
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

/** The name of a resource as an identifier, but for one that starts with a digit: `vpnGateway`, `floor1_2`. */
export function camel(name: string): string {
  return name.split("-").reduce((before, word) => {
    if (before === "") return word;
    return /\p{N}$/u.test(before) && /^\p{N}/u.test(word) ? `${before}_${word}` : before + capitalizedWord(word);
  }, "");
}

/** A word with a capital first letter, where that is one letter, and one that every compiler knows. */
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

/** Words that are no variables, or that mean something else at the top level of a file or to its readers. */
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
