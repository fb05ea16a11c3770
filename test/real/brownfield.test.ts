/**
 * Imports a service that was configured in the UI. The declared program matches the records, so the engine has nothing to do.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importedKinds } from "../../provider/imported-kinds";
import { amount } from "../support/amount";
import { compilerSays, removedLines, sourcesIn } from "./support/checked";
import { create, oneListAKind, otherKinds, seed, type Fleet } from "./support/fleet";
import { Stack, type StateResource } from "./support/stack";

/** Number of records, in addition to those for each value or pair of values. */
const wanted = { labels: amount(40, 200), more: amount(4, 25) };

let stack: Stack;
let fleet: Fleet;

beforeAll(async () => {
  stack = await Stack.start({ agents: amount(20, 50) }, "typescript");
  stack.writeStateOnce();
  fleet = await seed(stack, wanted);
  await stack.requests();
});
afterAll(() => stack.end());

interface Data {
  kinds: Record<string, Record<string, number>>;
  resources: { kind: string; id: string; name: string; variable: string }[];
  inexpressible: unknown[];
  imported: number;
  files: { path: string; isNew: boolean; declarations: number }[];
  importFile?: string;
  problems?: string[];
  next: string[];
}

async function imported(...args: string[]): Promise<Data> {
  const run = await stack.cli("import", "--json", ...args);
  if (run.code !== 0) throw new Error(run.text);
  return (JSON.parse(run.stdout) as { data: Data }).data;
}

/** Our resources in the engine's state, in order of their names. */
function managed(): StateResource[] {
  return stack.resources().toSorted((a, b) => (a.urn < b.urn ? -1 : 1));
}

/** Result of an engine operation without changes. */
const nothingToDo = { code: 0, text: expect.stringMatching(/\d+ unchanged/) as unknown };

test("an import of existing records sends only list requests", async () => {
  const total = fleet.labels.length + Object.values(fleet.others).flat().length + fleet.agents.length;
  expect(fleet.labels).toHaveLength(wanted.labels);
  expect(Object.keys(fleet.others).toSorted()).toEqual([...otherKinds].toSorted());

  const data = await imported("--agents", "--run");
  expect(data.inexpressible).toEqual([]);
  expect(data.imported).toBe(total);
  // The import previewed the program successfully. It only leaves passwords, which the service does not return.
  expect(data.problems).toEqual([]);
  for (const command of data.next) expect(command).toMatch(/^pulumi config set --secret \S+Password\S* --stack dev$/);
  expect(await stack.requests()).toEqual({
    ...oneListAKind,
    "agents.list": 1,
  });
  // The state now contains its contents.
  expect(existsSync(join(stack.folder, "import.dev.json"))).toBe(false);
});

test("the state contains each imported record as a protected resource", async () => {
  const ids = [...fleet.labels, ...Object.values(fleet.others).flat(), ...fleet.agents];
  expect(
    managed()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(ids.toSorted());
  expect(managed().filter(({ protect }) => protect !== true)).toEqual([]);
  expect(await stack.run("refresh", "--preview-only", "--expect-no-changes")).toMatchObject(nothingToDo);
  await stack.requests();
});

test("import writes one file for each resource type", () => {
  expect(Object.keys(sourcesIn(stack.folder)).toSorted()).toEqual(
    [...importedKinds.map(({ word }) => `${word}.ts`), "index.ts"].toSorted(),
  );
});

test("an update after the import changes neither the service nor the state", async () => {
  const lasting = () => managed().map(({ urn, id, protect, inputs, outputs }) => ({ urn, id, protect, inputs, outputs }));
  const before = lasting();
  expect(await stack.up()).toEqual({ same: before.length });
  expect(await stack.requests()).toEqual({});
  for (const [i, resource] of lasting().entries()) expect(resource).toEqual(before[i]);
});

test("a second import finds no new records", async () => {
  const files = sourcesIn(stack.folder);
  const data = await imported("--agents", "--run");
  expect([data.resources, data.files, data.next, data.imported]).toEqual([[], [], [], 0]);
  expect(data.kinds["labels"]).toMatchObject({ listed: wanted.labels, managed: wanted.labels, new: 0 });
  expect(sourcesIn(stack.folder)).toEqual(files);
  expect(existsSync(join(stack.folder, "import.dev.json"))).toBe(false);
});

test("a later import keeps the user's edits", async () => {
  const edit = (file: string, change: (text: string) => string): void => {
    const path = join(stack.folder, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };
  // A user renames a constant, writes comments, reformats, and moves a declaration to another file.
  const [, variable = "", name = ""] =
    /export const (vpnGateway\w*) = new Label\(\s*"([^"]+)"/.exec(sourcesIn(stack.folder)["labels.ts"] ?? "") ?? [];
  for (const { word } of importedKinds) edit(`${word}.ts`, (text) => text.replaceAll(variable, "gateways"));
  edit(
    "labels.ts",
    (text) =>
      `// Labels of the whole company.\n${text.replace(/\{ protect: true \},\n\);/, "{ protect: true }, ); // the first")}`,
  );
  edit("http-server-tests.ts", (text) => text.replaceAll("\n\nexport", "\n\n\nexport").trimEnd());
  edit("index.ts", (text) => `${text}\nexport const greeting = 'hello';\n`);
  const edited = sourcesIn(stack.folder);

  const renamed = managed().find(({ urn }) => urn.endsWith(`:Label::${name}`))?.id ?? "";
  const [label = ""] = await create(stack, "label", [{ name: "Brand new", matchType: "and", filters: [] }]);
  const bodies = [
    {
      testName: "Brand new",
      url: "https://new.example.com",
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [label, renamed],
    },
    { testName: "Office", url: "https://another.example.com", authType: "basic", username: "u", password: "p" },
  ];
  const tests = await create(stack, "httpServerTest", bodies);
  await stack.requests();

  const data = await imported("--agents", "--run");
  expect(data.resources.map(({ id }) => id).toSorted()).toEqual([label, ...tests].toSorted());
  expect(data.imported).toBe(3);
  const after = sourcesIn(stack.folder);
  for (const [file, text] of Object.entries(edited)) expect([file, removedLines(text, after[file] ?? "")]).toEqual([file, []]);
  expect(Object.keys(after).filter((file) => after[file] !== edited[file])).toEqual(["http-server-tests.ts", "labels.ts"]);
  expect(after["http-server-tests.ts"]).toContain("endpointAgentLabels: [brandNew.id, gateways.id]");
  // The import previewed it.
  expect(data.problems).toEqual([]);
  // Checks the code of both imports, strictly and without unused declarations.
  expect(compilerSays(stack.folder)).toBe("");
});

test("`drift` reports no drift directly after the imports", async () => {
  expect(await stack.cli("drift")).toMatchObject({ code: 0 });
});
