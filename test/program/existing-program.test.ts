/** Tests the code that an import writes next to existing declarations. */
import ts from "typescript";
import { frontOfToken } from "../../program/front";
import { entriesOf, importFileText } from "../../cli/commands/import/import-file";
import type { ListedRecord } from "../../cli/commands/import/plan";
import type { EngineResource } from "../../engine/state";
import type { Properties } from "../../provider/values";
import { record, label, httpTest, byLabel, secret, imported, fates, managedRecord } from "../cli/import-support";
import { typeToken } from "../../sdk/token";

test("import writes a readable program into an empty project", async () => {
  const { written } = await imported([
    label("10", "Office"),
    label("11", "Branch 2"),
    httpTest("21", "Portal", { ...byLabel("10", "11", "404"), ...secret, interval: 300, isEnabled: false }),
    httpTest("20", "Office", { url: "http://intranet.example.com:8080" }),
  ]);
  expect(Object.keys(written)).toEqual(["labels.ts", "http-server-tests.ts", "index.ts"]);
  expect(written["labels.ts"]).toBe(`import { Label } from "pulumi-endpoint-monitoring";

export const branch2 = new Label(
  "branch-2",
  {
    name: "Branch 2",
    matchType: "or",
    filters: [{ key: "ssid", values: ["corp-*", "guest"] }],
  },
  { protect: true },
);

export const office = new Label(
  "office",
  {
    name: "Office",
    matchType: "or",
    filters: [{ key: "ssid", values: ["corp-*", "guest"] }],
  },
  { protect: true },
);
`);
  expect(written["http-server-tests.ts"]).toBe(`import * as pulumi from "@pulumi/pulumi";
import { HttpServerTest } from "pulumi-endpoint-monitoring";
import { branch2, office } from "./labels";

// The service never returns these secrets. A secret that is not in the
// configuration keeps its value in the service.
const config = new pulumi.Config();

export const officeTest = new HttpServerTest(
  "office",
  {
    testName: "Office",
    url: "http://intranet.example.com:8080",
  },
  { protect: true },
);

export const portal = new HttpServerTest(
  "portal",
  {
    testName: "Portal",
    url: "https://www.example.com/",
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [office.id, branch2.id, "404"],
    interval: 300,
    isEnabled: false,
    authType: "basic",
    username: "probe",
    password: config.getSecret("portalPassword"),
  },
  { protect: true },
);
`);
  expect(written["index.ts"]).toBe('import "./http-server-tests";\nimport "./labels";\n');
});

test("import names the position of a mistake in a file and adds nothing to the file", async () => {
  const texts = { "labels.ts": 'import { Label((( } from "pulumi-endpoint-monitoring";\n', "index.ts": "" };
  await expect(imported([label("1", "Office")], texts)).rejects.toThrow(
    "labels.ts:1:15 has a syntax error, so nothing can be added to the file. Correct the syntax error, then run the command again",
  );
  // A file without additions is not parsed.
  const other = { "other.ts": "import {{", "index.ts": "" };
  expect(Object.keys((await imported([label("1", "Office")], other)).written)).toEqual(["labels.ts", "index.ts"]);
});

test("import writes text from the service only as string literals", async () => {
  const name = '"; process.exit() // ${x} `\\ \n \u2028 \u202e end';
  const { written } = await imported([label("10", name)]);
  const file = ts.createSourceFile("labels.ts", written["labels.ts"] ?? "", ts.ScriptTarget.ES2023, true);
  const strings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) strings.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  expect(strings).toContain(name);
  expect(file.statements).toHaveLength(2);
  expect(written["labels.ts"]).not.toMatch(/[\u2028\u202e]/);
});

