/** The schema beside the record of the last release: what breaks programs of it stops, unless the version says so. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../support/process";

interface Member {
  type?: string;
  enum?: { name: string; value: string }[];
}
interface Part {
  inputProperties: Record<string, Member>;
  requiredInputs: string[];
  properties: Record<string, Member>;
  required: string[];
  inputs: { properties: Record<string, Member>; required: string[] };
  aliases: object[];
  enum: { name: string; value: string }[];
}
interface Schema {
  version: string;
  config: { variables: Record<string, Member> };
  language: Record<string, { packageName: string }>;
  resources: Record<string, Part>;
  functions: Record<string, Part>;
  types: Record<string, Part>;
}

const text = readFileSync(join(repository, "plugin/schema.json"), "utf8");
const recordModule = JSON.stringify(pathToFileURL(join(repository, "tools/docs/schema-record.mjs")).href);

/** Runs code with the module, which is an ES module. @returns what it printed */
function evaluated(code: string, given: unknown): unknown {
  const script = `
    import { readFileSync } from "node:fs";
    import { breaks, mayBreak, recordOf } from ${recordModule};
    const given = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify(${code}));`;
  const options = { input: JSON.stringify(given), encoding: "utf8", maxBuffer: 1e8 } as const;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", script], options));
}

it("no change since the last release breaks a program", () => {
  const { status, stderr } = spawnSync(process.execPath, ["tools/docs/schema-record.mjs"], {
    cwd: repository,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

const index = "endpoint-monitoring:index:";
const [label, words] = [`${index}Label`, `${index}LabelMatchType`];
const part = (all: Record<string, Part>, token: string): Part => all[token] as Part;

/** Changes of a schema, and what each breaks. */
const changes: [string, (schema: Schema) => void, string[]][] = [
  ["a resource that is gone", ({ resources }) => void delete resources[label], ["resources.Label: was removed."]],
  [
    "a function that is gone",
    ({ functions }) => void delete functions[`${index}getLabel`],
    ["functions.getLabel: was removed."],
  ],
  [
    "an input that is gone",
    ({ resources }) => void delete part(resources, label).inputProperties["color"],
    ["resources.Label.inputs.color: was removed."],
  ],
  [
    "an input of another type",
    ({ resources }) => void (part(resources, label).inputProperties["color"] = { type: "integer" }),
    ["resources.Label.inputs.color: was string, and is integer."],
  ],
  [
    "an input that is required now",
    ({ resources }) => void part(resources, label).requiredInputs.push("color"),
    ["resources.Label.inputs.color: is required now."],
  ],
  [
    "a new input that is required",
    ({ resources }) => {
      part(resources, label).inputProperties["shape"] = { type: "string" };
      part(resources, label).requiredInputs.push("shape");
    },
    ["resources.Label.inputs.shape: is new, and required."],
  ],
  [
    "an output that is gone",
    ({ resources }) => void delete part(resources, label).properties["filters"],
    ["resources.Label.outputs.filters: was removed."],
  ],
  [
    "an output that may be absent",
    ({ resources }) =>
      void (part(resources, label).required = part(resources, label).required.filter((name) => name !== "name")),
    ["resources.Label.outputs.name: may be absent now."],
  ],
  [
    "an alias that is gone",
    ({ resources }) => void (part(resources, label).aliases = []),
    ["resources.Label.aliases.pulumi-nodejs:dynamic/endpoint-monitoring:Label: was removed."],
  ],
  [
    "an argument of a function that is required now",
    ({ functions }) => void part(functions, `${index}getAgents`).inputs.required.push("max"),
    ["functions.getAgents.inputs.max: is required now."],
  ],
  [
    "a word that is gone",
    ({ types }) => void (part(types, words).enum = part(types, words).enum.filter(({ value }) => value !== "or")),
    ["types.LabelMatchType.words.or: was removed."],
  ],
  [
    "a word of another name",
    ({ types }) => {
      for (const word of part(types, words).enum) word.name += "X";
    },
    ["types.LabelMatchType.words.and: was And, and is AndX.", "types.LabelMatchType.words.or: was Or, and is OrX."],
  ],
  ["a setting that is gone", ({ config }) => void delete config.variables["token"], ["settings.token: was removed."]],
  [
    "a package of another name",
    ({ language }) => void ((language["nodejs"] as { packageName: string }).packageName = "other"),
    ["packages.nodejs: was pulumi-endpoint-monitoring-native, and is other."],
  ],
  [
    "what is new, optional or no longer required",
    ({ resources, types }) => {
      const { inputProperties, properties, required } = part(resources, label);
      inputProperties["shape"] = { type: "string" };
      properties["shape"] = { type: "string" };
      required.push("shape");
      part(resources, label).requiredInputs = [];
      resources[`${index}Other`] = part(resources, label);
      part(types, words).enum.push({ name: "Nor", value: "nor" });
    },
    [],
  ],
];

it("each change that breaks programs is named, and no other", () => {
  const schemas = changes.map(([, change]) => {
    const schema = JSON.parse(text) as Schema;
    change(schema);
    return schema;
  });
  const found = evaluated("given.slice(1).map((schema) => breaks(recordOf(given[0]), recordOf(schema)))", [
    JSON.parse(text),
    ...schemas,
  ]) as string[][];
  expect(Object.fromEntries(changes.map(([what], at) => [what, found[at]]))).toEqual(
    Object.fromEntries(changes.map(([what, , lines]) => [what, lines])),
  );
  expect(found.flat().length).toBeGreaterThan(14);
});

it("a new major version may break programs, and before 1.0 a new minor one", () => {
  const versions = [
    ["0.1.0", "0.1.1"],
    ["0.1.9", "0.2.0"],
    ["0.9.0", "1.0.0"],
    ["1.2.0", "1.3.0"],
    ["1.2.0", "2.0.0"],
  ];
  expect(evaluated("given.map(([before, after]) => mayBreak(before, after))", versions)).toEqual([
    false,
    true,
    true,
    false,
    true,
  ]);
});
