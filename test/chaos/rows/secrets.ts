/** Searches for secrets in all output: of this row's own stack, and of each other row. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../../emulator/faults";
import type { Stack } from "../../real/support/stack";
import { type Order, type Outcome, Random, type Row } from "../row";
import { formsOf, lookThrough, onlyReads, planted, secrets } from "../support/seen";
import { faults, fleet, noFaults, withStack } from "../support/stacks";

export const row: Row = {
  name: "secrets in outputs",
  atLeast: 1_000,
  batch: 1_000,
  last: true,
  run: runAll,
};

/** However much output the other rows have, this number of lives repeats secrets in the service's responses. */
const outputsOfALife = 250;
/** The output of other rows counts once, with the first cases of this row. */
let lookedBefore = 0;

async function runAll({ seed, count, progress }: Order): Promise<Outcome> {
  let reported = 0;
  const lives = Math.floor(count / outputsOfALife);
  for (let lifeSeed = seed; lifeSeed < seed + lives || secrets.looked - lookedBefore < count; lifeSeed += 1) {
    reported += await withStack(lifeSeed, (stack) => life(stack, lifeSeed), "typescript");
    progress(Math.min(count, secrets.looked - lookedBefore));
  }
  const tried = secrets.looked - lookedBefore;
  lookedBefore = secrets.looked;
  return { tried, reported, wrong: secrets.found.splice(0) };
}

/**
 * Runs a stack from creation to destroy with a service that repeats request bodies.
 *
 * @returns the number of failed operations
 */
async function life(stack: Stack, seed: number): Promise<number> {
  const random = new Random(seed);
  const credential = random.pick<"token" | "clientSecret">(["token", "clientSecret"]);
  if (credential === "clientSecret") {
    stack.configure({ clientId: "emulator", token: null });
    await stack.secret("endpoint-monitoring:clientSecret", planted.clientSecret);
  }
  await writeProgram(stack, 0);
  const codes: (number | null)[] = [(await stack.run("preview", "--diff")).code];
  await echo(stack, random, "create", credential);
  codes.push((await stack.run("up", "--yes", "--skip-preview")).code);
  await noFaults(stack);
  codes.push((await stack.run("up", "--yes", "--show-config", "--json")).code);
  codes.push((await stack.run("refresh", "--yes", "--skip-preview")).code);
  await writeProgram(stack, 1);
  for (const command of [["check"], ["review", "--markdown", "review.md"], ["drift", "--json"], ["import", "--dry-run"]]) {
    codes.push((await onlyReads(stack.emulator, command.join(" "), seed, () => stack.cli(...command))).code);
  }
  codes.push((await stack.run("preview", "--json")).code);
  await echo(stack, random, "update", credential);
  codes.push((await stack.run("up", "--yes", "--diff")).code);
  await noFaults(stack);
  codes.push((await stack.run("stack", "export", "--file", "exported.json")).code);
  lookThrough(readFileSync(join(stack.folder, "exported.json"), "utf8"), "the exported state", seed);
  codes.push((await stack.cli("import")).code);
  codes.push((await stack.run("destroy", "--yes", "--skip-preview")).code);
  return codes.filter((code) => code !== 0).length;
}

/** Rejects writes with a response that contains the request's secrets in one of their forms. */
async function echo(
  stack: Stack,
  random: Random,
  verb: "create" | "update",
  credential: "token" | "clientSecret",
): Promise<void> {
  const refusing = (operation: string, sent: readonly (keyof typeof planted)[]): Fault => {
    const mentioned = sent.map((name) => {
      const forms = formsOf(planted[name]);
      return forms[random.below(forms.length)]?.[1] ?? planted[name];
    });
    const detail = `No good: ${mentioned.join(" and ")}.`;
    const body = { type: "about:blank", title: "Invalid", status: 400, detail, errors: [{ code: detail, message: detail }] };
    return { operation, kind: "status", status: 400, body, n: 8 };
  };
  await faults(
    stack,
    refusing(`labels.${verb}`, [credential]),
    refusing(`tests.httpServer.${verb}`, [credential, "password"]),
    refusing(`tests.dynamic.${verb}`, [credential]),
  );
}

/** Writes the program of `fleet` in TypeScript, as a project has it. */
async function writeProgram(stack: Stack, version: number): Promise<void> {
  const expression = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if ("$id" in value) return `made[${JSON.stringify(value.$id)}].id`;
    if ("$secret" in value) return `config.requireSecret(${JSON.stringify(value.$secret)})`;
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${key}: ${expression(member)}`)
      .join(", ")} }`;
  };
  const lines = Object.entries(fleet("Fleet", version)).map(
    ([name, { kind, args }]) =>
      `made[${JSON.stringify(name)}] = new sdk.${kind}(${JSON.stringify(name)}, ${expression(args)});`,
  );
  const imports = ['import * as pulumi from "@pulumi/pulumi";', 'import * as sdk from "pulumi-endpoint-monitoring";'];
  const made = ["const config = new pulumi.Config();", "const made: Record<string, any> = {};"];
  writeFileSync(join(stack.folder, "index.ts"), [...imports, ...made, ...lines, ""].join("\n"));
}
