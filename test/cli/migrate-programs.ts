import { type Emulator, start } from "../../emulator";
import type { MigrationReport } from "../../cli/commands/migrate/run";
import { MigrationBench } from "./migrate-support";

/** What a file of tests has of an emulator, and of projects beside it, each in a folder of its own. */
export interface Benches {
  /** Starts a project, with the records of what its program declares. */
  of(files: Record<string, string>, protectedNames?: readonly string[]): Promise<MigrationBench>;
  readonly emulator: Emulator;
}

/** Starts an emulator for a file of tests. Each test begins without records, and ends without folders. */
export function useBenches(): Benches {
  let emulator: Emulator;
  const benches: MigrationBench[] = [];
  beforeAll(async () => {
    emulator = await start({ rateLimit: "off", agents: 12 });
  });
  afterAll(() => emulator.close());
  beforeEach(() => emulator.reset());
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.end();
  });
  return {
    async of(files, protectedNames = []) {
      const bench = new MigrationBench(emulator);
      benches.push(bench);
      for (const name of protectedNames) bench.protectedNames.add(name);
      return bench.start(files);
    },
    get emulator() {
      return emulator;
    },
  };
}

export const windows = 'matchType: "and", filters: [{ key: "platform", values: ["windows"] }]';
export const imports = 'import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";\n\n';

export function labelText(variable: string, name = variable): string {
  return `const ${variable} = new Label("${variable}", { name: ${JSON.stringify(name)}, ${windows} });\n`;
}

/** What the review of a step says that the next update does: the operation and the name of each resource. */
export function changesIn({ review }: MigrationReport): string[] {
  const changing = (review?.resources ?? []).filter(({ op }) => op !== "options");
  return changing.map(({ op, name }) => `${op} ${name}`).toSorted();
}

export function testText(name: string, labels: string): string {
  const selector = `agentSelectorType: "agent-labels", endpointAgentLabels: ${labels}`;
  return `new HttpServerTest(${name.startsWith("`") ? name : `"${name}"`}, { testName: "T", url: "https://x.example.com", ${selector} });\n`;
}

/** Names of the agents that a test selects, as the emulator says. */
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

/** Takes every step, each with its update. @returns the programs after each step, and what each update did */
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
    // The next update has nothing to do.
    expect(bench.steps().filter(({ op }) => op !== "same")).toEqual([]);
  }
  const { report } = await bench.migrate();
  expect(report).toMatchObject({ state: "done", left: [] });
  return { programs, updates };
}
