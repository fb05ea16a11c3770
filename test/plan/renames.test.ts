/** Compares the renames and moves that a review finds in a plan with the known result. */
import { settled } from "../../plan/settle";
import { operationOf } from "../../plan/steps";
import { renamesIn } from "../../plan/renames";
import { readPreview } from "../../engine/preview";
import type { EngineStep } from "../../engine/preview-output";
import type { KindName } from "../../provider/registry";
import { unknownValue } from "../../provider/values";
import { previewText, step, urnOf } from "../cli/review-support";
import { Random } from "../chaos/row";
import { amount } from "../support/amount";

/** A resource of a program. `origin` is the resource in the earlier program. */
interface Item {
  kind: KindName;
  name: string;
  title: string;
  values: Record<string, unknown>;
  /** Names of the tags that select a test's agents. */
  tags: string[];
  origin: number;
}

function inputsOf({ kind, title, values }: Item, tagIds: unknown[]): Record<string, unknown> {
  if (kind === "endpointAgentTag") return { key: "site", value: title, ...values };
  return { testName: title, agentSelectorType: "agent-tags", tagIds, ...values };
}

/** Returns the steps between two programs, and the URNs of the renamed resources. */
function stepsOf(before: readonly Item[], after: readonly Item[]): { steps: EngineStep[]; truth: Map<string, string> } {
  const keyOf = ({ kind, name }: Item): string => `${kind} ${name}`;
  const [old, now] = [before, after].map((items) => new Map(items.map((item) => [keyOf(item), item])));
  const idOf = (item: Item): string => String(1000 + before.indexOf(item));
  const oldTag = (name: string): string => idOf(old?.get(`endpointAgentTag ${name}`) as Item);
  const made = (item: Item) => {
    const known = (name: string): unknown => (old?.has(`endpointAgentTag ${name}`) ? oldTag(name) : unknownValue);
    const isNew = item.tags.some((name) => !old?.has(`endpointAgentTag ${name}`));
    const sources = item.tags.map((name): [KindName, string] => ["endpointAgentTag", name]);
    return { after: inputsOf(item, item.tags.map(known)), ...(isNew && { dependencies: { tagIds: sources } }) };
  };
  const steps = [
    ...after.map((item): EngineStep => {
      const former = old?.get(keyOf(item));
      if (!former) return step("create", item.kind, item.name, made(item));
      const was = { id: idOf(former), before: inputsOf(former, former.tags.map(oldTag)) };
      const isSame = JSON.stringify(was.before) === JSON.stringify(made(item).after);
      return step(isSame ? "same" : "update", item.kind, item.name, { ...was, ...made(item) });
    }),
    ...before
      .filter((item) => !now?.has(keyOf(item)))
      .map((item) => step("delete", item.kind, item.name, { id: idOf(item), before: inputsOf(item, item.tags.map(oldTag)) })),
  ];
  const truth = new Map<string, string>();
  for (const item of after) {
    const from = before[item.origin];
    const copies = after.filter((copy) => copy.origin === item.origin && !old?.has(keyOf(copy)));
    if (from && copies.length === 1 && !old?.has(keyOf(item)) && !now?.has(keyOf(from))) {
      truth.set(urnOf(item.kind, item.name), urnOf(from.kind, from.name));
    }
  }
  return { steps, truth };
}

function proposed(steps: readonly EngineStep[]): Map<string, string> {
  const operation = operationOf(readPreview(previewText(steps), "test"));
  return new Map(renamesIn(settled(operation, undefined)).map(({ from, to }) => [to.urn, from.urn]));
}

function program(random: Random): Item[] {
  const sites = Array.from({ length: 1 + random.below(5) }, (_, at) => `site-${at + 1}`);
  const apps = ["hr", "crm", "wiki", "mail"].slice(0, 1 + random.below(4));
  const tags = sites.map((site): Omit<Item, "origin"> => {
    return {
      kind: "endpointAgentTag",
      name: site,
      title: site,
      values: { matchType: "and", filters: [filter(site)] },
      tags: [],
    };
  });
  const tests = apps.flatMap((app) =>
    sites.map((site): Omit<Item, "origin"> => {
      const isShared = random.chance(0.5);
      const url = `https://${app}${isShared ? "" : `-${site}`}.example.com`;
      return { kind: "httpServerTest", name: `${app}-${site}`, title: `${app} ${site}`, values: { url }, tags: [site] };
    }),
  );
  return [...tags, ...tests].map((item, origin) => ({ ...item, origin }));
}

function filter(value: string) {
  return { key: "hostname", mode: "in", values: [`${value}-*`] };
}

/** Replaces a word in the names of some resources. */
function renamed(items: readonly Item[], word: string, other: string, isTitled: boolean): Item[] {
  const replaced = (text: string): string => text.replace(new RegExp(`(?<![\\w])${word}(?!\\w)`), other);
  return items.map((item) => ({
    ...item,
    name: replaced(item.name),
    title: isTitled ? replaced(item.title) : item.title,
    tags: item.tags.map(replaced),
  }));
}

