/** Reviews prepared changes on the real engine. A person has checked the golden files. page/reviews opens them in a browser. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Review } from "../../plan/judge/review";
import { thisMachineId } from "../../emulator/fleet/make";
import { changes, Fleet, type FleetAgent, secrets } from "./support/review-changes";
import { frontsWithinTime, Stack } from "./support/stack";

const golden = join(__dirname, "../cli/golden/review");
/** Writes the golden files instead of comparing with them. Check them afterwards. */
const update = process.env["UPDATE_GOLDEN"] === "1";

/** A program with a line for each resource, so that each has its own position. */
const program = (module: string, lines: readonly string[], advantage: readonly string[]): string =>
  [
    'const pulumi = require("@pulumi/pulumi");',
    `const em = require("${module}");`,
    "const config = new pulumi.Config();",
    ...lines.map((line) => line.replace(/\$advantage\[(\d)\]/, (_, n: string) => advantage[Number(n)] ?? "")),
    "",
  ].join("\n");

/** Replaces the service's identifiers with the names of their resources, because ids depend on the order of creation. */
async function stable(text: string, stack: Stack): Promise<string> {
  const state = Object.values(stack.state());
  const address = text.replaceAll(new URL(stack.emulator.url).host, "{emulator}");
  return state.reduce((shown, { id, name }) => (id === "" ? shown : shown.replaceAll(id, `{id of ${name}}`)), address);
}

describe.each(frontsWithinTime)("reviews of prepared changes with %s resources", (front) => {
  let stack: Stack;
  let fleet: Fleet;
  /** The program of the current state, unless a change happened meanwhile. */
  let current: string | undefined;
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 50 });
    // The first agent is this machine, which differs everywhere.
    await stack.api("DELETE", `/v7/endpoint/agents/${thisMachineId}?aid=1001`);
    for (const [key, value] of Object.entries(secrets)) await stack.secret(key, value);
    const listed = await stack.api("GET", "/v7/endpoint/agents?useAllPermittedAids=true&max=1000");
    fleet = new Fleet(((await listed.json()) as { agents: FleetAgent[] }).agents);
  });
  afterAll(() => stack.end());

  test.each(Object.entries(changes))(
    'the review of "%s" matches its golden file',
    async (name, { before, after, meanwhile, findings, check, afterwards }) => {
      const advantage = fleet.licensed("advantage").map(({ id }) => id);
      const first = program(stack.module, before, advantage);
      stack.write(first);
      if (first !== current) await stack.up();
      current = first;
      const made = (await meanwhile?.(stack, fleet.agents)) ?? [];
      const second = program(stack.module, after, advantage);
      stack.write(second);
      await stack.requests();

      const file = join(stack.folder, "review.md");
      const run = await stack.cli("review", "--json", "--markdown", file, "--fail-on", "any");
      const { data: review, warnings = [] } = JSON.parse(run.stdout) as { data: Review; warnings?: string[] };
      expect([...new Set(review.findings.map(({ rule }) => rule))]).toEqual(findings);
      expect({ code: run.code, warnings }).toEqual({ code: findings.length > 0 ? 2 : 0, warnings: [] });
      check?.(review, fleet);
      const requests = Object.entries(await stack.requests());
      expect(requests.filter(([operation]) => !/^account\.|\.(list|filter)$/.test(operation))).toEqual([]);
      if (afterwards) {
        await afterwards(stack);
        current = second;
      }
      compare(`${name}.md`, await stable(readFileSync(file, "utf8"), stack));

      for (const path of made) await stack.api("DELETE", path);
      if (before.some((line) => line.includes("protect"))) {
        await stack.must("state", "unprotect", "--all", "--yes");
        current = undefined;
      }
    },
  );

  test("the output and the files of the reviews contain no secret", () => {
    const written = Object.keys(changes).map((name) => readFileSync(join(golden, `${name}.md`), "utf8"));
    for (const secret of [...Object.values(secrets), "s3cret-path", "psst-name", "emulator-token"]) {
      expect(stack.output.includes(secret)).toBe(false);
      expect(written.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});

function compare(file: string, text: string): void {
  const path = join(golden, file);
  if (update) writeFileSync(path, text);
  if (!existsSync(path)) throw new Error(`There is no ${file}: make it with UPDATE_GOLDEN=1, and look at it`);
  expect(text).toBe(readFileSync(path, "utf8"));
}
