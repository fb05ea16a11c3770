import { changeLines, shownChanges, stepsOf, valueText } from "../../cli/report/changes";
import { compare } from "../../provider/compare";
import { registry } from "../../provider/registry";
import { unknownValue } from "../../provider/values";

const test1 = { testName: "One", server: "a.example.com", maxMachines: 25, username: "u" };

it("shows what changes, what it replaces and what is not known yet, and of a secret only that it changes", () => {
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
  expect(changes.map((change) => stepsOf(change))).toEqual([
    [{ before: "a" }, { before: "b" }],
    [{ before: "25", after: "30" }],
    [],
    [],
  ]);
});

it("tells a list by what it gains and loses", () => {
  const filter = (...values: string[]) => ({ key: "hostname", mode: "in", values });
  const change = {
    property: "filters",
    how: "changed",
    before: [filter("a"), filter("b")],
    after: [filter("b"), filter("a", "c")],
  } as const;
  expect(stepsOf(change)).toEqual([{ within: "hostname: + c" }]);
  expect(stepsOf({ ...change, after: [filter("b"), filter("d")] })).toEqual([
    { before: "key: hostname; mode: in; values: a" },
    { after: "key: hostname; mode: in; values: d" },
  ]);
});

it("tells the items of a filter that change, however long the filter is", () => {
  const vendors = Array.from({ length: 30 }, (_, at) => `vendor-${at}`);
  const filter = (values: string[]) => [{ key: "vpn-vendor", mode: "in", values }];
  const more = {
    property: "filters",
    how: "changed",
    before: filter(vendors),
    after: filter([...vendors.slice(1), "palo-alto"]),
  } as const;
  expect(stepsOf(more, undefined, 40)).toEqual([{ within: "vpn-vendor: + palo-alto, − vendor-0" }]);
  expect(changeLines([more], () => undefined)).toEqual([{ property: "filters", note: "vpn-vendor: + palo-alto, − vendor-0" }]);
});

it("shows added and removed ones, and cuts a long value between characters", () => {
  expect(stepsOf({ property: "ipVersion", how: "added", after: "V4_ONLY" })).toEqual([{ after: "V4_ONLY" }]);
  expect(stepsOf({ property: "ipVersion", how: "removed", before: "V4_ONLY" })).toEqual([{ before: "V4_ONLY" }]);
  const long = valueText("😀".repeat(500));
  const end = " (500 characters)";
  expect(Array.from(long)).toHaveLength(120 + end.length);
  expect(long.endsWith(`😀…${end}`)).toBe(true);
});
