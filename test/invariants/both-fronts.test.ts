/** Counts the tests that run on the engine with dynamic resources and with the native plugin, by name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(__dirname, "../real");
const suites = readdirSync(folder).filter(
  (name) =>
    name.endsWith(".test.ts") &&
    /each\(fronts(?:WithinTime)?\)|`both provider types/.test(readFileSync(join(folder, name), "utf8")),
);

type Row = readonly unknown[];
type Define = (name: string, work?: (...row: unknown[]) => unknown) => void;

/** Replaces placeholders as Jest does: `%s` and `%d` with the values in order, `$name` with a member. */
function filled(name: string, row: Row): string {
  const rest = [...row];
  const [first] = row;
  const named = name.replaceAll(/\$(\w+)/g, (text, member: string) =>
    typeof first === "object" && first !== null && member in first ? String((first as Record<string, unknown>)[member]) : text,
  );
  return named.replaceAll(/%[sdij]/g, () => String(rest.shift()));
}

/** Returns the names of a suite's tests without running them. */
function namesIn(suite: string): string[] {
  const names: string[] = [];
  const within: string[] = [];
  const each = (define: Define) => (rows: readonly unknown[]) => (name: string, work?: (...row: unknown[]) => unknown) => {
    for (const row of rows) {
      const values: Row = Array.isArray(row) ? row : [row];
      define(filled(name, values), work && (() => work(...values)));
    }
  };
  const describing: Define = (name, work) => {
    within.push(name);
    work?.();
    within.pop();
  };
  const testing: Define = (name) => void names.push([...within, name].join(" › "));
  const defines = {
    describe: Object.assign(describing, { each: each(describing) }),
    it: Object.assign(testing, { each: each(testing), concurrent: testing }),
    test: Object.assign(testing, { each: each(testing), concurrent: testing }),
    ...Object.fromEntries(["beforeAll", "beforeEach", "afterAll", "afterEach"].map((hook) => [hook, () => undefined])),
  };
  const globals = globalThis as unknown as Record<string, unknown>;
  const original = Object.fromEntries(Object.keys(defines).map((name) => [name, globals[name]]));
  Object.assign(globals, defines);
  try {
    jest.requireActual(join(folder, suite));
  } finally {
    Object.assign(globals, original);
  }
  return names;
}

/** Returns scenarios that run with both provider types, as `suite: name`. */
function onBoth(): string[] {
  return suites.flatMap((suite) => {
    const names = namesIn(suite);
    const of = (front: string): Set<string> =>
      new Set(
        names.flatMap((name) =>
          name.includes(`${front} resources`) ? [name.replace(`${front} resources`, "resources of both types")] : [],
        ),
      );
    const [dynamic, native] = [of("dynamic"), of("native")];
    // A scenario may also have resources of both provider types.
    const mixed = names.filter((name) => name.startsWith("both provider types"));
    return [...[...dynamic].filter((name) => native.has(name)), ...mixed].map((name) => `${suite}: ${name}`);
  });
}

/** Returns the scenarios of `npm test`, or of the long form. */
function scenarios(isLong: boolean): string[] {
  const before = process.env["TEST_LONG"];
  process.env["TEST_LONG"] = isLong ? "1" : "";
  // Modules read the variable when they are loaded.
  jest.resetModules();
  try {
    return onBoth();
  } finally {
    if (before === undefined) delete process.env["TEST_LONG"];
    else process.env["TEST_LONG"] = before;
  }
}

test("at least 60 scenarios from all parts of the lifecycle run with both provider types", () => {
  const [short, long] = [scenarios(false), scenarios(true)];
  if (process.env["PRINT_SCENARIOS"] === "1") console.log(`${short.length} and ${long.length}\n${long.join("\n")}`);
  expect(short.length).toBeGreaterThanOrEqual(60);
  expect(long.length).toBeGreaterThan(short.length);
  // The long form only adds scenarios.
  expect(short.filter((name) => !long.includes(name) && !/\d+ sequences/.test(name))).toEqual([]);
  const all = long.join("\n");
  for (const part of [
    "state.test",
    "secrets.test",
    "changes.test",
    "drift.test",
    "agents.test",
    "refactorings.test",
    "random-life.test",
    "unknown",
    "Ctrl+C",
    "import",
    "partly",
    "replacement in the order",
    "gate",
    "transfer",
    "review",
  ]) {
    expect([part, all.includes(part)]).toEqual([part, true]);
  }
});
