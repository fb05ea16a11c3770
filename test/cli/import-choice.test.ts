/** What a person can ask for: kinds, patterns, options, secrets. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chosenKinds, importedKinds, inOrderOfReference, kindWords } from "../../cli/kinds";
import { readOptions } from "../../cli/import/options";
import { options } from "../../cli/command";
import { importCommand } from "../../cli/commands/import";
import { matchSecrets, readSecrets, type RequestedSecret } from "../../cli/import/secrets";
import { commandLine } from "../../cli/import/steps";
import { readSettings } from "../../api";
import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { kindCases, recordKinds } from "../support/kinds";
import { Session } from "../../provider/session";
import { anyGlob } from "../../cli/import/plan";

const readLine = (...args: string[]) => readOptions(options(args, importCommand.options));
const words = (kinds: readonly { word: string }[]): string[] => kinds.map(({ word }) => word);

test("the kinds that can be imported are those that list something", () => {
  const session = new Session(readSettings((name) => ({ baseUrl: "http://127.0.0.1:1", token: "t" })[name as "token"], {}));
  for (const kind of Object.values<Kind>(registry)) {
    expect([kind.name, kind.handler(session).list !== undefined]).toEqual([kind.name, kind.origin !== undefined]);
  }
});

/** Words of the cases: of every record, and all that a person may type. */
const ofRecords = recordKinds.map((kind) => kindCases[kind].words.at(-1));
const every = [...new Set([...recordKinds.flatMap((kind) => kindCases[kind].words), "agents"])];

test("kinds are chosen by the words of messages", () => {
  expect(kindWords()).toEqual(every);
  expect(words(chosenKinds([]))).toEqual(ofRecords);
  expect(words(chosenKinds([], ["agents"]))).toEqual(words(importedKinds));
  expect(words(chosenKinds(["agents", "Label"]))).toEqual(["labels", "agents"]);
  expect(words(chosenKinds(["test"]))).toEqual(["agent-to-server-tests", "http-server-tests", "dynamic-tests"]);
  expect(words(chosenKinds(["HTTP-server-test", "labels"]))).toEqual(["labels", "http-server-tests"]);
  expect(() => chosenKinds(["instant-tests"])).toThrow(`--only takes ${every.join(", ")}, not "instant-tests"`);
});

test("a kind comes after those it refers to", () => {
  const ordered = words(inOrderOfReference(importedKinds));
  const ours = ["labels", "agents", "agent-to-server-tests", "http-server-tests", "dynamic-tests"];
  // A kind that refers to none stands where the registry has it.
  expect(ordered.filter((word) => ours.includes(word))).toEqual(ours);
  expect(ordered.toSorted()).toEqual(words(importedKinds).toSorted());
});

test.each([
  ["Office*", "office 1", true],
  ["office?", "Office", false],
  ["*", "", true],
  ["a.c", "abc", false],
  ["[x] (1+1)? ^$|/\\", "[x] (1+1)! ^$|/\\", true],
  ["東?*", "東京オフィス", true],
  ["?", "😀", true],
  ["line*end", "line\nend", true],
  ["ice", "office", false],
  ["vpn-*", "VPN-2", true],
])("the pattern %j and the name %j", (pattern, name, fits) => {
  expect(anyGlob([pattern])(name)).toBe(fits);
  expect(anyGlob(["nothing", pattern])(name)).toBe(fits);
});

test("options that contradict each other are refused", () => {
  expect(() => readLine("--dry-run", "--run")).toThrow("--dry-run goes without --run");
  expect(() => readLine("--all-account-groups", "--account-group", "1")).toThrow("goes without");
  expect(() => readLine("--only", ",")).toThrow("--only names nothing");
  expect(readLine("--account-group", "1,2", "--account-group", "2", "--match", "a,b")).toMatchObject({
    accountGroups: ["1", "2"],
    match: ["a,b"],
  });
  expect(words(readLine("--agents", "--only", "labels").kinds)).toEqual(["labels", "agents"]);
});

test("a command is printed so that a shell takes it as it is", () => {
  expect(commandLine(["import", "--file", "my file's.json"], "org/dev")).toBe(
    `pulumi import --file 'my file'\\''s.json' --stack org/dev`,
  );
});

describe("secrets", () => {
  const asked = (key: string, more: Partial<RequestedSecret> = {}): RequestedSecret => ({
    key,
    property: "password",
    name: key,
    id: `id-${key}`,
    only: true,
    ...more,
  });
  const match = (given: Record<string, string>, all: RequestedSecret[], known: string[] = []) =>
    matchSecrets(new Map(Object.entries(given)), all, new Set(known));

  test("are found by key, resource name and id", () => {
    const all = [asked("aPassword", { name: "a" }), asked("bPassword", { name: "b" }), asked("cPassword", { name: "c" })];
    const { values } = match({ aPassword: "1", b: "2", "id-cPassword": "3" }, all);
    expect(all.map((one) => values.get(one))).toEqual(["1", "2", "3"]);
  });

  test("that name nothing, too much, or one thing twice are refused by name", () => {
    const all = [asked("aPassword", { name: "a" }), asked("otherPassword", { name: "a", id: "2" })];
    expect(() => match({ nobody: "s3cret", "9": "s3cret" }, all)).toThrow(
      '--secrets: "9", "nobody" name no secret of what is imported. There are aPassword, otherPassword',
    );
    expect(() => match({ a: "s3cret" }, all)).toThrow('"a" may be any of aPassword, otherPassword');
    expect(() => match({ aPassword: "s3cret", "id-aPassword": "other" }, all)).toThrow("aPassword is given twice");
    expect(() => match({ "1": "s3cret" }, [])).toThrow("Nothing of it has a secret");
    const two = [asked("aPassword", { id: "1", only: false }), asked("aToken", { id: "1", only: false })];
    expect(() => match({ "1": "s3cret" }, two)).toThrow('"1" may be any of aPassword, aToken');
  });

  test("secrets of resources that are not imported are reported and not used", () => {
    expect(match({ office: "x" }, [], ["office"])).toEqual({ values: new Map(), unused: ["office"] });
  });

  test("no error about their file quotes it", () => {
    const folder = mkdtempSync(join(tmpdir(), "import-secrets-"));
    const told = (text: string): string => {
      writeFileSync(join(folder, "secrets.json"), text);
      try {
        readSecrets("secrets.json", folder);
      } catch (error) {
        return String(error);
      }
      return "";
    };
    expect(told('{ "a": "s3cret", }')).toMatch(/cannot be read \(it is no JSON\)/);
    expect(told('["s3cret"]')).toMatch(/must hold an object/);
    expect(told('{ "a": 53, "b": "" , "c": "s3cret" }')).toMatch(/: a, b must each be text/);
    expect(told('{ "a": "s3cret" }')).toBe("");
    expect(() => readSecrets("none.json", folder)).toThrow(/none.json cannot be read \(ENOENT: no such file or directory\)/);
    rmSync(folder, { recursive: true });
  });
});
