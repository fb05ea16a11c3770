import { changeLines, linesOf, valuesInLine } from "../../../cli/report/changes";
import { phraseText } from "../../../common/phrase";
import { compare } from "../../../provider/compare";
import { registry } from "../../../provider/registry";
import { unknownValue } from "../../../provider/values";
import { shownChanges, valueText } from "../../../plan/changes";

const test1 = { testName: "One", server: "a.example.com", maxMachines: 25, username: "u" };

it("a report hides the secret values of changed properties", () => {
  const before = { ...test1, agents: ["a", "b"], password: "old-secret", url: "https://a.example.com" };
  const after = { ...test1, agents: unknownValue, password: "new-secret", url: "https://b.example.com", maxMachines: 30 };
  const changes = shownChanges(compare(registry.httpServerTest, before, after), new Set(["password", "url"]));
  expect(changes).toEqual([
    { property: "agents", how: "changed", before: ["a", "b"], unknown: true, replaces: true },
    { property: "maxMachines", how: "changed", before: 25, after: 30, replaces: true },
    { property: "url", how: "changed", secret: true },
    { property: "password", how: "changed", secret: true, replaces: true },
  ]);
  expect(JSON.stringify(changes)).not.toMatch(/secret"?-|old-secret|new-secret|b\.example/);
  expect(changes.flatMap((change) => linesOf(change))).toEqual([
    { property: "agents", before: "a" },
    { property: "agents", before: "b" },
    { property: "agents", after: "(known after the update)" },
    { property: "maxMachines", before: "25", after: "30" },
    { property: "url", note: "secret, changed" },
    { property: "password", note: "secret, changed" },
  ]);
});

it("a report shows the added and deleted items of a list", () => {
  const filter = (...values: string[]) => ({ key: "hostname", mode: "in", values });
  const change = {
    property: "filters",
    how: "changed",
    before: [filter("a"), filter("b")],
    after: [filter("b"), filter("a", "c")],
  } as const;
  const property = "filters";
  expect(linesOf(change)).toEqual([{ property, note: "hostname: + c" }]);
  expect(linesOf({ ...change, after: [filter("b"), filter("d")] })).toEqual([{ property, note: "hostname: + d, − a" }]);
});

it("a report shows the changed items of a long filter", () => {
  const vendors = Array.from({ length: 30 }, (_, at) => `vendor-${at}`);
  const filter = (values: string[]) => [{ key: "vpn-vendor", mode: "in", values }];
  const more = {
    property: "filters",
    how: "changed",
    before: filter(vendors),
    after: filter([...vendors.slice(1), "palo-alto"]),
  } as const;
  const line = { property: "filters", note: "vpn-vendor: + palo-alto, − vendor-0" };
  expect(linesOf(more, undefined, 40)).toEqual([line]);
  expect(changeLines([more], () => undefined)).toEqual([line]);
});

it("a report cell shows at most three added items and the number of omitted items", () => {
  const added = (agents: string[]) => ({ property: "agents", how: "changed", before: [], after: agents }) as const;
  const cell = (agents: string[]): string => phraseText(valuesInLine(added(agents), () => undefined));
  expect(cell(["a", "b", "c"])).toBe("+ a, + b, + c");
  expect(cell(["a", "b", "c", "d"])).toBe("+ a, + b, + c, 1 more");
});

it("a report shortens the long values of added properties", () => {
  const property = "ipVersion";
  expect(linesOf({ property, how: "added", after: "V4_ONLY" })).toEqual([{ property, after: "V4_ONLY" }]);
  expect(linesOf({ property, how: "removed", before: "V4_ONLY" })).toEqual([{ property, before: "V4_ONLY" }]);
  const long = valueText("😀".repeat(500));
  const end = " (500 characters)";
  expect(Array.from(long)).toHaveLength(120 + end.length);
  expect(long.endsWith(`😀…${end}`)).toBe(true);
});
