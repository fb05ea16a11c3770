/** Longest name that is made of a record's own, in characters: longer ones end with a word before that. */
const longest = 60;

/**
 * The words of a text, in lower case and of characters that may stand in an identifier. Accents of Latin letters go (`é` is `e`);
 * other scripts stay as they are, since their readers wrote them.
 */
export function wordsOfText(text: string): string[] {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFKC")
    .toLowerCase()
    // Lower case may bring a mark of its own.
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    // What joins and what may not be seen is no part of a word: "it's" is one.
    .replace(/['’ʼ\p{Default_Ignorable_Code_Point}]/gu, "");
  const words = plain.match(letters) ?? [];
  // A mark alone, or at the start, belongs to a letter that is not there.
  return words.map((word) => word.replace(/^\p{M}+/u, "")).filter((word) => word !== "");
}

/**
 * Letters, marks and digits that every compiler knows: of the planes beyond the first those of living languages alone, and none
 * of Unicode's newest.
 */
const letters =
  /(?:(?=\p{ID_Continue})(?![\u088f\u0c5c\u0cdc\u0cf3\u1c89\u1c8a\ua7cb-\ua7f1])(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{M}\p{N}]|[\u{20000}-\u{2a6df}]))+/gu;

/** Words as the name of a resource: `vpn-gateway`. Empty for none. */
export function kebab(words: readonly string[]): string {
  let name = "";
  for (const word of words) {
    const longer = name === "" ? word : `${name}-${word}`;
    if (Array.from(longer).length > longest) return name === "" ? Array.from(word).slice(0, longest).join("") : name;
    name = longer;
  }
  return name;
}

/** The name of a resource as an identifier, but for one that starts with a digit: `vpnGateway`, `floor1_2`. */
export function camel(name: string): string {
  return name.split("-").reduce((before, word) => {
    if (before === "") return word;
    return /\p{N}$/u.test(before) && /^\p{N}/u.test(word) ? `${before}_${word}` : before + capitalized(word);
  }, "");
}

/** A word with a capital first letter, where that is one letter, and one that every compiler knows. */
export function capitalized(word: string): string {
  const [first = ""] = word;
  const capital = first.toUpperCase();
  const isLetter = Array.from(capital).length === 1 && capital.match(letters) !== null;
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
