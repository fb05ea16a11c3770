/**
 * Compares the schema with the record of the last release, `tools/docs/schema-record.json`: programs that compile and run with that release have to
 * do so with this one, in every language. `node tools/docs/schema-record.mjs` lists what breaks them and ends with 1; with `--write` it makes the
 * record anew, which is a step of a release.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const recordPath = join(root, "tools/docs/schema-record.json");

/** A type in one word, such as `array of string`. */
function typeOf({ type, items, additionalProperties, $ref, oneOf }) {
  if (oneOf) return oneOf.map(typeOf).join(" or ");
  if ($ref) return shortOf($ref);
  if (items) return `array of ${typeOf(items)}`;
  if (additionalProperties) return `map of ${typeOf(additionalProperties)}`;
  return type;
}

/** A token or a reference to a type without what all of them have. */
const shortOf = (token) => token.replace(/^(#\/types\/)?[\w-]+:index:/, "");

const mapped = (object, of) =>
  Object.fromEntries(Object.entries(object ?? {}).map(([name, value]) => [shortOf(name), of(value, name)]));

/** Properties by their types; one that is required ends with `!`. */
const propertiesOf = (properties, required = []) =>
  mapped(properties, (property, name) => typeOf(property) + (required.includes(name) ? "!" : ""));

/** Returns the parts of a schema that programs depend on: names, types, required members, words, and names of packages. */
export function recordOf(schema) {
  const { nodejs, python, csharp, go } = schema.language;
  return {
    version: schema.version,
    packages: {
      nodejs: nodejs.packageName,
      python: python.packageName,
      csharp: csharp.namespaces[schema.name],
      go: go.importBasePath ?? "",
    },
    settings: propertiesOf(schema.config.variables),
    providerSettings: propertiesOf(schema.provider.inputProperties, schema.provider.requiredInputs),
    resources: mapped(schema.resources, ({ inputProperties, requiredInputs, properties, required, aliases = [] }) => ({
      inputs: propertiesOf(inputProperties, requiredInputs),
      outputs: propertiesOf(properties, required),
      aliases: Object.fromEntries(aliases.map(({ type }) => [type, "alias"])),
    })),
    functions: mapped(schema.functions, ({ inputs, outputs }) => ({
      inputs: propertiesOf(inputs.properties, inputs.required),
      outputs: propertiesOf(outputs.properties, outputs.required),
    })),
    types: mapped(schema.types, (type) =>
      type.enum
        ? { words: Object.fromEntries(type.enum.map(({ name, value }) => [value, name])) }
        : { members: propertiesOf(type.properties, type.required) },
    ),
  };
}

const bare = (type) => type.replace(/!$/, "");
const isRequired = (type) => type.endsWith("!");

/** Returns the differences that break programs, a sentence each. */
export function breaks(before, after) {
  return membersBreak("", before, after, []);
}

/** @param path names of the sections that lead to the members, which say whether programs give or read them */
function membersBreak(place, before, after, path) {
  const removed = Object.keys(before).filter((name) => !(name in after));
  const given = ["inputs", "settings", "providerSettings", "members"].some((name) => path.includes(name));
  const read = ["outputs", "members"].some((name) => path.includes(name));
  const added = Object.keys(after).filter((name) => given && !(name in before) && isRequired(after[name]));
  return [
    ...removed.map((name) => `${place}${name}: was removed.`),
    ...added.map((name) => `${place}${name}: is new, and required.`),
    ...Object.keys(before).flatMap((name) => {
      const [was, is] = [before[name], after[name]];
      if (is === undefined || name === "version") return [];
      if (typeof was === "object") return membersBreak(`${place}${name}.`, was, is, [...path, name]);
      if (bare(was) !== bare(is)) return [`${place}${name}: was ${bare(was)}, and is ${bare(is)}.`];
      if (given && !isRequired(was) && isRequired(is)) return [`${place}${name}: is required now.`];
      if (read && isRequired(was) && !isRequired(is)) return [`${place}${name}: may be absent now.`];
      return [];
    }),
  ];
}

/** Whether a version may break what ran with another one: a new major one, or before 1.0 a new minor one. */
export function mayBreak(before, after) {
  const [[major, minor], [newMajor, newMinor]] = [before, after].map((version) => version.split(".").map(Number));
  return newMajor > major || (newMajor === 0 && major === 0 && newMinor > minor);
}

/** The record as text: a line for each resource, function and type. */
export function recordText(record) {
  const section = (value) =>
    `{\n${Object.entries(value)
      .map(([name, one]) => `    ${JSON.stringify(name)}: ${JSON.stringify(one)}`)
      .join(",\n")}\n  }`;
  const all = Object.entries(record).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${typeof value === "string" ? JSON.stringify(value) : section(value)}`,
  );
  return `{\n${all.join(",\n")}\n}\n`;
}

if (import.meta.main) {
  const now = recordOf(JSON.parse(readFileSync(join(root, "plugin/schema.json"), "utf8")));
  if (process.argv.includes("--write")) writeFileSync(recordPath, recordText(now));
  else {
    const last = JSON.parse(readFileSync(recordPath, "utf8"));
    const found = breaks(last, now);
    for (const line of found) console.error(line);
    if (found.length > 0 && !mayBreak(last.version, now.version)) {
      console.error(
        `${found.length} of these break programs of ${last.version}, and ${now.version} may not: keep what was there, beside what is new if need be, with a deprecationMessage; or release a version that may break.`,
      );
      process.exitCode = 1;
    }
  }
}
