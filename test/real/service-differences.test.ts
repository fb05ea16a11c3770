/**
 * Runs services that differ from the emulator, on the real engine: each service has an explicit provider and the program of
 * the matrix (test/service-differences) in one stack. Every second provider is the native plugin. Each step works, or fails
 * with a message that names the cause. After the services stop differing, refresh and destroy succeed and leave nothing.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { start, vary } from "../support/variations/start";
import { type Variation, variations } from "../support/variations";
import { registry } from "../../provider/registry";
import { declared, lagMs, recordsOf, secret, timeoutSeconds } from "../service-differences/life";
import { amount, isLong } from "../support/amount";
import { type Run, Stack } from "./support/stack";

jest.setTimeout(1_200_000);

/** A difference with its service. */
interface Cell {
  readonly difference: Variation;
  readonly emulator: Emulator;
  readonly front: "dynamic" | "native";
}

const count = amount(3, 30);
/** Differences that make the provider fail by design. */
const failing = Math.ceil(count / 6);

/** Returns variations from all groups. */
const spread = (from: readonly Variation[], many: number): Variation[] =>
  from.filter((_, at) => Math.floor((at * many) / from.length) !== Math.floor(((at - 1) * many) / from.length));

const chosen = [
  ...spread(
    variations.filter(({ provider }) => provider === "works"),
    count - failing,
  ),
  ...spread(
    variations.filter(({ provider }) => provider !== "works"),
    failing,
  ),
];

/** Declares the resources of each service, with an explicit provider for each. */
const program = `
const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const token = new pulumi.Config("endpoint-monitoring").requireSecret("token");
const cells = JSON.parse(readFileSync(require("node:path").join(process.cwd(), "cells.json"), "utf8"));
for (const { name, front, baseUrl, resources } of cells) {
  const sdk = require("pulumi-endpoint-monitoring" + (front === "native" ? "/native" : ""));
  const provider = new sdk.Provider(name, { baseUrl, token, createOutcomeTimeout: ${timeoutSeconds} });
  const made = {};
  const value = (given) => {
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    if ("$id" in given) return made[given.$id].id;
    return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, value(member)]));
  };
  for (const [key, { kind, args }] of Object.entries(resources))
    made[key] = new sdk[kind](name + "/" + key, value(args), { provider });
}
`;

let stack: Stack;
const cells: Cell[] = [];
beforeAll(async () => {
  stack = await Stack.start({ agents: 0 });
  stack.take("native");
  stack.write(program);
  for (const [at, difference] of chosen.entries()) {
    const { name, takesTime } = difference;
    const as = takesTime ? `${name}=${name === "slow" ? 10 : lagMs}ms` : name;
    const emulator = await start({ rateLimit: "off", agents: 0, as: [as] });
    cells.push({ difference, emulator, front: at % 2 === 0 ? "dynamic" : "native" });
  }
});
afterAll(async () => {
  await Promise.all(cells.map(({ emulator }) => emulator.close()));
  await stack.end();
});

function declare(changed: boolean, replaced: boolean): void {
  const resources = Object.entries(declared(changed, replaced));
  const programs = cells.map(({ difference, emulator, front }, at) => ({
    name: difference.name,
    front,
    baseUrl: emulator.url,
    resources: Object.fromEntries(
      resources.map(([key, { kind, args }]) => [key, { kind: registry[kind].name, args: namedApart(args, at) }]),
    ),
  }));
  writeFileSync(join(stack.folder, "cells.json"), JSON.stringify(programs));
}

/**
 * Numbers the names of records, because services with equal ids and names in one stack count as one service with two host
 * names.
 */
function namedApart(args: object, cell: number): object {
  const isName = (member: string): boolean => ["name", "testName", "key"].includes(member);
  const numbered = (name: unknown): string => String(name).replace(/\S+/, (word) => `${word}${cell}`);
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, isName(key) ? numbered(value) : value]));
}

/** Returns the engine's errors of each cell. Its diagnostics have a heading with the name of the resource. */
function errorsIn({ text }: Run): Map<string, string> {
  const errors = new Map<string, string>();
  let cell: string | undefined;
  for (const line of text.split("\n")) {
    const heading = /^ {2}\S.* \(([\w-]+)(?:\/\w+)?\):$/.exec(line);
    if (heading) cell = heading[1];
    else if (/^\S/.test(line)) cell = undefined;
    else if (cell !== undefined && (/^\s+error:/.test(line) || errors.has(cell)))
      errors.set(cell, `${errors.get(cell) ?? ""}${line.trim()}\n`);
  }
  return errors;
}

const works = ({ difference }: Cell): boolean => difference.provider === "works";

test(`with ${count} API variations, each command succeeds or reports the cause of its failure`, async () => {
  const failed = new Map<string, string>();
  const doubled: string[] = [];
  const step = async (...words: string[]): Promise<Run> => {
    const run = await stack.run(...words, "--yes", "--skip-preview", "--suppress-progress", "--continue-on-error");
    for (const [cell, errors] of errorsIn(run)) failed.set(cell, `${failed.get(cell) ?? ""}${words.join(" ")}: ${errors}`);
    for (const { difference, emulator } of cells) {
      const names = (await recordsOf(emulator)).map(({ name }) => name);
      doubled.push(...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${difference.name}: ${name}`));
    }
    return run;
  };
  const whole = new Set(cells.filter(works).map(({ difference }) => difference.name));

  expect(cells).toHaveLength(count);
  declare(false, false);
  await step("up");
  const managed = stack.resources().filter(({ name }) => whole.has(name.split("/")[0] ?? ""));
  expect(managed).toHaveLength(whole.size * Object.keys(declared(false, false)).length);
  // More operations only repeat the comparison, so they run in the long form.
  const steps = isLong ? await stack.preview() : [];
  expect(steps.filter(({ name }) => whole.has(name.split("/")[0] ?? ""))).toEqual([]);
  expect((await stack.run("refresh", "--yes", "--skip-preview", "--suppress-progress")).code).toBe(0);
  declare(true, false);
  await step("up");
  declare(true, true);
  await step("up");
  const destroyed = await stack.run("destroy", "--yes", "--skip-preview", "--suppress-progress");
  expect(destroyed.code).toBe(0);
  await step("up");

  // A difference with which the provider works shows no error. Any other shows its message.
  const shown = cells.map(({ difference: { name, provider } }) => {
    const errors = failed.get(name);
    return [name, errors === undefined ? "works" : provider !== "works" && errors.includes(provider.fails) ? provider : errors];
  });
  expect(shown).toEqual(cells.map(({ difference: { name, provider } }) => [name, provider]));
  expect(doubled).toEqual([]);

  for (const { emulator } of cells) vary(emulator);
  await stack.refresh();
  await stack.destroy();
  expect(stack.resources()).toEqual([]);
  expect((await Promise.all(cells.map(({ emulator }) => recordsOf(emulator)))).flat()).toEqual([]);
  expect(stack.output).not.toContain(secret);
});
