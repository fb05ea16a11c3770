/** Tests how `drift --accept` edits a program to match the service, and which edits it refuses. */
import { acceptIn, changes, resource, refusalsOf } from "./acceptor-support";
import type { AcceptedResource } from "../../program/acceptance";
import type { KindName } from "../../provider/registry";

const start = 'import * as em from "pulumi-endpoint-monitoring";\n';

/** Accepts values of resource `x` with the arguments `args`. @returns the edited arguments, and the reasons for refused edits */
async function accepted(
  kindName: KindName,
  args: string,
  values: Record<string, unknown>,
  { before = "", inputs = {} }: { before?: string; inputs?: object } = {},
) {
  const of = resource(kindName, "x", { inputs: { ...inputs } });
  const [head, tail] = [`${start}${before}new em.${of.kind.name}("x", `, ");\n// end\n"];
  const acceptance = await acceptIn({ "index.ts": `${head}${args}${tail}` }, [{ resource: of, changes: changes(values) }]);
  const [edit] = acceptance.edits;
  const after = edit?.after ?? `${head}${args}${tail}`;
  expect(after.endsWith(tail)).toBe(true);
  const named = (list: readonly { property: string }[]) => list.map(({ property }) => property);
  return {
    all: after.slice(start.length, -tail.length),
    args: after.slice(after.lastIndexOf('("x", ') + 6, -tail.length),
    placed: named(acceptance.placed),
    same: named(acceptance.same),
    refusals: refusalsOf(acceptance),
  };
}

const ssid = (...values: string[]) => ({ key: "ssid", mode: "in", values });
const host = (...values: string[]) => ({ key: "hostname", mode: "in", values });

describe("edits of plain values", () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    [
      "text in the quotes of the literal",
      `{ name: 'a', color: "#aaaaaa" }`,
      { name: "b", color: "#bbbbbb" },
      `{ name: 'b', color: "#bbbbbb" }`,
    ],
    ["text that contains a single quote", `{ name: 'a' }`, { name: "it's" }, `{ name: "it's" }`],
    ["text that contains both sorts of quotes", `{ name: 'a' }`, { name: `it's "b"` }, `{ name: 'it\\'s "b"' }`],
    ["a template literal", "{ name: `a` }", { name: "b`${c}\\" }, "{ name: `b\\`\\${c}\\\\` }"],
    [
      "invisible characters",
      `{ name: "a" }`,
      { name: "\u202Eb\n\u2028\uFEFFü😀\u0000" },
      `{ name: "\\u202eb\\n\\u2028\\ufeffü😀\\u0000" }`,
    ],
    ["unusual spacing", `{name:"a"  ,color :\t"#aaaaaa"}`, { color: "#bbbbbb" }, `{name:"a"  ,color :\t"#bbbbbb"}`],
    ["parentheses", `{ name: ( "a" ) }`, { name: "b" }, `{ name: ( "b" ) }`],
    ['a value with "as const"', `{ name: "a" as const }`, { name: "b" }, `{ name: "b" as const }`],
    ["satisfies", `{ name: "a" satisfies string }`, { name: "b" }, `{ name: "b" satisfies string }`],
    ["a key in quotes", `{ 'name': "a" }`, { name: "b" }, `{ 'name': "b" }`],
    [
      "a property between comments",
      `{ /* 1 */ name /* 2 */ : /* 3 */ "a" /* 4 */, /* 5 */ }`,
      { name: "b" },
      `{ /* 1 */ name /* 2 */ : /* 3 */ "b" /* 4 */, /* 5 */ }`,
    ],
    ["a property that is set twice", `{ name: "a", name: "b" }`, { name: "c" }, `{ name: "a", name: "c" }`],
    ["undefined", `{ color: undefined }`, { color: "#bbbbbb" }, `{ color: "#bbbbbb" }`],
  ])("drift --accept edits values of a label: %s", async (_, args, values, after) => {
    expect(await accepted("label", args, values)).toMatchObject({ args: after, placed: Object.keys(values), refusals: [] });
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    [
      "numbers",
      "{ port: 443, maxMachines: 0x10, interval: 1_800 }",
      { port: 8443, maxMachines: 17, interval: 60 },
      "{ port: 8443, maxMachines: 17, interval: 60 }",
    ],
    ["signed numbers", "{ port: +1, maxMachines: -25 }", { port: 2, maxMachines: 50 }, "{ port: 2, maxMachines: 50 }"],
    [
      "booleans",
      "{ isEnabled: true, isPrioritized: false }",
      { isEnabled: false, isPrioritized: true },
      "{ isEnabled: false, isPrioritized: true }",
    ],
    ["a declared default value", "{ interval: 300 }", { interval: 60 }, "{ interval: 60 }"],
    ["null", "{ ipVersion: null }", { ipVersion: "V4_ONLY" }, `{ ipVersion: "V4_ONLY" }`],
  ])("drift --accept edits values of a test: %s", async (_, args, values, after) => {
    expect(await accepted("agentToServerTest", args, values)).toMatchObject({ args: after, refusals: [] });
  });

  test("drift --accept does not edit values that are equal after normalization", async () => {
    const args = `{ url: "https://A.example/", interval: 60, agents: ["b", "a"] }`;
    const values = { url: "https://a.example:443/", interval: 60, isEnabled: true, agents: ["a", "b"], ipVersion: undefined };
    expect(await accepted("httpServerTest", args, values)).toEqual({
      all: `new em.HttpServerTest("x", ${args}`,
      args,
      placed: [],
      same: Object.keys(values),
      refusals: [],
    });
  });

  test("drift --accept writes a URL without the scheme's default port", async () => {
    const values = { url: "https://b.example:443/x" };
    expect(await accepted("httpServerTest", `{ url: "a.example" }`, values)).toMatchObject({
      args: `{ url: "https://b.example/x" }`,
    });
  });
});

