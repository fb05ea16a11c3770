/** Follows the advice about renames on the real engine: a preview without creates, deletes and replacements. */
import { runInNewContext } from "node:vm";
import { amount } from "../support/amount";
import { Random } from "../chaos/row";
import type { FindingData } from "../../common/finding";
import { frontsWithinTime, type Program, Stack } from "./support/stack";

jest.setTimeout(1_200_000);

const sites = ["lon", "par", "nyc"];
const apps = ["hr", "crm"];

function program(): Program {
  const tags = sites.map((site): [string, Program[string]] => {
    const filters = [{ key: "hostname", mode: "in", values: [`${site}-*`] }];
    return [site, { kind: "EndpointAgentTag", args: { key: "site", value: site, matchType: "and", filters } }];
  });
  const tests = apps.flatMap((app) =>
    sites.map((site): [string, Program[string]] => {
      const args = {
        testName: `${app} ${site}`,
        url: `https://${app}.example.com`,
        agentSelectorType: "agent-tags",
        tagIds: [{ $id: site }],
      };
      return [`${app}-${site}`, { kind: "HttpServerTest", args }];
    }),
  );
  return Object.fromEntries([...tags, ...tests]);
}

/**
 * Returns the program with other names: of an application or a site, with or without the names in the service, and with other
 * settings.
 */
function refactored(random: Random): Program {
  const [from, to] = random.of([
    ["hr", "people"],
    ["crm", "sales"],
    ["lon", "london"],
    ["nyc", "new-york"],
  ] as const);
  const isTitled = random.chance(0.6);
  const [isMoved, isSlower] = [random.chance(0.3), random.chance(0.3)];
  const renamed = (text: string): string => text.replace(new RegExp(`(?<!\\w)${from}(?!\\w)`), to);
  return Object.fromEntries(
    Object.entries(program()).map(([name, { kind, args = {} }]) => {
      const text = JSON.stringify(args, (key, value: unknown) => {
        const isName = key === "$id" || (isTitled && (key === "testName" || key === "value"));
        return isName && typeof value === "string" ? renamed(value) : value;
      });
      const more = kind === "HttpServerTest" && isSlower && name.includes(from) ? { interval: 300 } : {};
      const options = isMoved && name.includes(from) ? { options: { parent: "group" } } : {};
      return [renamed(name), { kind, args: { ...(JSON.parse(text) as object), ...more }, ...options }];
    }),
  );
}

describe.each(frontsWithinTime)("renames of %s resources", (front) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 10 });
    stack.declare(program());
    await stack.up();
  });
  afterAll(() => stack.end());

  test("the aliases that a review recommends prevent creations, deletions and replacements", async () => {
    let advised = 0;
    for (let seed = 0; seed < amount(3, 20); seed += 1) {
      const changed = refactored(new Random(seed));
      stack.declare(changed);
      const review = await stack.cli("review", "--json", "--fail-on", "renamed");
      const { data } = JSON.parse(review.stdout) as { data: { findings: FindingData[]; summary: { created: number } } };
      const renames = data.findings.filter(({ rule }) => rule === "renamed");
      expect([seed, review.code, renames.length]).toEqual([seed, 2, data.summary.created]);
      for (const { urn = "", fix = "" } of renames) {
        const name = urn.split("::").at(-1) ?? "";
        const alias = /aliases: \[(.*)\] to /.exec(fix)?.[1] ?? "";
        const options = { ...changed[name]?.options, aliases: [aliasOf(alias, name)] };
        changed[name] = { kind: "", ...changed[name], options };
        advised += 1;
      }
      stack.declare(changed);
      const steps = await stack.preview();
      expect([
        seed,
        steps.filter(({ op, name }) => op !== "update" && name !== "group").map(({ op, name }) => `${op} ${name}`),
      ]).toEqual([seed, []]);
    }
    expect(advised).toBeGreaterThan(amount(6, 40));
  });

  test("a rename fails as the review predicts", async () => {
    stack.declare(program());
    await stack.up();
    const before = await stack.ids("http-server-tests");
    const renamed = Object.entries(program()).map(([name, resource]) => [name.replace(/^hr-/, "people-"), resource] as const);
    stack.declare(Object.fromEntries(renamed));
    const review = await stack.cli("review");
    expect(review.stdout).toContain(
      "the update will fail, because the service already has these records, and the update does not delete them first.",
    );
    const run = await stack.run("up", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(await stack.ids("http-server-tests")).toEqual(before);
  });
});

/** Evaluates an alias as the program declares a resource. `$root` is the stack in program.cjs. */
function aliasOf(text: string, name: string): unknown {
  return runInNewContext(`(${text})`, { name, pulumi: { rootStackResource: "$root" } });
}
