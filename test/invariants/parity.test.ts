import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as api from "../../api";
import { EndpointMonitoringError, errorCodes } from "../../api";
import { helpOf } from "../../cli/command/help";
import { allCommands } from "../../cli/command/list";
import * as words from "../../cli/generated/kind-words";
import { kindWords } from "../../cli/kinds";
import { importedKinds } from "../../provider/imported-kinds";
import * as failures from "../../provider/failures";
import { records, registry } from "../../provider/registry";
import * as sdk from "../../sdk";
import type { ResourceClass } from "../../sdk/resource";
import { providerString, typeToken } from "../../sdk/token";
import { kindCases, operationsOf } from "../support/kinds";

const root = join(__dirname, "../..");
const classes = sdk as unknown as Record<string, { of?: ResourceClass } | undefined>;
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
    .map((name) => readFileSync(join(root, folder, name), "utf8"));

describe.each(Object.entries(registry))("resource type %s", (key, kind) => {
  it("the class has the name, serialized provider and secrets that the registry defines", () => {
    const of = classes[kind.name]?.of;
    expect(of?.name).toBe(kind.name);
    expect(providerString(kind.name)).toMatch(new RegExp(`\\.${key}$`));
    expect(Buffer.byteLength(providerString(kind.name, true))).toBeLessThan(150);
    expect(typeToken(kind.name)).toBe(`pulumi-nodejs:dynamic/endpoint-monitoring:${kind.name}`);
    expect(of?.secrets).toEqual(kind.secrets);
    expect(of?.origin).toBe(kind.origin ?? "none");
  });

  it("the class has each input as an output, except provider options", () => {
    const inputs = Object.keys(kind.properties).filter((name) => !kind.providerOptions.includes(name));
    const outputs = new Set([...inputs, ...Object.keys(kind.outputSchema.shape)]);
    expect(new Set(classes[kind.name]?.of?.outputs)).toEqual(outputs);
  });

  it("the resource type refers only to resource types in the registry", () => {
    expect(Object.keys(kind.properties)).toContain(kind.nameProperty);
    for (const of of Object.values(kind.refersTo)) expect(Object.keys(registry)).toContain(of);
  });

  it("the type has a sample id exactly when the service can list the type's records", () => {
    expect(kind.sampleId !== undefined).toBe(kind.origin !== undefined);
  });

  it("an example program declares the resource type", () => {
    expect(sources("examples").some((text) => text.includes(`new ${kind.name}(`))).toBe(true);
  });

  it("the fixture test/fixtures/state/program.json declares the resource type", () => {
    const program = JSON.parse(readFileSync(join(root, "test/fixtures/state/program.json"), "utf8")) as object;
    expect(Object.values(program)).toContainEqual(expect.objectContaining({ kind: kind.name }));
  });

  it("a reference page describes the resource type", () => {
    expect(existsSync(join(root, `docs/reference/${kind.name}.md`))).toBe(true);
  });
});

it.each(Object.entries(records))("the schemas contain all five operations of %s", (key, kind) => {
  const { path } = kindCases[key as keyof typeof records];
  const verbs = api.allOperations().filter((operation) => operation.path.replace(/\/\{\w+\}$/, "") === path);
  const { method: update } = operationsOf(key as keyof typeof records).update;
  expect(verbs.map(({ method }) => method).toSorted()).toEqual(["DELETE", "GET", "GET", "POST", update].toSorted());
  expect(["PATCH", "PUT"]).toContain(update);
  const both = kind.createOnly.filter((property) => kind.updateOnly.includes(property));
  expect(both).toEqual([]);
});

it("the exported classes match the registry of resource types", () => {
  const exported = Object.values(classes).flatMap((candidate) => candidate?.of?.name ?? []);
  expect(new Set(exported)).toEqual(new Set(Object.values(registry).map(({ name }) => name)));
});

it.each(allCommands().map((command) => [command.name, command] as const))(
  "the help of %s contains a description, the usage and an example",
  (name, command) => {
    const help = helpOf(command);
    const { summary } = command;
    expect(summary).toMatch(/^[A-Z].{20,100}[^.]$/);
    expect(help).toContain(`Usage: endpoint-monitoring ${name}`);
    expect(help).toContain("\nEvery command accepts -C DIR, --json and --help.");
    expect(help).toMatch(/\nUsage: .*\n\nExamples:\n {2}\S/);
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(118);
  },
);

it.each(allCommands().map((command) => [command.name, command] as const))(
  "the help of %s lists every option",
  (_name, command) => {
    const listed = [...helpOf(command).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)(?= |$)/gm)].map(([, flag]) => flag);
    expect(listed).toEqual(Object.keys(command.options).map((option) => `--${option}`));
  },
);

const examples = readdirSync(join(root, "examples"));

it.each(examples)("the example %s has a README and a test", (name) => {
  const readme = readFileSync(join(root, "examples", name, "README.md"), "utf8");
  expect(readme).toMatch(/^# \S/);
  const tests = ["test/real", "test/ci", "test/package", "tools/engine/demo"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => readFileSync(join(root, folder, file), "utf8")),
  );
  // `Stack.start({}, "name")`, or one of the copied examples that each run of the tests includes.
  const used = [`"${name}")`, `examples/${name}`, `["${name}", "npm"]`, `["${name}", "pnpm"]`];
  expect(used.some((word) => tests.some((text) => text.includes(word)))).toBe(true);
});

it("help texts use the registry's names of resource types", () => {
  expect(words.kindWords).toEqual(kindWords());
  expect(words.wordsOnRequest).toEqual(importedKinds.filter(({ onRequest }) => onRequest).map(({ word }) => word));
});

it("each error code has a class and a description in the documentation", () => {
  const exported = { ...api, ...failures } as Record<string, unknown>;
  const abstract = new Set(["EndpointMonitoringError", "RequestFailure", "ApiError"]);
  const errors = Object.entries(exported).filter(
    ([name, value]) => typeof value === "function" && value.prototype instanceof EndpointMonitoringError && !abstract.has(name),
  );
  // A class sets its code in its body, so no instance is needed to read it.
  const codes = errors.map(([name, value]) => /code = "([a-z-]+)"/.exec(String(value))?.[1] ?? `${name} has no code`);
  expect(codes.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  const page = readFileSync(join(root, "docs/errors.md"), "utf8");
  for (const code of codes) expect(page).toContain(`\`${code}\``);
});

it("the documentation describes every setting that the code reads", () => {
  const page = ["settings.md", "commands.md"].map((name) => readFileSync(join(root, "docs", name), "utf8")).join("\n");
  const read = sources("api").concat(sources("provider"), sources("cli"), sources("sdk")).join("\n");
  const variables = new Set(read.match(/ENDPOINT_MONITORING_[A-Z_]+/g));
  expect(variables.size).toBeGreaterThan(5);
  for (const variable of variables) expect(page).toContain(variable);
});