describe("added properties", () => {
  test.each<[string, string, string]>([
    ["in an object on one line", `{ name: "a" }`, `{ name: "a", color: "#bbbbbb" }`],
    ["in an object on one line without spaces", `{name:"a",matchType:"or"}`, `{name:"a",matchType:"or",color: "#bbbbbb"}`],
    ["in an object on several lines with a last comma", `{\n  name: "a",\n}`, `{\n  name: "a",\n  color: "#bbbbbb",\n}`],
    ["in an object on several lines without a last comma", `{\n  name: "a"\n}`, `{\n  name: "a",\n  color: "#bbbbbb"\n}`],
    ["in an object with tabs and CRLF", `{\r\n\tname: "a",\r\n}`, `{\r\n\tname: "a",\r\n\tcolor: "#bbbbbb",\r\n}`],
    ["after a line comment", `{\n  name: "a" // why\n}`, `{\n  name: "a", // why\n  color: "#bbbbbb"\n}`],
    [
      "after a line comment that contains a comma",
      `{\n  name: "a" // a, b\n}`,
      `{\n  name: "a", // a, b\n  color: "#bbbbbb"\n}`,
    ],
    [
      "before a separate comment at the end",
      `{\n  name: "a",\n  // color: "#aaaaaa",\n}`,
      `{\n  name: "a",\n  color: "#bbbbbb",\n  // color: "#aaaaaa",\n}`,
    ],
    [
      "after a line comment in an object on one line",
      `{ name: "a" // why\n  }`,
      `{ name: "a", // why\n  color: "#bbbbbb"\n  }`,
    ],
    ["in an empty object", "{}", `{ color: "#bbbbbb" }`],
    ["in an object with only a comment", "{\n  // none\n}", `{\n  // none\n  color: "#bbbbbb"\n}`],
    ["in an object with quoted keys", `{ "name": "a" }`, `{ "name": "a", "color": "#bbbbbb" }`],
    [
      "with the same quotes as the file",
      `{ name: 'a', matchType: 'or', adopt: !'x' }`,
      `{ name: 'a', matchType: 'or', adopt: !'x', color: '#bbbbbb' }`,
    ],
    [
      "in an object with blank lines",
      `{\n  name: "a",\n\n  matchType: "or",\n}`,
      `{\n  name: "a",\n\n  matchType: "or",\n  color: "#bbbbbb",\n}`,
    ],
  ])("drift --accept adds a property %s", async (_, args, after) => {
    expect(await accepted("label", args, { color: "#bbbbbb" })).toMatchObject({
      args: after,
      placed: ["color"],
      refusals: [],
    });
  });

  test("drift --accept adds a long property on one line", async () => {
    const values = { filters: [ssid("corp-wifi"), { ...host("laptop-with-a-long-name-*"), mode: "not-in" }] };
    const { args } = await accepted("label", `{\n\tname: "a",\n}`, values);
    expect(args).toBe(
      '{\n\tname: "a",\n\tfilters: [{ key: "ssid", values: ["corp-wifi"] }, { key: "hostname", mode: "not-in", values: ["laptop-with-a-long-name-*"] }],\n}',
    );
  });
});

