import fc from "fast-check";
import ts from "typescript";
import { importedKinds, type ImportedKind } from "../../../../provider/imported-kinds";
import {
  resourceNames,
  variables,
  type Nameable,
  camel,
  isVariable,
  kebab,
  wordsOfText,
} from "../../../../cli/commands/import/names";
import { amount, seed } from "../../../support/amount";

const kindOf = (word: string): ImportedKind => {
  const importedKind = importedKinds.find((kind) => kind.word === word);
  if (!importedKind) throw new Error(`no kind ${word}`);
  return importedKind;
};
const [labels, agents, networkTests, httpTests] = ["labels", "agents", "agent-to-server-tests", "http-server-tests"].map(
  kindOf,
) as [ImportedKind, ImportedKind, ImportedKind, ImportedKind];
const record = (of: ImportedKind, title: string | undefined, id: string): Nameable => ({ of, title, id });
const free = (): boolean => false;

/** `<name> <variable>` of each record, by its id. */
function named(records: readonly Nameable[], isTaken: (record: Nameable, name: string) => boolean = free, isUsed = free) {
  const names = resourceNames(records, isTaken);
  const chosen = variables(names, isUsed);
  return Object.fromEntries(records.map((nameable) => [nameable.id, `${names.get(nameable)} ${chosen.get(nameable)}`]));
}

test.each([
  ["Office", "office", "office"],
  ["VPN gateway", "vpn-gateway", "vpnGateway"],
  ["  Zürich – Büro 3 ", "zurich-buro-3", "zurichBuro3"],
  ["fooTest", "fooTest", "fooTest"],
  ["FooTest", "fooTest", "fooTest"],
  ["HTTPServerTest eu", "httpServerTest-eu", "httpServerTestEu"],
  ["checkout myShop 2", "checkout-myShop-2", "checkoutMyShop2"],
  ["OFFICE", "office", "office"],
  ["it's O’Brien", "its-obrien", "itsObrien"],
  ["Straße", "strasse", "strasse"],
  ["İstanbul", "istanbul", "istanbul"],
  ["ＦＵＬＬ　ｗｉｄｔｈ", "full-width", "fullWidth"],
  ["ﬁle ½", "file-1-2", "file1_2"],
  // Combining marks belong to letters of some scripts. Without them the words would differ.
  ["がいこく", "がいこく", "がいこく"],
  ["Йод", "йод", "йод"],
  ["नमस्ते दुनिया", "नमस्ते-दुनिया", "नमस्तेदुनिया"],
  // A later Unicode version added the capital of this letter, so compilers do not know it.
  ["a ɤb", "a-ɤb", "aɤb"],
  ["10.20 floor", "10-20-floor", "label10_20Floor"],
  ["a_b·c/d::e", "a-b-c-d-e", "aBCDE"],
  ["class", "class", "classLabel"],
  ["config", "config", "configLabel"],
  ["$ {} `", "label-12345678", "label12345678"],
  ["\u200b\u202e", "label-12345678", "label12345678"],
  [undefined, "label-12345678", "label12345678"],
])("`import` gives the record %j the resource name %s and the constant %s", (title, name, variable) => {
  expect(named([record(labels, title, "999912345678")])).toEqual({ "999912345678": `${name} ${variable}` });
});

test("`import` cuts a long name after a whole word", () => {
  expect(kebab(wordsOfText("one two three four five six seven eight nine ten eleven twelve thirteen"))).toBe(
    "one-two-three-four-five-six-seven-eight-nine-ten-eleven",
  );
  expect(kebab(["x".repeat(100)])).toBe("x".repeat(60));
});

test("`import` adds part of the id to each record with the same name", () => {
  const records = [
    record(labels, "Office", "10007001"),
    record(labels, "OFFICE!", "10008002"),
    record(labels, "Branch", "10009003"),
  ];
  expect(named(records)).toEqual({
    "10007001": "office-7001 office7001",
    "10008002": "office-8002 office8002",
    "10009003": "branch branch",
  });
  const longer = [record(labels, "Office", "1234567890001"), record(labels, "Office", "9876567890001")];
  expect(Object.values(named(longer))).toEqual([
    "office-1234567890001 office1234567890001",
    "office-9876567890001 office9876567890001",
  ]);
});

test("`import` adds part of the id to names that would give the same constant", () => {
  expect(Object.values(named([record(labels, "Site 1", "10001"), record(labels, "Site1", "10002")]))).toEqual([
    "site-1-0001 site1_0001",
    "site1-0002 site1_0002",
  ]);
});

test("a generated name with an id suffix never equals another record's name", () => {
  const records = [record(labels, "A", "10001"), record(labels, "A", "10002"), record(labels, "A 0001", "77777")];
  expect(named(records)).toEqual({ "10001": "a-10001 a10001", "10002": "a-10002 a10002", "77777": "a-0001 a0001" });
});

test("`import` adds part of the id to a name that another resource uses", () => {
  expect(named([record(labels, "Office", "10007001")], (_, name) => name === "office")).toEqual({
    "10007001": "office-7001 office7001",
  });
});