const refactorings: Record<string, (items: Item[], random: Random) => Item[]> = {
  "an application is renamed": (items, random) => renamed(items, "hr", "people", random.chance(0.7)),
  "a site is renamed with its tag": (items, random) => renamed(items, "site-1", "london", random.chance(0.5)),
  "a site is dropped": (items) => items.filter(({ name, tags }) => name !== "site-1" && !tags.includes("site-1")),
  "an application is renamed, and its interval changes": (items) =>
    renamed(items, "hr", "people", true).map((item) =>
      item.name.startsWith("people") ? { ...item, values: { ...item.values, interval: 300 } } : item,
    ),
  "the target changes with the resource's name": (items) =>
    items.map((item) =>
      item.name.startsWith("hr-")
        ? { ...item, name: `n${item.name}`, values: { ...item.values, url: `${String(item.values["url"])}/new` } }
        : item,
    ),
  "a test becomes two": (items, random) => {
    const item = random.of(items.filter(({ kind }) => kind === "httpServerTest"));
    const halves = ["a", "b"].map((half) => ({ ...item, name: `${item.name}-${half}`, title: `${item.title} ${half}` }));
    return [...items.filter((other) => other !== item), ...halves];
  },
  "two tests become one": (items, random) => {
    const tests = items.filter(({ kind }) => kind === "httpServerTest");
    const [first, second] = [random.of(tests), random.of(tests)];
    return [...items.filter((item) => item !== first && item !== second), { ...first, name: "merged", title: "merged" }];
  },
  "two tests swap their names": (items, random) => {
    const tests = items.filter(({ kind }) => kind === "httpServerTest");
    const [first, second] = [random.of(tests), random.of(tests)];
    const names = new Map([
      [first, second.name],
      [second, first.name],
    ]);
    return items.map((item) => ({ ...item, name: names.get(item) ?? item.name }));
  },
  "a test goes, and another one comes": (items, random) => {
    const item = random.of(items.filter(({ kind }) => kind === "httpServerTest"));
    const other = { ...item, name: "new", title: "new", values: { url: "https://new.example.com" }, origin: -1 };
    return [...items.filter((kept) => kept !== item), other];
  },
};

const refactoringCount = amount(150, 5_000);

test(`the review finds 95 % of the renames in ${refactoringCount} random refactorings`, () => {
  const counts = { wrong: [] as string[], found: 0, missed: [] as string[] };
  const names = Object.keys(refactorings);
  for (let seed = 0; seed < refactoringCount; seed += 1) {
    const random = new Random(seed);
    const before = program(random);
    const kinds = [names[seed % names.length], ...(random.chance(0.5) ? [random.of(names)] : [])] as string[];
    const hasTests = (items: readonly Item[]): boolean => items.some(({ kind }) => kind === "httpServerTest");
    const after = kinds.reduce(
      (items, name) => (hasTests(items) ? refactorings[name]?.(items, random) : undefined) ?? items,
      before,
    );
    const unique = [...new Map(after.map((item) => [`${item.kind} ${item.name}`, item])).values()];
    const { steps, truth } = stepsOf(before, unique);
    const pairs = proposed(steps);
    const place = `${kinds.join(", ")} (seed ${seed})`;
    for (const [to, from] of pairs) if (truth.get(to) !== from) counts.wrong.push(`${place}: ${from} → ${to}`);
    for (const [to, from] of truth) {
      if (!isUnambiguous(steps, from, to)) continue;
      if (pairs.get(to) === from) counts.found += 1;
      else counts.missed.push(`${place}: ${from} → ${to}`);
    }
  }
  expect(counts.wrong.slice(0, 20)).toEqual([]);
  expect(counts.found).toBeGreaterThan(refactoringCount);
  expect({
    missed: counts.missed.slice(0, 20),
    share: counts.found / (counts.found + counts.missed.length) >= 0.95,
  }).toMatchObject({
    share: true,
  });
});

/** Whether both records share a unique name or target, without a setting that replaces. */
function isUnambiguous(steps: readonly EngineStep[], from: string, to: string): boolean {
  const valuesOf = ({ urn, op, oldState, newState }: EngineStep) => {
    const inputs = (op === "delete" ? oldState : newState)?.inputs ?? {};
    return {
      urn,
      op,
      title: inputs["testName"] ?? inputs["value"],
      target: inputs["url"] ?? JSON.stringify(inputs["filters"]),
    };
  };
  const all = steps.filter(({ op }) => op === "delete" || op === "create").map(valuesOf);
  const [a, b] = [all.find(({ urn }) => urn === from), all.find(({ urn }) => urn === to)];
  if (!a || !b || (a.title !== b.title && a.target !== b.target)) return false;
  const others = all.filter(({ urn }) => urn !== from && urn !== to);
  return !others.some(({ title, target }) => [a, b].some((side) => side.title === title || side.target === target));
}

test("the review recognizes that a resource moved into a component", () => {
  const label = { name: "Office", matchType: "or", filters: [] };
  const gone = step("delete", "label", "office", { id: "1", before: label });
  const come = step("create", "label", "office", { after: label });
  const inside = come.urn.replace("test::", "test::my:Site$");
  const moved = { ...come, urn: inside, ...(come.newState && { newState: { ...come.newState, urn: inside } }) };
  expect([...proposed([gone, moved])]).toEqual([[inside, gone.urn]]);
  const elsewhere = step("create", "label", "lab", { after: { ...label, accountGroupId: "1002" } });
  const retained = step("delete", "label", "office", { id: "1", before: label, rest: { retainOnDelete: true } });
  const tag = step("create", "endpointAgentTag", "lab", { after: { key: "Office", value: "x", matchType: "or", filters: [] } });
  for (const steps of [
    [gone, elsewhere],
    [retained, moved],
    [gone, tag],
  ])
    expect([...proposed(steps)]).toEqual([]);
});
