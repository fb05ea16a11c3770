/** Compares the reference pages with the resource types, the API's sample bodies and the sources. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, operations, type Operation } from "../../../api";
import { chosenKinds } from "../../../cli/kinds";
import type { Kind } from "../../../provider/kind";
import { registry } from "../../../provider/registry";
import { importsOf } from "../../support/imports";

const root = join(__dirname, "../../..");
const kinds: [string, Kind][] = Object.values(registry).map((kind: Kind) => [kind.name, kind]);
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pageOf = (name: string): string => read(`docs/reference/${name}.md`);

/** Returns the rows of the table under a heading, cell by cell, without backticks. */
function rowsUnder(page: string, heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(/^`|`$/g, "")),
  );
}

const argumentsOf = (name: string) =>
  rowsUnder(pageOf(name), "Arguments").map(([path = "", type = "", standard = "", effect = "", meaning = ""]) => ({
    path,
    type,
    standard,
    effect,
    meaning,
  }));

describe.each(kinds)("the reference page of %s", (name, kind) => {
  it("the reference page lists exactly the arguments of the resource type", () => {
    const top = argumentsOf(name).filter(({ path }) => !/[.[]/.test(path));
    expect(top.map(({ path }) => path).toSorted()).toEqual(Object.keys(kind.properties).toSorted());
  });

  it("the reference page has no empty cells and no incomplete sentences", () => {
    const rows = argumentsOf(name);
    expect(rows.filter((row) => Object.values(row).includes(""))).toEqual([]);
    expect(rows.filter(({ type }) => type.includes("("))).toEqual([]);
    expect(pageOf(name)).not.toMatch(/but ,|except ,| ,|\ba (?:HTTP|agent|[aeio])|\ban (?:label|dynamic|test)/);
  });

  it("the reference page shows each default that a property's description mentions", () => {
    const named = argumentsOf(name).flatMap(({ path, standard, meaning }) => {
      const [, text] = /Default: `?([#\w-]+)`?(?:\.|,| )/.exec(meaning) ?? [];
      return text === undefined || ["the", "accountGroupId"].includes(text) ? [] : [{ path, standard, text }];
    });
    const differing = named.filter(({ path, standard, text }) => {
      // The setting decides the default of `adopt`.
      if (kind.properties[path]?.role === "provider-option" && standard === "-") return false;
      return standard.replaceAll('"', "") !== text;
    });
    expect(differing).toEqual([]);
  });

  it("the reference page shows whether a changed argument updates or replaces the resource", () => {
    for (const { path, effect } of argumentsOf(name)) {
      const { role, setOn } = kind.properties[/^\w+/.exec(path)?.[0] ?? ""] ?? {};
      const kept = role === "provider-option" ? "nothing" : role === "local" ? "is recorded" : "updates";
      expect([path, effect]).toEqual([path, setOn === "create" ? "**replaces**" : kept]);
    }
  });

  it("the reference page lists the id and each output that can have a value", () => {
    const shown = new Set(rowsUnder(pageOf(name), "Outputs").map(([path]) => path));
    const never = [
      ...(kind.writeOnly.length > 0 ? [] : ["unknownFields"]),
      ...(kind.leftToService.length > 0 ? [] : ["unmanagedFields"]),
    ];
    const ownOutputs = Object.keys(kind.outputSchema.shape).filter(
      (output) => !(output in kind.properties) && !never.includes(output),
    );
    for (const output of ["id", ...ownOutputs]) expect(shown).toContain(output);
    for (const output of never) expect(shown).not.toContain(output);
  });

  it("the reference page does not claim that the service returns write-only arguments", () => {
    const [, sentence = ""] = /## Outputs\n\n(.*)/.exec(pageOf(name)) ?? [];
    const apart = Object.entries(kind.properties).filter(([, { role, writeOnly }]) => role !== undefined || writeOnly === true);
    for (const [property] of apart) expect(sentence).toContain(`\`${property}\``);
    expect(kind.origin !== undefined).toBe(sentence.includes("the value that the service has"));
  });

  it("the reference page shows get and import with a valid id if the type has records", () => {
    const [, id] = new RegExp(`${name}\\.get\\("found", "(.*)"\\)`).exec(pageOf(name)) ?? [];
    const [, word] = /endpoint-monitoring import --only (\S+)/.exec(pageOf(name)) ?? [];
    expect([id !== undefined, word !== undefined]).toEqual([kind.origin !== undefined, kind.origin !== undefined]);
    if (word === undefined || id === undefined) return;
    expect(chosenKinds([word]).map((chosen) => chosen.kind.name)).toEqual([name]);
    expect(idsOf(name, kind).map((recorded) => shapeOf(recorded))).toContain(shapeOf(id));
  });

  it("the reference page names only documented errors that the provider can throw", () => {
    const [, sentence = ""] = /An update can fail with ([^]*?) \[Errors\]/.exec(pageOf(name)) ?? [];
    const codes = [...sentence.matchAll(/`([\w-]+)`/g)].map(([, code = ""]) => code);
    expect(codes.filter((code) => !(code in errorCodes))).toEqual([]);
    const classes = codes.map((code) => classOf(code));
    const thrown = thrownFrom(name);
    expect(classes.filter((errorClass) => errorClass !== undefined && !thrown.has(errorClass))).toEqual([]);
    expect(codes.length).toBeGreaterThan(2);
  });

  it("the reference page names each operation once, with the documented permission", () => {
    const known = new Map(
      Object.values(operations)
        .flatMap((area) => Object.values<Operation>(area))
        .map((operation) => [operation.id, operation]),
    );
    const rows = rowsUnder(pageOf(name), "Permissions");
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length);
    for (const [id = "", request, permission] of rows) {
      const { method, path, writes, permission: documented } = known.get(id) ?? {};
      expect([request, permission]).toEqual([`${method} ${path}`, documented ?? (writes ? "not documented" : "-")]);
    }
    const methods = rows.map(([, request = ""]) => request.replace(/ .*/, ""));
    expect(methods).toEqual(expect.arrayContaining(kind.origin === "made" ? ["POST", "GET", "DELETE"] : ["POST"]));
    expect(methods.some((method) => method === "PATCH" || method === "PUT")).toBe(kind.origin !== undefined);
  });
});

