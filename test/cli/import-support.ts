/** Programs that `import` writes for records, formatted with prettier. */
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import ts from "typescript";
import type { Front } from "../../program/front";
import { generate } from "../../program/generate";
import { importedKinds, type ImportedKind } from "../../provider/imported-kinds";
import type { ProgramPlace } from "../../program/program-place";
import { planImport, type ImportContext, type PlannedItem } from "../../cli/commands/import/plan";
import { ExistingProgram } from "../../program/existing-program";
import type { RecordNameOf } from "../../program/record-to-declare";
import type { ListedRecord } from "../../cli/commands/import/plan";
import type { ManagedResource } from "../../engine/state";
import { ProgramSource } from "../../program/program-source";
import type { Properties } from "../../provider/values";
import { inputsOf } from "../../provider/state";
import { removedLines } from "../real/support/checked";

export function record(word: string, id: string, values: Properties): ListedRecord {
  const of = importedKinds.find((kind) => kind.word === word) as ImportedKind;
  const state = { accountGroupId: "1001", ...values };
  const title = values[of.kind.nameProperty];
  return {
    of,
    id,
    title: typeof title === "string" ? title : undefined,
    record: { id, state, inputs: inputsOf(of.kind, state) },
  };
}
export const label = (id: string, name: string): ListedRecord =>
  record("labels", id, { name, matchType: "or", filters: [{ key: "ssid", mode: "in", values: ["corp-*", "guest"] }] });
export const httpTest = (id: string, testName: string, values: Properties = {}): ListedRecord =>
  record("http-server-tests", id, {
    testName,
    url: "https://www.example.com:443/",
    unknownFields: ["password", "targetResponseTime"],
    ...values,
  });
export const byLabel = (...ids: string[]): Properties => ({ agentSelectorType: "agent-labels", endpointAgentLabels: ids });
export const secret = { authType: "basic", username: "probe" };

export interface Result {
  items: readonly PlannedItem[];
  /** Text of every written file by path. New files are formatted with prettier. */
  written: Record<string, string>;
  /** The text before formatting. */
  raw: Record<string, string>;
}

export async function imported(
  listed: ListedRecord[],
  texts: Record<string, string> = {},
  now: Partial<Omit<ImportContext, "program"> & ProgramPlace & { front: Front }> = {},
  nameOf: RecordNameOf = () => undefined,
): Promise<Result> {
  const source = Object.keys(texts).length > 0 ? await ProgramSource.of("/p", texts) : undefined;
  const place: ProgramPlace = {
    root: "/p",
    entry: "index.ts",
    onlyFor: undefined,
    extension: ".ts",
    isModule: false,
    suffix: "",
    source,
    ...now,
  };
  const program = new ExistingProgram(place);
  const items = planImport(listed, {
    home: { settled: undefined, accountGroupId: "1001" },
    managed: [],
    others: [],
    created: new Map(),
    match: [],
    exclude: [],
    secretValues: {},
    configured: {},
    ...now,
    program,
  });
  const front = now.front ?? program.front(false);
  const files = generate(items, { program, managed: now.managed ?? [], front, nameOf });
  for (const { path, text } of files) {
    const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023) as unknown as { parseDiagnostics: unknown[] };
    expect([path, parsed.parseDiagnostics]).toEqual([path, []]);
    // Every existing line is still there.
    expect([path, removedLines(texts[path] ?? "", text)]).toEqual([path, []]);
  }
  // Formatted as by the project's formatter.
  const formatted = files.map(async ({ path, text }) => {
    return [
      path,
      texts[path] !== undefined ? text : await format(text, { parser: "typescript", plugins: [typescript, estree] }),
    ] as const;
  });
  const raw = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  return { items, raw, written: Object.fromEntries(await Promise.all(formatted)) };
}
export const fates = ({ items }: Result): string[] => items.map(({ id, status, name }) => `${id} ${name} ${status}`);
export const managedRecord = (listed: ListedRecord, name: string): ManagedResource =>
  ({ kindName: listed.of.name, kind: listed.of.kind, id: listed.id, name, stack: "dev" }) as ManagedResource;
