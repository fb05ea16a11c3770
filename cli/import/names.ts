import { stable } from "../../provider/values";
import { importedKinds, inOrderOfReference, lastWord, meet, type ImportedKind } from "../kinds";
import { camel, capitalized, isVariable, kebab, wordsOfText } from "./words";

/** A record to be named. */
export interface Nameable {
  readonly of: ImportedKind;
  readonly id: string;
  /** What people call it; absent where it has no name. */
  readonly title: string | undefined;
}

/** Lengths of the part of an id that tells records of one name apart; the last is the whole of it. */
const tails = [4, 8, Infinity];

/**
 * Names of resources, from the names of the records alone: the same record gets the same name, whatever else is there and in
 * whatever order it is listed. Records of a kind whose names read alike all get a part of their id.
 *
 * @param records records to be named, and those whose names they must be told apart from
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
    const marked = tails.map((length) => group.map((record) => `${baseName(record)}-${idPart(record.id, length)}`));
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
  const plain = kebab([wordsOfText(id).join("")]);
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
    ([a, one], [b, other]) => ranks.indexOf(a.of) - ranks.indexOf(b.of) || (one < other ? -1 : 1),
  );
  for (const [record, name] of ordered) {
    const isFree = (candidate: string): boolean =>
      isVariable(candidate) &&
      !isUsed(record, candidate) &&
      !(given.get(candidate) ?? []).some((other) => meet(other.of.name, record.of.name));
    const candidates = variableCandidates(record, name);
    const variable = candidates.find(isFree) ?? unheardOf(candidates.at(-1) ?? "", isFree);
    chosen.set(record, variable);
    given.set(variable, [...(given.get(variable) ?? []), record]);
  }
  return chosen;
}

const ranks = inOrderOfReference(importedKinds);

function variableCandidates({ of, id }: Nameable, name: string): string[] {
  const [plain, noun, word] = [camel(name), lastWord(of.kind.noun), kebab(wordsOfText(of.kind.noun))];
  const forms = [plain, plain + capitalized(noun), noun + capitalized(plain), plain + capitalized(camel(word))];
  const part = camel(`${name}-${idPart(id, Infinity)}`);
  return [...forms, part, noun + capitalized(part)];
}

/** Beyond all that a program would hold: a number makes it free. */
function unheardOf(stem: string, isFree: (candidate: string) => boolean): string {
  for (let i = 2; ; i += 1) if (isFree(`${stem}_${i}`)) return `${stem}_${i}`;
}