describe("deleted properties", () => {
  test.each<[string, string, string]>([
    ["the first of two on one line", `{ ipVersion: "V4_ONLY", port: 1 }`, "{ port: 1 }"],
    ["the second of three on one line", `{ port: 1, ipVersion: "V4_ONLY", interval: 60 }`, "{ port: 1, interval: 60 }"],
    ["the last of two on one line", `{ port: 1, ipVersion: "V4_ONLY" }`, "{ port: 1 }"],
    ["before a comment of the next property", `{ ipVersion: "V4_ONLY", /* https */ port: 1 }`, "{ /* https */ port: 1 }"],
    ["the only property", `{ ipVersion: "V4_ONLY" }`, "{}"],
    ["the only property, on its own line", `{\n  ipVersion: "V4_ONLY",\n}`, "{}"],
    ["the only property, before a separate comment", `{\n  ipVersion: "V4_ONLY",\n  // port: 1\n}`, "{\n  // port: 1\n}"],
    ["the first of several lines", `{\n  ipVersion: "V4_ONLY",\n  port: 1,\n}`, "{\n  port: 1,\n}"],
    ["the last of several lines", `{\n  port: 1,\n  ipVersion: "V4_ONLY"\n}`, "{\n  port: 1\n}"],
    [
      "a property together with its comments",
      `{\n  port: 1, // https\n  // why\n  ipVersion: "V4_ONLY", // that\n  interval: 60, // slow\n}`,
      "{\n  port: 1, // https\n  interval: 60, // slow\n}",
    ],
    [
      "a property after the title of a group, which remains",
      `{\n  port: 1,\n\n  // Probe\n\n  ipVersion: "V4_ONLY",\n  interval: 60,\n}`,
      "{\n  port: 1,\n\n  // Probe\n  interval: 60,\n}",
    ],
    [
      "a property after a comment on the whole object, which remains",
      `{ // probe\n  ipVersion: "V4_ONLY",\n  port: 1,\n}`,
      "{ // probe\n  port: 1,\n}",
    ],
    [
      "a property after a comment that ends its line",
      `{ port: 1, // https\n  ipVersion: "V4_ONLY" }`,
      "{ port: 1 // https\n  }",
    ],
    [
      "a property between a comment that ends its line and another property",
      `{ port: 1, // https\n  ipVersion: "V4_ONLY", interval: 60 }`,
      "{ port: 1, // https\n  interval: 60 }",
    ],
    [
      "a property in lines that begin with a comma",
      `{\n    port: 1\n  , ipVersion: "V4_ONLY"\n  , interval: 60\n}`,
      "{\n    port: 1\n  , interval: 60\n}",
    ],
  ])("drift --accept deletes a property: %s", async (_, args, after) => {
    expect(await accepted("agentToServerTest", args, { ipVersion: undefined })).toMatchObject({
      args: after,
      placed: ["ipVersion"],
      refusals: [],
    });
  });

  test("drift --accept does not delete a property that the program sets twice", async () => {
    const args = `{ ipVersion: "V4_ONLY", ipVersion: "V6_ONLY" }`;
    expect(await accepted("agentToServerTest", args, { ipVersion: undefined })).toMatchObject({
      args,
      refusals: ["x.ipVersion is set twice (index.ts:2:33)"],
    });
  });
});

describe("edits of lists", () => {
  test.each<[string, string, unknown[], string]>([
    ["a new value", `[{ key: "ssid", values: ["a"] }]`, [ssid("a", "b")], `[{ key: "ssid", values: ["a", "b"] }]`],
    [
      "a deleted value",
      `[{ key: "ssid", values: ["a", "b", "c"] }]`,
      [ssid("c", "a")],
      `[{ key: "ssid", values: ["a", "c"] }]`,
    ],
    ["a changed value", `[{ key: "ssid", values: ["a", "b"] }]`, [ssid("c", "b")], `[{ key: "ssid", values: ["b", "c"] }]`],
    ["only changed values", `[{ key: "ssid", values: ["a"] }]`, [ssid("b", "c")], `[{ key: "ssid", values: ["b", "c"] }]`],
    [
      "another order of filters",
      `[{ key: "ssid", values: ["a", "b"] }, { key: "hostname", values: ["h"] }]`,
      [host("h"), ssid("b", "a", "c")],
      `[{ key: "ssid", values: ["a", "b", "c"] }, { key: "hostname", values: ["h"] }]`,
    ],
    [
      "a new filter",
      `[{ key: "ssid", values: ["a"] }]`,
      [ssid("a"), host("h")],
      `[{ key: "ssid", values: ["a"] }, { key: "hostname", values: ["h"] }]`,
    ],
    [
      "a new filter on its own line",
      `[\n    { key: "ssid", values: ["a"] }, // wifi\n  ]`,
      [ssid("a"), host("h")],
      `[\n    { key: "ssid", values: ["a"] }, // wifi\n    { key: "hostname", values: ["h"] },\n  ]`,
    ],
    [
      "a deleted filter with its comments",
      `[\n    // wifi\n    { key: "ssid", values: ["a"] }, // here\n    // hosts\n    { key: "hostname", values: ["h"] }, // there\n  ]`,
      [host("h")],
      `[\n    // hosts\n    { key: "hostname", values: ["h"] }, // there\n  ]`,
    ],
    [
      "a deleted first filter before a separate comment",
      `[{ key: "ssid", values: ["a"] },\n    // all hosts\n\n    { key: "hostname", values: ["h"] }]`,
      [host("h")],
      `[\n    // all hosts\n\n    { key: "hostname", values: ["h"] }]`,
    ],
    ["all filters deleted", `[{ key: "ssid", values: ["a"] }]`, [], "[]"],
    ["a first filter", "[]", [ssid("a")], `[{ key: "ssid", values: ["a"] }]`],
    [
      "a new mode",
      `[{ key: "ssid", values: ["a"] }]`,
      [{ ...ssid("a"), mode: "not-in" }],
      `[{ key: "ssid", values: ["a"], mode: "not-in" }]`,
    ],
    [
      "a deleted mode",
      `[{ key: "ssid", mode: "not-in", values: ["a"] }]`,
      [ssid("a")],
      `[{ key: "ssid", mode: "in", values: ["a"] }]`,
    ],
    [
      "values with comments on several lines",
      `[{ key: "ssid", values: [\n    "a", // first\n    // second\n    "b"\n  ] }]`,
      [ssid("b", "c")],
      `[{ key: "ssid", values: [\n    // second\n    "b",\n    "c"\n  ] }]`,
    ],
    [
      "the more similar of two filters with one key",
      `[{ key: "ssid", values: ["a", "b"] }, { key: "ssid", values: ["c", "d"] }]`,
      [ssid("d", "c", "e"), ssid("a", "b", "f")],
      `[{ key: "ssid", values: ["a", "b", "f"] }, { key: "ssid", values: ["c", "d", "e"] }]`,
    ],
    [
      "a deleted filter between two others",
      `[\n    { key: "ssid", values: ["a"] },\n    { key: "asn", values: ["1"] },\n    { key: "hostname", values: ["h"] },\n  ]`,
      [ssid("a"), host("h")],
      `[\n    { key: "ssid", values: ["a"] },\n    { key: "hostname", values: ["h"] },\n  ]`,
    ],
  ])("drift --accept edits filters: %s", async (_, filters, after, wanted) => {
    const result = await accepted("label", `{ name: "a", filters: ${filters} }`, { filters: after });
    expect(result).toMatchObject({ args: `{ name: "a", filters: ${wanted} }`, refusals: [] });
  });
});

