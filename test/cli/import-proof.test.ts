/** What the preview after an import has to say against it, and what an engine that fails leaves behind. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { problemsIn } from "../../cli/import/proof";
import type { PlannedItem } from "../../cli/import/plan";
import { placeOf } from "../../cli/import/place";
import { Program } from "../../cli/import/program";
import { importedKinds, type ImportedKind } from "../../cli/kinds";
import type { Properties } from "../../provider/values";
import { typeToken } from "../../sdk/token";
import type { EngineStep } from "../../cli/engine/preview-output";

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), "import-proof-")))));
afterEach(() => rmSync(folder, { recursive: true }));

const labels = importedKinds.find(({ word }) => word === "labels") as ImportedKind;
const item = (id: string, title: string, name: string): PlannedItem => ({
  of: labels,
  id,
  title,
  name,
  status: "new",
  path: "labels.ts",
  keys: {},
  found: { id, state: { name: title, accountGroupId: "1001" }, inputs: {} },
});
const step = (op: string, name: string, id: string, before?: Properties, after?: Properties): EngineStep => {
  const type = typeToken("Label");
  const urn = `urn:pulumi:dev::test::${type}::${name}`;
  return {
    op,
    urn,
    ...(before && { oldState: { urn, type, id, inputs: before, outputs: before } }),
    ...(after && { newState: { urn, type, inputs: after } }),
  };
};
const declared = ["office", "branch", "depot", "garage"].map((name) => `new Label("${name}", {});\n`).join("");
const labelsFile = `import { Label } from "pulumi-endpoint-monitoring";\n${declared}`;

async function program(files: Record<string, string>): Promise<Program> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return new Program(await placeOf({ folder }, undefined, folder));
}
const items = ["Office", "Branch", "Depot", "Garage"].map((title, i) => item(`1${i}`, title, title.toLowerCase()));
const deletes = items.map(({ name, id }) => step("delete", name, id, {}));

test("reports a file that the program does not load once, with advice", async () => {
  const said = problemsIn(deletes, items, await program({ "index.ts": "", "labels.ts": labelsFile }));
  expect(said).toEqual([
    'labels.ts is not loaded by the program, which starts with index.ts: the next update would delete 4 resources: label "Office" (10), ' +
      'label "Branch" (11), label "Depot" (12) and 1 more. Before that, add import "./labels" to index.ts',
  ]);
});

test("a file that is loaded for nothing, and no file at all", async () => {
  const loaded = await program({ "index.ts": 'if (false) require("./labels");\n', "labels.ts": labelsFile });
  expect(problemsIn(deletes.slice(0, 1), items, loaded)).toEqual([
    'labels.ts declares what the program, as the engine runs it, does not: the next update would delete 1 resource: label "Office" (10)',
  ]);
  rmSync(join(folder, "labels.ts"));
  expect(problemsIn(deletes.slice(0, 1), items, await program({}))).toEqual([
    'The program, which starts with index.ts, does not declare what is imported: the next update would delete 1 resource: label "Office" (10)',
  ]);
});

test("reports resources that are declared twice, or otherwise", async () => {
  const steps = [
    step("create", "mine", "", undefined, { name: "Office" }),
    step("create", "unrelated", "", undefined, { name: "Somewhere" }),
    step("update", "branch", "11", { name: "Branch", matchType: "and" }, { name: "Branch", matchType: "or" }),
    step("delete", "foreign", "99", { name: "Foreign" }),
  ];
  expect(problemsIn(steps, items, await program({ "index.ts": 'import "./labels";\n', "labels.ts": labelsFile }))).toEqual([
    expect.stringMatching(
      /^label "Office" \(10\) is declared twice: as "office" in labels\.ts, and as "mine", which the next update would try to create\. Remove one/,
    ),
    'label "Branch" (11) is declared otherwise than the service has it, so the next update would update it (matchType): correct the ' +
      "program, or have the next update change the record",
  ]);
});