test("only one constant has no type suffix if records of several types share a name", () => {
  const records = [
    record(labels, "Office", "1"),
    record(agents, "Office", "2"),
    record(networkTests, "Office", "3"),
    record(httpTests, "Office", "4"),
  ];
  expect(named(records)).toEqual({
    1: "office office",
    2: "office officeAgent",
    3: "office officeTest",
    4: "office officeHttpServerTest",
  });
  expect(named([record(networkTests, "Portal", "3"), record(httpTests, "Portal", "4")])).toEqual({
    3: "portal portal",
    4: "portal portalTest",
  });
});

test("`import` does not reuse the name of an existing constant", () => {
  const names = resourceNames([record(httpTests, "Office", "10009")], free);
  const variableBeside = (...used: string[]): string[] => [...variables(names, (name) => used.includes(name)).values()];
  expect(variableBeside("office", "officeTest")).toEqual(["officeHttpServerTest"]);
  expect(variableBeside("office", "officeTest", "officeHttpServerTest", "office_2")).toEqual(["office_3"]);
});

test("the names that `import` chooses do not depend on the order of the records", () => {
  const title = fc.constantFrom("Office", "office", "Office test", "Office 1", "Branch", "VPN", "", "東京", "10", "1-0");
  const generated = fc.record({ title, id: fc.integer({ min: 10_000, max: 99_999 }).map(String), isLabel: fc.boolean() });
  const all = fc.uniqueArray(generated, { selector: ({ id }) => id, maxLength: 12 });
  const twice = all.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(twice, ([listed, other]) => {
      const make = (list: typeof listed): Nameable[] =>
        list.map((each) => record(each.isLabel ? labels : httpTests, each.title, each.id));
      expect(named(make(other))).toEqual(named(make(listed)));
    }),
    { numRuns: amount(100, 500), seed: seed(1) },
  );
});

test("`import` chooses unique names for any records", () => {
  const title = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.constantFrom("a", "A", "new", "1"));
  const generated = fc.record({ title, id: fc.uuid(), kind: fc.constantFrom(0, 1, 2, 3) });
  fc.assert(
    fc.property(fc.uniqueArray(generated, { selector: ({ id }) => id, maxLength: 20 }), (listed) => {
      const kinds = [labels, agents, networkTests, httpTests];
      const records = listed.map(({ title: text, id, kind }) => record(kinds[kind] ?? labels, text, id));
      const ordered = records.toSorted((a, b) => kinds.indexOf(a.of) - kinds.indexOf(b.of));
      const names = resourceNames(ordered, free);
      const chosen = variables(names, free);
      const urns = ordered.map((each) => `${each.of.name} ${names.get(each)}`);
      expect(new Set(urns).size).toBe(urns.length);
      for (const each of ordered) {
        const variable = chosen.get(each) ?? "";
        const meeting = ordered.filter((other) => other !== each);
        expect(meeting.map((other) => chosen.get(other))).not.toContain(variable);
        const source = ts.createSourceFile("x.ts", `export const ${variable} = 1;`, ts.ScriptTarget.ES2023);
        expect(source.statements).toHaveLength(1);
        expect((source as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics).toEqual([]);
      }
    }),
    { numRuns: amount(40, 300), seed: seed(1) },
  );
});

test("the compiler accepts every character in a constant that `import` generates", () => {
  const every = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  const all = every.filter((character) => /[^\p{Unassigned}\p{Private_Use}\p{Surrogate}]/u.test(character));
  const texts = Array.from({ length: 200 }, (_, i) => all.slice(i * 1_024, (i + 1) * 1_024));
  const words = texts.flatMap((characters) => wordsOfText(characters.map((character) => ` a${character}`).join("")));
  const characters = new Set(words.flatMap((word) => Array.from(word)));
  expect(characters.size).toBeGreaterThan(80_000);
  const wrong = [...characters].filter(
    (character) => !ts.isIdentifierPart(character.codePointAt(0) ?? 0, ts.ScriptTarget.ES2023),
  );
  expect(wrong.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
});

test("`import` never names a constant after a TypeScript keyword", () => {
  const { FirstKeyword, LastKeyword } = ts.SyntaxKind;
  const kinds = Object.values(ts.SyntaxKind).filter((syntax) => typeof syntax === "number");
  const keywords = kinds.filter((syntax) => syntax >= FirstKeyword && syntax <= LastKeyword);
  const words = [...new Set(keywords)].map((syntax) => ts.tokenToString(syntax) ?? "");
  expect(words.length).toBeGreaterThan(80);
  expect(words.filter(isVariable)).toEqual([]);
  expect(["a", "東京", "_1", "a-b", "1a", "", "a b"].map(isVariable)).toEqual([true, true, true, false, false, false, false]);
});

test("`import` separates two adjacent numbers in the name of a constant", () => {
  expect([camel("10-20"), camel("1-020"), camel("a-1-b-2")]).toEqual(["10_20", "1_020", "a1B2"]);
});