describe("computed values", () => {
  const inputs = { interval: 60, agents: ["1", "2", "3"], testName: "secret words" };
  test.each<[string, string, string, Record<string, unknown>?]>([
    ["a call", `{ interval: every("secret words") }`, "x.interval is computed by an expression (index.ts:2:43)"],
    ["a variable", "{ interval: every }", "x.interval is a variable (index.ts:2:43)"],
    ["shorthand", "{ interval }", "x.interval is a shorthand for a variable (index.ts:2:33)"],
    ["a method", "{ interval() {} }", "x.interval is a function (index.ts:2:33)"],
    ["a computed key", `{ ["interval"]: 60 }`, "x.interval may be set by a key in brackets (index.ts:2:33)"],
    ["a value before a spread", "{ interval: 60, ...more }", "x.interval may come from a spread (index.ts:2:47)"],
    ["only a spread", "{ ...more }", "x.interval may come from a spread (index.ts:2:33)"],
    [
      "a spread before a deleted property",
      `{ ...more, ipVersion: "V4_ONLY" }`,
      "x.ipVersion may come from a spread (index.ts:2:33)",
      { ipVersion: undefined },
    ],
    [
      "a computed item that the service deleted",
      `{ agents: ["1", "2", third()] }`,
      "x.agents is computed by an expression (index.ts:2:52)",
      { agents: ["1", "2"] },
    ],
    [
      "a computed item in a list that has changed since the update",
      `{ agents: ["9", second(), "3"] }`,
      "x.agents is computed by an expression (index.ts:2:47)",
      { agents: ["9", "2", "4"] },
    ],
    [
      "a computed item with a value that has changed since the update",
      `{ agents: ["1", third()] }`,
      "x.agents is computed by an expression (index.ts:2:47)",
      { agents: ["1", "3"] },
    ],
    [
      "a computed item that would remain",
      `{ agents: ["1", second(), "3"] }`,
      "x.agents is computed by an expression (index.ts:2:47)",
      { agents: ["2", "1", "4"] },
    ],
    [
      "spread items that would remain",
      `{ agents: [...two, "3"] }`,
      "x.agents has items from a spread (index.ts:2:42)",
      { agents: ["2", "1", "4"] },
    ],
    [
      "spread items after one was deleted",
      `{ agents: ["1", ...more] }`,
      "x.agents has items from a spread (index.ts:2:47)",
      { agents: ["1", "2"] },
    ],
    ["a missing list item", `{ agents: ["1", , "3"] }`, "x.agents is a hole (index.ts:2:46)", { agents: ["1"] }],
    [
      "the id of an unknown resource",
      `{ agents: ["1", "2", other.id] }`,
      "x.agents is computed by an expression (index.ts:2:52)",
      { agents: ["1", "2"] },
    ],
    ["no arguments", "", "x.interval is declared without arguments (index.ts:2:1)"],
    [
      "arguments from a function",
      "args()",
      "x.interval has arguments that cannot be changed: the expression is computed by an expression (index.ts:2:31)",
    ],
    ["arguments that are not an object", "[]", "x.interval has arguments that are not an object literal (index.ts:2:31)"],
  ])(
    "drift --accept keeps a computed value and reports its position: %s",
    async (_, args, reason, values = { interval: 300 }) => {
      const result = await accepted("agentToServerTest", args, values, { inputs });
      expect(result).toMatchObject({ args, placed: [], refusals: [reason] });
      expect(reason).not.toContain("secret words");
    },
  );

  test.each<[string, string, Record<string, unknown>, string]>([
    ["an earlier spread", "{ ...more, interval: 60 }", { interval: 300 }, "{ ...more, interval: 300 }"],
    [
      "a spread of an object without the property",
      "{ ...{ port: 1 }, ...known }",
      { interval: 300 },
      "{ ...{ port: 1 }, ...known, interval: 300 }",
    ],
    ["a spread constant", `{ agents: [...constants, "3"] }`, { agents: ["7", "8"] }, `{ agents: [...constants, "8"] }`],
  ])("drift --accept edits a property despite %s", async (_, args, values, after) => {
    const before = 'const known = { port: 1 };\nconst constants = ["7"] as const;\n';
    expect(await accepted("agentToServerTest", args, values, { before, inputs })).toMatchObject({
      args: after,
      refusals: [],
    });
  });

  test("drift --accept edits no property of a resource if one of the edits is impossible", async () => {
    const args = `{ testName: "a", server: "b", agentSelectorType: "specific-agents", agents: some(), interval: 60 }`;
    const of = { testName: "a", server: "b", agentSelectorType: "specific-agents", agents: ["1"], interval: 60 };
    const values = { agentSelectorType: "all-agents", agents: undefined, interval: 300 };
    expect(await accepted("agentToServerTest", args, values, { inputs: of })).toMatchObject({
      args,
      refusals: ["x.agents is computed by an expression (index.ts:2:107)"],
    });
  });

  test("`drift --accept` edits no property of a resource if its password also changed", async () => {
    const of = { testName: "a", url: "b.example", authType: "basic", username: "u", password: "p" };
    const selection = { agentSelectorType: "specific-agents", agents: ["1"] };
    const args = `{ testName: "a", url: "b.example", agentSelectorType: "specific-agents", agents: ["1"], authType: "basic", username: "u", password: "p" }`;
    const selected = { agentSelectorType: "agent-tags", agents: undefined, tagIds: ["2"] };
    const values = { ...selected, authType: "none", username: undefined, password: undefined };
    expect(await accepted("httpServerTest", args, values, { inputs: { ...of, ...selection } })).toMatchObject({
      args,
      refusals: ["x.password is secret: it is never written into a program (index.ts:2:1)"],
    });
    expect(await accepted("httpServerTest", args, selected, { inputs: { ...of, ...selection } })).toMatchObject({
      args: args.replace('"specific-agents", agents: ["1"]', '"agent-tags"').replace(" }", ', tagIds: ["2"] }'),
      refusals: [],
    });
  });

  test("drift --accept reports a changed property that the resource class does not have", async () => {
    const { refusals } = await accepted("label", "{}", { colr: "#bbbbbb" });
    expect(refusals).toEqual(["x.colr is not a property of Label (index.ts:2:1)"]);
  });

  test("drift --accept never writes a password", async () => {
    const text = `${start}new em.HttpServerTest("x", { password: "old" });`;
    const of = resource("httpServerTest", "x", { secrets: new Set() });
    const acceptance = await acceptIn({ "index.ts": text }, [{ resource: of, changes: changes({ password: "hush" }) }]);
    expect(acceptance.edits).toEqual([]);
    expect(refusalsOf(acceptance)).toEqual(["x.password is secret: it is never written into a program (index.ts:2:1)"]);
  });

  test("drift --accept writes neither declared secrets nor masked values", async () => {
    const text = `${start}new em.Label("x", { name: "a", color: "#aaaaaa" });`;
    const of = resource("label", "x", { secrets: new Set(["name"]) });
    const acceptance = await acceptIn({ "index.ts": text }, [
      {
        resource: of,
        changes: [...changes({ name: "b", color: "[secret]" }), { property: "matchType", how: "changed", secret: true }],
      },
    ]);
    expect(acceptance.edits).toEqual([]);
    expect(refusalsOf(acceptance).map((line) => line.replace(/ \(.*/, ""))).toEqual(
      ["name", "color", "matchType"].map((property) => `x.${property} is secret: it is never written into a program`),
    );
  });
});

describe("edits of constants", () => {
  test.each<[string, string, string, Record<string, unknown>, string]>([
    ["a list", 'const some = ["1", "2"];\n', "{ agents: some }", { agents: ["2", "3"] }, 'const some = ["2", "3"];\n'],
    ["an item", 'const one = "1";\n', `{ agents: [one, "2"] }`, { agents: ["1", "2", "3"] }, 'const one = "1";\n'],
    [
      "all arguments of a resource",
      "const args = { interval: 60, port: 1 };\n",
      "args",
      { interval: 300, isEnabled: false },
      "const args = { interval: 300, port: 1, isEnabled: false };\n",
    ],
    [
      "arguments with a type",
      "const args: Args = { port: 1 };\n",
      "args",
      { interval: 300 },
      "const args: Args = { port: 1, interval: 300 };\n",
    ],
    [
      'arguments with "as const"',
      "const args = { port: 1 } as const;\n",
      "args",
      { interval: 300 },
      "const args = { port: 1, interval: 300 } as const;\n",
    ],
    [
      "a value that a constant of arguments uses",
      "const every = 60;\nconst args = { interval: every };\n",
      "args",
      { interval: 300 },
      "const every = 300;\nconst args = { interval: every };\n",
    ],
    [
      "a constant with the name of a function parameter",
      "const every = 60;\nfunction f(every: 60) { return every; }\n",
      "{ interval: every }",
      { interval: 300 },
      "const every = 300;\nfunction f(every: 60) { return every; }\n",
    ],
  ])("drift --accept edits a constant that is used once: %s", async (_, before, args, values, after) => {
    const result = await accepted("agentToServerTest", args, values, { before });
    expect(result).toMatchObject({ refusals: [] });
    expect(result.all.startsWith(after)).toBe(true);
  });

  test.each<[string, string, string, string]>([
    [
      "it is used twice",
      "const every = 60;\nf(every);\n",
      "{ interval: every }",
      "x.interval is the constant every, which other code also uses (index.ts:4:43)",
    ],
    [
      "its type is used",
      "const every = 60;\ntype Every = typeof every;\n",
      "{ interval: every }",
      "x.interval is the constant every, which other code also uses (index.ts:4:43)",
    ],
    [
      "a later statement exports it",
      "const every = 60;\nexport { every };\n",
      "{ interval: every }",
      "x.interval is the constant every, which other code also uses (index.ts:4:43)",
    ],
    ["it is a variable", "let every = 60;\n", "{ interval: every }", "x.interval is a variable (index.ts:3:43)"],
    [
      "it has a computed value",
      "const every = f();\n",
      "{ interval: every }",
      "x.interval is computed by an expression (index.ts:3:43)",
    ],
    [
      "it contains arguments and is used twice",
      "const args = { interval: 60 };\nf(args);\n",
      "args",
      "x.interval has arguments that cannot be changed: the expression is the constant args, which other code also uses (index.ts:4:31)",
    ],
  ])("drift --accept does not edit a constant: %s", async (_, before, args, reason) => {
    const result = await accepted("agentToServerTest", args, { interval: 300 }, { before });
    expect(result).toMatchObject({ all: `${before}new em.AgentToServerTest("x", ${args}`, refusals: [reason] });
  });
});

describe("declarations of resources", () => {
  const at = (file: string, line: number, column = 1) => ({ file, line, column });
  const color = changes({ color: "#bbbbbb" });
  const inStack = (stack: string) => resource("label", "x", { stack });
  const labelOf = (text = '{ color: "#aaaaaa" }') => `new em.Label("x", ${text});\n`;

  async function acceptedIn(files: Record<string, string>, ...resources: AcceptedResource[]) {
    const acceptance = await acceptIn(
      files,
      resources.map((of) => ({ resource: of, changes: color })),
    );
    return { acceptance, files: acceptance.edits.map(({ path }) => path), refusals: refusalsOf(acceptance) };
  }

  test("drift --accept finds a declaration by its position if several declarations share a name", async () => {
    const files = { "a.ts": start + labelOf(), "b.ts": `${start}f(() => ${labelOf().replace(";", ")")};` };
    expect(await acceptedIn(files, resource("label", "x", { position: at("b.ts", 2, 9) }))).toMatchObject({
      files: ["b.ts"],
      refusals: [],
    });
    expect(await acceptedIn(files, resource("label", "x", { position: at("a.ts", 2) }))).toMatchObject({
      files: ["a.ts"],
      refusals: [],
    });
    const reason = "x.color is declared in 2 places (a.ts:2:1, b.ts:2:9) (a.ts:2:1)";
    expect(await acceptedIn(files, resource("label", "x"))).toMatchObject({ files: [], refusals: [reason] });
    // Another resource is declared at that position now.
    expect(await acceptedIn(files, resource("label", "x", { position: at("a.ts", 1) }))).toMatchObject({
      files: [],
      refusals: [reason],
    });
  });

  test("`drift --accept` finds a uniquely named declaration even if its recorded position is wrong", async () => {
    const files = { "a.ts": `${start}\n\n${labelOf()}new em.DynamicTest("x", {});\nnew em.Label("y", {});` };
    const stale = resource("label", "x", { position: at("a.ts", 5) });
    expect(await acceptedIn(files, stale)).toMatchObject({ files: ["a.ts"], refusals: [] });
  });

  test("drift --accept does not edit a declaration with a computed name", async () => {
    const files = { "a.ts": `${start}for (const name of names("x")) new em.Label(name, { color: "#aaaaaa" });` };
    const both = ["x", "y"].map((name) => resource("label", name, { position: at("a.ts", 2, 32) }));
    expect(await acceptedIn(files, ...both)).toMatchObject({
      files: [],
      refusals: ["x", "y"].map(
        (name) => `${name}.color has a computed name: its declaration may declare several resources (a.ts:2:32)`,
      ),
    });
  });

  test("drift --accept reports where the last update saw a declaration that is now missing", async () => {
    const gone = resource("label", "x", { position: at("lib/x.js", 7, 3) });
    expect(await acceptedIn({ "a.ts": start }, gone, resource("label", "z"))).toMatchObject({
      refusals: [
        'x.color is not declared by a new Label("x", …) in the program; the last update saw it at lib/x.js:7:3, a file that is not part of the program',
        'z.color is not declared by a new Label("z", …) in the program',
      ],
    });
  });

  test("drift --accept does not edit a shared declaration if one of its resources has no drift", async () => {
    const inDev = { ...inStack("dev"), inputs: { color: "#aaaaaa" } };
    const acceptance = await acceptIn({ "a.ts": start + labelOf() }, [
      { resource: inDev, changes: [...color, ...changes({ filters: [ssid("a")] })] },
      { resource: inStack("prod"), changes: [] },
    ]);
    expect(acceptance.edits).toEqual([]);
    const reason = "is shared by several resources with different values (stack dev, prod) (a.ts:2:1)";
    expect(refusalsOf(acceptance)).toEqual([`x.color ${reason}`, `x.filters ${reason}`]);
    expect(acceptance.refused.map(({ advice }) => advice)).toEqual([
      'write color: new pulumi.Config().get("x-color") ?? "#aaaaaa", which changes no other stack, and ' +
        "run `pulumi config set --stack dev x-color '#bbbbbb'`",
      'write filters: new pulumi.Config().getObject("x-filters"), which changes no other stack, and ' +
        'run `pulumi config set --stack dev x-filters \'[{"key":"ssid","mode":"in","values":["a"]}]\'`',
    ]);
  });

  test("drift --accept edits a declaration inside another resource's arguments", async () => {
    const text = `${start}new em.AgentToServerTest("t", { port: 1, endpointAgentLabels: [new em.Label("x", { color: "#aaaaaa" }).id] });`;
    const acceptance = await acceptIn({ "a.ts": text }, [
      { resource: resource("agentToServerTest", "t"), changes: changes({ port: 2, interval: 300 }) },
      { resource: resource("label", "x"), changes: color },
    ]);
    expect(acceptance.edits[0]?.after).toBe(
      text.replace("port: 1", "port: 2").replace("#aaaaaa", "#bbbbbb").replace("id] }", "id], interval: 300 }"),
    );
  });

  test("drift --accept reports positions that are correct in the edited program", async () => {
    const args = '{\n  name: "a",\n  filters: [],\n  color: "#aaaaaa",\n}';
    const text = `${start}new em.Label("w", {\n  matchType: "and",\n});\nnew em.Label("x", ${args});\nnew em.Label("y", { name: f() });\n`;
    const acceptance = await acceptIn({ "a.ts": text }, [
      { resource: resource("label", "w"), changes: changes({ name: "w" }) },
      { resource: resource("label", "x"), changes: changes({ color: "#bbbbbb", filters: [ssid("a")] }) },
      { resource: resource("label", "y"), changes: changes({ name: "b" }) },
    ]);
    const after = acceptance.edits[0]?.after.split("\n") ?? [];
    const lineAt = ({ position }: { position?: { line: number; column: number } }) =>
      after[(position?.line ?? 0) - 1]?.slice((position?.column ?? 0) - 1);
    expect(acceptance.placed.map(lineAt)).toEqual([
      'name: "w",',
      'color: "#bbbbbb",',
      'filters: [{ key: "ssid", values: ["a"] }],',
    ]);
    expect(acceptance.refused.map(lineAt)).toEqual(["f() });"]);
  });
});

describe("references between resources", () => {
  const office = resource("label", "office", { id: "1" });
  const remote = resource("label", "remote", { id: "2" });
  const lab = resource("label", "lab", { id: "3" });
  const labels = [office, remote, lab].map((of) => ({ resource: of, changes: [] }));
  const declared = `export const office = new em.Label("office", {});\nconst remote = new em.Label("remote", {});\n`;
  const labDeclared = 'export const lab = new em.Label("lab", {});\n';
  const test1 = (list: string) => `new em.AgentToServerTest("t", { endpointAgentLabels: ${list} });\n`;

  async function acceptedLabels(files: Record<string, string>, ids: string[], inputs = {}) {
    const acceptance = await acceptIn(files, [
      ...labels,
      { resource: resource("agentToServerTest", "t", { inputs }), changes: changes({ endpointAgentLabels: ids }) },
    ]);
    expect(refusalsOf(acceptance)).toEqual([]);
    return acceptance.edits.map(({ after }) => after);
  }

  test.each<[string, string, string[], string]>([
    ["keeps references if their values remain", "[office.id, remote.id]", ["2", "1", "9"], '[office.id, remote.id, "9"]'],
    ["deletes a reference if its value is deleted", "[office.id, remote.id]", ["2"], "[remote.id]"],
    ["writes references for ids of resources", "[office.id]", ["1", "2"], "[office.id, remote.id]"],
    ["does not write a reference to a resource that the file declares later", "[office.id]", ["1", "3"], '[office.id, "3"]'],
    ["writes a reference into a new list", "[]", ["1", "9"], '[office.id, "9"]'],
    ["deletes a reference and keeps an id that is a literal", '["1", remote.id]', ["1"], '["1"]'],
  ])("drift --accept %s (in a single file)", async (_, list, ids, after) => {
    const text = `${start}${declared}${test1(list)}${labDeclared}`;
    expect(await acceptedLabels({ "a.ts": text }, ids)).toEqual([text.replace(list, after)]);
  });

  test("drift --accept adds a reference together with a new property", async () => {
    const text = `${start}${declared}new em.AgentToServerTest("t", { port: 1 });`;
    expect(await acceptedLabels({ "a.ts": text }, ["1"])).toEqual([
      text.replace("port: 1", "port: 1, endpointAgentLabels: [office.id]"),
    ]);
  });

  test("drift --accept writes no reference to a resource that the program declares later", async () => {
    const text = `${start}const all = ["9"];\n${declared}${test1("all")}`;
    expect(await acceptedLabels({ "a.ts": text }, ["9", "1"])).toEqual([text.replace('"9"', '"9", "1"')]);
  });

  test("drift --accept adds no reference to a resource if a function parameter shadows the resource's constant", async () => {
    const text = `${start}${declared}function f(office: string) {}\n${test1("[office.id]")}`;
    const inputs = { endpointAgentLabels: ["1"] };
    expect(await acceptedLabels({ "a.ts": text }, ["1", "2"], inputs)).toEqual([
      text.replace("[office.id]", "[office.id, remote.id]"),
    ]);
    const other = `${start}${declared}function f(office: string) {}\n${test1("[]")}`;
    expect(await acceptedLabels({ "a.ts": other }, ["1"])).toEqual([other.replace("[]", '["1"]')]);
  });

  describe("references across files", () => {
    const labelFile = start + declared + labDeclared;
    const ofOffice = 'import { office } from "./labels";\n';
    const ofLab = 'import { lab } from "./labels";\n';
    const only = 'import "./labels";\n';
    const [renamed, whole] = ['import { office as o } from "./labels.js";\n', 'import * as all from "./labels";\n'];
    test.each<[string, string, string, string[], string, string]>([
      ["with the imported names", 'import { office, lab } from "./labels";\n', "[office.id]", ["3"], ofLab, "[lab.id]"],
      ["with renamed imports", renamed, "[]", ["1"], renamed, "[o.id]"],
      ["with a namespace import", whole, "[all.office.id]", ["3"], whole, "[all.lab.id]"],
      ["with an added import", ofOffice, "[office.id]", ["1", "3"], ofOffice + ofLab, "[office.id, lab.id]"],
      ["only to files with imported names", only, "[]", ["1"], only, '["1"]'],
      ["only to exported constants", ofOffice, "[office.id]", ["2"], only, '["2"]'],
      ["only if the name is free", `${ofOffice}const lab = 1;\n`, "[office.id]", ["3"], `${only}const lab = 1;\n`, '["3"]'],
    ])("drift --accept writes references %s", async (_, imports, list, ids, written, after) => {
      const [result] = await acceptedLabels({ "labels.ts": labelFile, "tests.ts": `${start}${imports}${test1(list)}` }, ids);
      expect(result).toBe(`${start}${written}${test1(after)}`);
    });
  });

  test("drift --accept does not write references to resources of another stack", async () => {
    const text = `${start}${declared}${test1("[office.id]")}`;
    const other = { resource: { ...office, stack: "prod", id: "7" }, changes: [] };
    const of = resource("agentToServerTest", "t", { stack: "prod", inputs: { endpointAgentLabels: ["7"] } });
    const acceptance = await acceptIn({ "a.ts": text }, [
      ...labels,
      other,
      { resource: of, changes: changes({ endpointAgentLabels: ["1"] }) },
    ]);
    expect(acceptance.edits.map(({ after }) => after)).toEqual([text.replace("office.id", '"1"')]);
  });
});
