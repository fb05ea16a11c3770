/** Tests the choices of an import: resource types, patterns, options and secrets. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chosenKinds, kindWords } from "../../../../cli/kinds";
import { importedKinds, inOrderOfReference } from "../../../../provider/imported-kinds";
import { askedKinds, readSecrets } from "../../../../cli/commands/import/run";
import { parsed } from "../../../../cli/command/option";
import { importCommand } from "../../../../cli/commands/import/options";
import { commandLine } from "../../../../cli/commands/import/steps";
import { readSettings } from "../../../../api";
import type { Kind } from "../../../../provider/kind";
import { registry } from "../../../../provider/registry";
import { kindCases, recordKinds } from "../../../support/kinds";
import { Session } from "../../../../provider/session";
import { httpTest, imported, secret } from "../../import-support";
import { anyGlob } from "../../../../cli/commands/import/plan";
import { temporary } from "../../../support/temporary";

const readLine = (...args: string[]) => askedKinds(parsed(args, importCommand.options, { words: [] }).values);
const words = (kinds: readonly { word: string }[]): string[] => kinds.map(({ word }) => word);

test("`import` supports exactly the resource types that the service can list", () => {
  const session = new Session(readSettings((name) => ({ baseUrl: "http://127.0.0.1:1", token: "t" })[name as "token"], {}));
  for (const kind of Object.values<Kind>(registry)) {
    expect([kind.name, kind.handler(session).list !== undefined]).toEqual([kind.name, kind.origin !== undefined]);
  }
});

/** Words of the test cases: of every record, and all words that a user may type. */
const ofRecords = recordKinds.map((kind) => kindCases[kind].words.at(-1));
const every = [...new Set([...recordKinds.flatMap((kind) => kindCases[kind].words), "agents"])];

test("the option --only accepts the names that messages use for resource types", () => {
  expect(kindWords()).toEqual(every);
  expect(words(chosenKinds([]))).toEqual(ofRecords);
  expect(words(chosenKinds([], ["agents"]))).toEqual(words(importedKinds));
  expect(words(chosenKinds(["agents", "Label"]))).toEqual(["labels", "agents"]);
  expect(words(chosenKinds(["test"]))).toEqual(["agent-to-server-tests", "http-server-tests", "dynamic-tests"]);
  expect(words(chosenKinds(["HTTP-server-test", "labels"]))).toEqual(["labels", "http-server-tests"]);
  expect(() => chosenKinds(["instant-tests"])).toThrow(`--only takes ${every.join(", ")}, not "instant-tests"`);
});

test("`import` orders each resource type after the types that it refers to", () => {
  const ordered = words(inOrderOfReference(importedKinds));
  const ours = ["labels", "agents", "agent-to-server-tests", "http-server-tests", "dynamic-tests"];
  // A resource type without references keeps its place in the registry.
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
])("the name pattern %j matches the name %j: %s", (pattern, name, fits) => {
  expect(anyGlob([pattern])(name)).toBe(fits);
  expect(anyGlob(["nothing", pattern])(name)).toBe(fits);
});

test("`import` refuses options that contradict each other", () => {
  expect(() => readLine("--dry-run", "--run")).toThrow("--dry-run and --run cannot be used together");
  expect(() => readLine("--all-account-groups", "--account-group", "1")).toThrow("cannot be used together");
  expect(() => readLine("--only", ",")).toThrow("--only requires at least one name");
  expect(words(readLine("--agents", "--only", "labels"))).toEqual(["labels", "agents"]);
});

test("`import` quotes the arguments of a printed command for the shell", () => {
  expect(commandLine(["import", "--file", "my file's.json"], "org/dev")).toBe(
    `pulumi import --file 'my file'\\''s.json' --stack org/dev`,
  );
});

describe("secrets of an import", () => {
  const portal = httpTest("20", "Portal", secret);

  test("`import` prefers a secret in the secrets file to the secret in the stack configuration", async () => {
    const key = "portalPassword";
    const valueWith = async (secretValues: Record<string, string>, configured: Record<string, string>): Promise<unknown> => {
      const { items } = await imported([portal], {}, { secretValues: secretValues, configured });
      return items.flatMap(({ secrets }) =>
        secrets.map((secretArgument) => [secretArgument.key, secretArgument.value, secretArgument.configured]),
      );
    };
    expect(await valueWith({}, {})).toEqual([[key, undefined, false]]);
    expect(await valueWith({ [key]: "1", portal: "2" }, {})).toEqual([[key, "1", false]]);
    expect(await valueWith({ [key]: "1" }, { [key]: "2" })).toEqual([[key, "1", false]]);
    expect(await valueWith({}, { [key]: "2" })).toEqual([[key, "2", true]]);
  });

  test("an error about the secrets file never shows the file's content", () => {
    const folder = temporary();
    const errorOf = (text: string): string => {
      writeFileSync(join(folder, "secrets.json"), text);
      try {
        readSecrets("secrets.json", folder);
      } catch (error) {
        return String(error);
      }
      return "";
    };
    for (const wrong of ['{ "a": "s3cret", }', '["s3cret"]', '{ "a": 53, "c": "s3cret" }', '{ "b": "", "c": "s3cret" }']) {
      expect(errorOf(wrong)).toMatch(
        /secrets\.json must contain a JSON object that maps configuration keys to non-empty strings/,
      );
      expect(errorOf(wrong)).not.toMatch(/s3cret/);
    }
    expect(errorOf('{ "a": "s3cret" }')).toBe("");
    expect(() => readSecrets("none.json", folder)).toThrow(/none.json cannot be read \(ENOENT: no such file or directory\)/);
  });
});
