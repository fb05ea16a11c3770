import type { Emulator } from "../../emulator";
import type { MigrationReport } from "../../cli/commands/migrate/run";
import { useEmulator } from "../support/emulator";
import { MigrationBench } from "./migrate-support";

/** An emulator for a test file, and projects that use it. Each project has its own folder. */
export interface Benches {
  /** Starts a project, and creates the records that its program declares. */
  of(files: Record<string, string>, protectedNames?: readonly string[]): Promise<MigrationBench>;
  readonly emulator: Emulator;
}

/** Starts an emulator for a test file. Deletes records before each test and folders after it. */
export function useBenches(): Benches {
  const service = useEmulator({ agents: 12 });
  const benches: MigrationBench[] = [];
  beforeEach(() => service.reset());
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.end();
  });
  return {
    async of(files, protectedNames = []) {
      const bench = new MigrationBench(service.emulator);
      benches.push(bench);
      for (const name of protectedNames) bench.protectedNames.add(name);
      return bench.start(files);
    },
    get emulator() {
      return service.emulator;
    },
  };
}

export const windows = 'matchType: "and", filters: [{ key: "platform", values: ["windows"] }]';
export const imports = 'import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";\n\n';

export function labelText(variable: string, name = variable): string {
  return `const ${variable} = new Label("${variable}", { name: ${JSON.stringify(name)}, ${windows} });\n`;
}

/** The announced changes of a step: operation and name of each resource. */
export function changesIn({ review }: MigrationReport): string[] {
  const changing = (review?.resources ?? []).filter(({ op }) => op !== "options");
  return changing.map(({ op, name }) => `${op} ${name}`).toSorted();
}

export function testText(name: string, labels: string): string {
  const selector = `agentSelectorType: "agent-labels", endpointAgentLabels: ${labels}`;
  return `new HttpServerTest(${name.startsWith("`") ? name : `"${name}"`}, { testName: "T", url: "https://x.example.com", ${selector} });\n`;
}

/** Names of the agents that a test selects, according to the emulator. */
export async function agentsOf(bench: MigrationBench): Promise<string[]> {
  const tests = [...bench.state.values()].filter(({ type }) => type.endsWith("Test"));
  const lists = tests
    .toSorted((a, b) => (a.urn < b.urn ? -1 : 1))
    .map(async ({ id }) => {
      const answer = await fetch(`${bench.emulator.url}/_emulator/tests/${id}/agents`);
      const { agents } = (await answer.json()) as { agents: { name: string }[] };
      return agents.map(({ name }) => name).join(", ");
    });
  return Promise.all(lists);
}

/** Runs every step with its update. @returns the programs after each step, and the changes to each update */
export async function throughAll(bench: MigrationBench): Promise<{ programs: Record<string, string>[]; updates: string[][] }> {
  const programs: Record<string, string>[] = [];
  const updates: string[][] = [];
  for (const step of ["tags", "tests", "labels"]) {
    const { code, report, stderr } = await bench.migrate("--key", "team");
    expect({ code, left: report?.left, stderr: report ? "" : stderr, step: report?.step }).toEqual({
      code: 0,
      left: [],
      stderr: "",
      step,
    });
    programs.push(bench.files);
    updates.push(await bench.up());
    // A further update changes nothing.
    expect(bench.steps().filter(({ op }) => op !== "same")).toEqual([]);
  }
  const { report } = await bench.migrate();
  expect(report).toMatchObject({ state: "done", left: [] });
  return { programs, updates };
}