/** Ids of a type's records in the API's sample bodies and recordings. */
function idsOf(name: string, { noun }: Kind): string[] {
  const [get = ""] = rowsUnder(pageOf(name), "Permissions").find(([, request = ""]) => /^GET .*\}$/.test(request)) ?? [];
  const files = [`examples/${get}.response.json`, `recorded-${noun}s.json`].map((file) => join("test/fixtures/service", file));
  const bodies = files.filter((file) => existsSync(join(root, file))).map((file) => read(file));
  return bodies.flatMap((body) => [...body.matchAll(/"(?:id|testId)": "([^"]+)"/g)].map(([, id = ""]) => id));
}

const shapeOf = (id: string): string => id.replaceAll(/\d+/g, "0").replace(/^[0-9a-f]+(?:-[0-9a-f]+){4}$/, "UUID");

/** Returns the class of the provider's errors with a code, or undefined for request errors. */
function classOf(code: string): string | undefined {
  const sources = read("provider/failures.ts");
  return new RegExp(`class (\\w+) extends \\w+ \\{\\s+readonly code = "${code}"`).exec(sources)?.[1];
}

/** Error classes that a type's file and its imports in the provider construct. */
function thrownFrom(name: string): Set<string> {
  const start = `provider/resources/${name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.ts`;
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { target, internal } of importsOf(file)) if (internal && target.startsWith("provider/")) follow(`${target}.ts`);
  };
  follow(start);
  return new Set(
    [...seen].flatMap((file) =>
      [...read(file).matchAll(/new (\w+(?:Error|Failure))\(/g)].map(([, errorClass = ""]) => errorClass),
    ),
  );
}