describe("import into a program with declarations", () => {
  const labels = `import { Label } from 'pulumi-endpoint-monitoring'

// Managed resources of the stack.
export const headquarters = new Label('office', { name: 'Office', matchType: 'or', filters: [] })
const hidden = new Label('hidden', { name: 'Hidden', matchType: 'or', filters: [] })
console.log(hidden.urn)
`;
  const office = label("10", "Office");
  const heldLabels = [managedRecord(office, "office"), managedRecord(label("11", "Hidden"), "hidden")];

  test("import refers to an existing resource through its exported constant", async () => {
    const { written } = await imported(
      [office, httpTest("20", "Portal", byLabel("10", "11"))],
      { "labels.ts": labels, "index.ts": "import './labels'\n" },
      { managed: heldLabels },
    );
    expect(Object.keys(written)).toEqual(["http-server-tests.ts", "index.ts"]);
    expect(written["http-server-tests.ts"]).toContain('endpointAgentLabels: [headquarters.id, "11"]');
    expect(written["http-server-tests.ts"]).toContain('import { headquarters } from "./labels";');
    // In the style of the file.
    expect(written["index.ts"]).toBe("import './labels'\nimport './http-server-tests'\n");
  });

  test("import adds declarations at the end of the type's file", async () => {
    const aliased = "import { Label as Group } from 'pulumi-endpoint-monitoring';\r\n\r\nexport const branch = 1;\r\n";
    const result = await imported([label("12", "Branch")], { "labels.ts": aliased, "index.ts": 'import "./labels";\n' });
    expect(Object.keys(result.written)).toEqual(["labels.ts"]);
    expect(result.written["labels.ts"]).toMatch(/^export const branchLabel = new Group\("branch", \{\r\n/m);
    expect(result.written["labels.ts"]).not.toMatch(/[^\r]\n/);

    const spaced = 'import * as em from "pulumi-endpoint-monitoring";\nexport const kept = em;';
    const other = await imported([label("12", "Branch")], { "labels.ts": spaced });
    expect(other.written["labels.ts"]).toContain("export const branch = new em.Label(");

    const taken = "class Label {}\nnew Label();\n";
    const third = await imported([label("12", "Branch")], { "labels.ts": taken });
    expect(third.written["labels.ts"]).toContain('import { Label as Label_2 } from "pulumi-endpoint-monitoring";');
    expect(third.written["labels.ts"]).toContain("new Label_2(");
  });

  test("import uses the configuration object that the file already has", async () => {
    const file =
      'import { Config } from "@pulumi/pulumi";\nconst other = new Config("other");\nconst settings = new Config();\nexport { other, settings };\n';
    const { written } = await imported([httpTest("20", "Portal", secret)], { "http-server-tests.ts": file });
    expect(written["http-server-tests.ts"]).toContain('password: settings.getSecret("portalPassword")');
    expect(written["http-server-tests.ts"]).not.toContain("new pulumi.Config");

    const none = await imported([httpTest("20", "Portal", secret)], {
      "http-server-tests.ts": "const config = 1, pulumi = 2;\nexport { config, pulumi };\n",
    });
    expect(none.written["http-server-tests.ts"]).toContain("const config_2 = new pulumi_2.Config();");
  });

  test("a declaration from an earlier import keeps the configuration key of its secret", async () => {
    const first = await imported([httpTest("20", "Portal", secret)]);
    const [file = ""] = Object.keys(first.written);
    const renamed = first.written[file]?.replaceAll("portalPassword", "probePassword") ?? "";
    const again = await imported([httpTest("20", "Portal", secret)], { ...first.written, [file]: renamed });
    expect([fates(again), again.items.flatMap(({ secrets }) => secrets.map(({ key }) => key))]).toEqual([
      ["20 portal declared"],
      ["probePassword"],
    ]);
  });

  test("import adds no import statement if the entry file already loads the file indirectly", async () => {
    const texts = { "labels.ts": labels, "all.ts": 'export * from "./labels";\n', "index.ts": 'import "./all.js";\n' };
    expect(Object.keys((await imported([label("12", "Branch")], texts)).written)).toEqual(["labels.ts"]);
  });

  test("import creates no import cycle between files", async () => {
    const test20 = httpTest("20", "Portal", byLabel("10"));
    const cyclic = { "labels.ts": `import "./http-server-tests";\n${labels}`, "index.ts": 'import "./labels";\n' };
    const { written } = await imported([test20], cyclic, { managed: heldLabels });
    expect(written["http-server-tests.ts"]).toContain('endpointAgentLabels: ["10"]');
    const inEntry = await imported([test20], { "index.ts": labels }, { managed: heldLabels });
    expect(inEntry.written["http-server-tests.ts"]).toContain('endpointAgentLabels: ["10"]');
    const inOwn = await imported([test20], { "http-server-tests.ts": labels }, { managed: heldLabels });
    expect(inOwn.written["http-server-tests.ts"]).toContain("endpointAgentLabels: [headquarters.id]");
  });

  test("import renames an imported constant if its name is in use", async () => {
    const texts = { "labels.ts": labels, "http-server-tests.ts": "export const headquarters = 1;\n" };
    const { written } = await imported([httpTest("20", "Portal", byLabel("10"))], texts, { managed: heldLabels });
    expect(written["http-server-tests.ts"]).toContain('import { headquarters as headquarters_2 } from "./labels";');
    expect(written["http-server-tests.ts"]).toContain("endpointAgentLabels: [headquarters_2.id]");
  });

  test("import gives a new constant a name that is free in every file", async () => {
    const { written } = await imported([label("12", "Branch")], { "http-server-tests.ts": "export const branch = 1;\n" });
    expect(written["labels.ts"]).toContain("export const branchLabel = new Label(");
  });

  test("import neither repeats earlier declarations nor reuses the name of another resource", async () => {
    const again = await imported([office], { "labels.ts": labels });
    // The earlier run stopped before the program loaded the file.
    expect([fates(again), again.written]).toEqual([["10 office declared"], { "index.ts": 'import "./labels";\n' }]);
    const other = await imported([label("12345", "office")], { "labels.ts": labels });
    expect(fates(other)).toEqual(["12345 office-2345 new"]);
  });

  test("import does not reuse the name of another resource in the stack", async () => {
    expect(
      fates(await imported([label("12345", "Office")], {}, { managed: [managedRecord(label("9", "x"), "office")] })),
    ).toEqual(["12345 office-2345 new"]);
  });
});

test("import writes import statements with the project's suffix and relative paths", async () => {
  const listed = [label("10", "Office"), httpTest("20", "Portal", byLabel("10"))];
  const modules = await imported(listed, {}, { suffix: ".js", entry: "src/index.ts" });
  expect(modules.written["src/http-server-tests.ts"]).toContain('from "./labels.js"');
  expect(modules.written["src/index.ts"]).toContain('import "./labels.js";');
  const texts = {
    "shared/labels.ts":
      'import { Label } from "pulumi-endpoint-monitoring";\nexport const o = new Label("office", { name: "Office" });\n',
  };
  const apart = await imported(listed, texts, { entry: "src/index.ts" });
  expect(apart.written["src/http-server-tests.ts"]).toContain('import { o } from "../shared/labels";');
});

test("import omits records that another stack manages or the user did not select", async () => {
  const listed = [
    label("10", "Office"),
    label("11", "Branch"),
    label("12", "Depot"),
    httpTest("20", "Portal", byLabel("11", "12")),
  ];
  const result = await imported(
    listed,
    {},
    { others: [{ ...managedRecord(label("10", "Office"), "hq"), stack: "prod" }], exclude: ["dep*", "99"] },
  );
  expect(fates(result)).toEqual(["11 branch new", "12 depot excluded", "10 hq elsewhere", "20 portal new"]);
  expect(result.written["http-server-tests.ts"]).toContain('endpointAgentLabels: [branch.id, "12"]');
  const byId = await imported(listed, {}, { match: ["11", "p*"] });
  expect(fates(byId).filter((line) => line.endsWith("new"))).toEqual(["11 branch new", "20 portal new"]);
});

test("the names of imported resources do not depend on omitted records", async () => {
  const listed = [label("10001", "Office"), label("10002", "Office"), httpTest("20", "Depot")];
  const all = await imported([...listed, label("13", "Depot")]);
  const selected = await imported([...listed, label("13", "Depot")], {}, { match: ["10001", "Depot"], exclude: ["13"] });
  expect(selected.items.find(({ id }) => id === "10001")?.name).toBe("office-0001");
  for (const { id, variable } of selected.items)
    expect([id, variable]).toEqual([id, all.items.find((item) => item.id === id)?.variable]);
});

describe("resource classes in an import", () => {
  const office = label("10", "Office");
  const portal = httpTest("20", "Portal", byLabel("10"));
  const declaring = (module: string): string => `import { Label } from "${module}";\nexport const hq = new Label("hq", {});\n`;

  test.each([
    ["pulumi-endpoint-monitoring", "dynamic"],
    ["pulumi-endpoint-monitoring/native", "native"],
  ] as const)("import uses the classes of %s if the program already uses that module", async (module, front) => {
    const { written, items } = await imported([office, portal], { "index.ts": declaring(module) });
    expect(written["labels.ts"]).toContain(`import { Label } from "${module}";`);
    expect(written["http-server-tests.ts"]).toContain(`import { HttpServerTest } from "${module}";`);
    for (const { type, inputs, outputs } of entriesOf(items, front)) {
      expect(frontOfToken(type)).toBe(front);
      expect(Object.hasOwn(inputs, "__provider")).toBe(front === "dynamic");
      expect(outputs).toHaveProperty("__provider");
    }
  });

  test("import uses the classes of the requested module", async () => {
    const dynamic = declaring("pulumi-endpoint-monitoring");
    const { written } = await imported(
      [office],
      { "index.ts": 'import "./labels";', "labels.ts": dynamic },
      { front: "native" },
    );
    expect(written["labels.ts"]).toContain('import { Label as Label_2 } from "pulumi-endpoint-monitoring/native";');
    expect(written["labels.ts"]).toContain('new Label_2("office"');
  });

  test("import keeps the provider type of earlier declarations", async () => {
    const before = declaring("pulumi-endpoint-monitoring").replace('"hq", {}', '"office", { name: "Office" }');
    const { items } = await imported([office], { "index.ts": 'import "./labels";', "labels.ts": before }, { front: "native" });
    expect(entriesOf(items, "native").map(({ type }) => type)).toEqual([typeToken("Label")]);
  });
});

describe("import of a record that the program already declares", () => {
  const created = (of: ListedRecord, name: string, inputs: Properties, parent?: string): EngineResource => {
    const type = typeToken(of.of.kind.name);
    return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, inputs, ...(parent !== undefined && { parent }) };
  };
  const of = (...resources: EngineResource[]) => ({ created: new Map(resources.map((resource) => [resource.urn, resource])) });
  const office = label("10", "Office");

  test("import adds no second declaration", async () => {
    const result = await imported(
      [office, label("11", "Branch"), httpTest("20", "Portal", byLabel("10"))],
      {
        "index.ts": 'import "./own";\n',
        "own.ts":
          'import { Label } from "pulumi-endpoint-monitoring";\nexport const hq = new Label("head", { name: "Office", matchType: "or" });\n',
      },
      of(created(office, "head", { name: "Office", matchType: "or" })),
    );
    expect(fates(result)).toEqual(["11 branch new", "10 head declared", "20 portal new"]);
    expect(result.written["labels.ts"]).not.toContain("Office");
    expect(result.written["http-server-tests.ts"]).toContain("endpointAgentLabels: [hq.id]");
  });

  test("import does not give the record's declared name to another record", async () => {
    const result = await imported([office, label("11", "Head")], {}, of(created(office, "head", { name: "Office" })));
    expect(fates(result)).toEqual(["10 head declared", "11 head-11 new"]);
  });

  test("import finds the record's declaration by its values and account group", async () => {
    const twin = record("labels", "12", { name: "Office", matchType: "and", filters: [] });
    const declared = { name: "Office", matchType: "and", filters: [] };
    const result = await imported([office, twin], {}, of(created(twin, "mine", declared)));
    expect(fates(result)).toEqual(["12 mine declared", "10 office-10 new"]);
    const elsewhere = await imported([office], {}, of(created(office, "mine", { name: "Office", accountGroupId: "1002" })));
    expect(fates(elsewhere)).toEqual(["10 office new"]);
  });

  test("import keeps the parent of the resource", async () => {
    const parent = { urn: "urn:pulumi:dev::p::my:Site::berlin", type: "my:Site" };
    const mine = created(office, "head", { name: "Office" }, parent.urn);
    const withParent = (custom: boolean) => of({ ...parent, custom }, mine);
    const { items } = await imported([office], {}, withParent(false));
    const file = JSON.parse(importFileText(entriesOf(items, "native"), withParent(false).created)) as Record<string, unknown>;
    expect(file).toEqual({
      resources: [
        { type: "my:Site", name: parent.urn, logicalName: "berlin", component: true },
        // With the program's class, whatever class new declarations use.
        expect.objectContaining({ type: typeToken("Label"), name: "head", id: "10", parent: parent.urn }),
      ],
    });
    expect(JSON.parse(importFileText(entriesOf(items, "native")))).toMatchObject({ nameTable: { [parent.urn]: parent.urn } });
    const below = await imported([office], {}, withParent(true));
    expect(below.items[0]?.failures).toEqual([
      { path: "", reason: expect.stringContaining("belongs to berlin, which is not in the stack yet") as unknown },
    ]);
  });
});

test("import adds a comment with the record's name after each id", async () => {
  const selected = {
    agentSelectorType: "specific-agents",
    agents: [
      "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1",
      "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e2",
      "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e3",
    ],
  };
  const names: Record<string, string> = {
    "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1": "Ann's laptop",
    "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e2": "x\n*/ y\u2028\u202e",
    "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e4": "another",
  };
  const nameOf = (kindName: string, id: string) => (kindName === "endpointAgent" ? names[id] : undefined);
  const { written } = await imported([httpTest("20", "Portal", selected)], {}, {}, nameOf);
  expect(written["http-server-tests.ts"]).toContain(`    agents: [
      "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", // Ann's laptop
      "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e2", // x\\n*/ y\\u{2028}\\u{202e}
      "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e3",
    ],
`);
});

describe("project with several stacks", () => {
  const files = { "index.ts": "import * as pulumi from '@pulumi/pulumi'\r\nexport const p = pulumi.getProject()\r\n" };

  test.each([
    [false, "require('./labels-dev')"],
    [true, "await import('./labels-dev')"],
  ])("the entry file loads a stack's file only for that stack (ES module: %s)", async (isModule, load) => {
    const place = { onlyFor: "dev", isModule };
    const { raw } = await imported([label("10", "Office")], files, place);
    expect(Object.keys(raw)).toEqual(["labels-dev.ts", "index.ts"]);
    // A project may lack the types of Node.
    const typed = isModule ? "" : "\r\ndeclare const require: (module: string) => unknown\r\n";
    expect(raw["index.ts"]).toBe(`${files["index.ts"]}${typed}\r\nif (pulumi.getStack() === 'dev') {\r\n  ${load}\r\n}\r\n`);
    // In the style of the entry file. The formatter does the rest of the layout.
    expect(raw["labels-dev.ts"]).toBe(
      [
        "import { Label } from 'pulumi-endpoint-monitoring'",
        "",
        "export const office = new Label('office', {",
        "  name: 'Office',",
        "  matchType: 'or',",
        "  filters: [{ key: 'ssid', values: ['corp-*', 'guest'] }],",
        "}, { protect: true })",
        "",
      ].join("\r\n"),
    );
    const again = await imported([label("11", "Lab")], { ...files, ...raw }, place);
    expect(Object.keys(again.raw)).toEqual(["labels-dev.ts"]);
  });
});
