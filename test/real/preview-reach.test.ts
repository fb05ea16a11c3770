/** Previews report the affected agents with both provider types. provider/reach/preview tests the counts without an engine. */
import { frontsWithinTime, Stack } from "./support/stack";

const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
const changed = { ...office, filters: [{ key: "platform", values: ["Windows"] }] };
const gateway = { testName: "Gateway", server: "vpn.example.com" };
const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "office" }] };

describe.each(frontsWithinTime)("previews of %s resources", (front) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 80 });
    delete stack.environment["ENDPOINT_MONITORING_PREVIEW_REACH"];
    stack.declare({
      office: { kind: "Label", args: office },
      gateway: { kind: "AgentToServerTest", args: { ...gateway, ...byLabel } },
    });
    await stack.up();
    await stack.requests();
  });
  afterAll(() => stack.end());

  /**
   * Repeats a preview until it has all its lines. On a busy machine, a preview omits lines that take longer than a second.
   */
  async function shownInTime(lines: number, ...command: string[]): ReturnType<typeof shown> {
    for (let more = 4; more > 0; more -= 1) {
      const preview = await shown(...command);
      if (preview.lines.length >= lines) return preview;
    }
    return shown(...command);
  }

  /** Returns the printed lines about affected agents without the engine's prefixes, and the number of list requests. */
  async function shown(...command: string[]): Promise<{ lines: string[]; stdout: string; requests: number }> {
    const { stdout } = await stack.must(...command);
    // The look-up of references to a replaced test also lists rules and streams.
    const { "alertRules.list": _rules, "streams.list": _streams, ...asked } = await stack.requests();
    const requests = Object.values(asked).reduce((sum, count) => sum + count, 0);
    const lines = stdout.split("\n").flatMap((line) => /(?:^\s*|: )(agents \d.*)$/.exec(line)?.[1] ?? []);
    // The engine prints a process's output immediately, and again in the diagnostics.
    return { lines: [...new Set(lines)], stdout, requests };
  }

  it("a preview reports the agents of an updated, a replaced and a new resource", async () => {
    stack.declare({
      office: { kind: "Label", args: changed },
      gateway: { kind: "AgentToServerTest", args: { ...gateway, maxMachines: 60 } },
      other: { kind: "Label", args: { ...office, name: "Other" } },
    });
    const { lines, stdout, requests } = await shownInTime(3, "preview");
    expect(requests).toBeLessThanOrEqual(8);
    expect(lines).toHaveLength(3);
    expect(lines).toContainEqual(expect.stringMatching(/^agents \d+ -> \d+ \(\d+ seen within the hour; \+\d+\)$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^agents \d+ -> \d+ \(\d+ seen within the hour; \+\d+, -\d+\); 1 test uses this label$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^agents \d+ \(\d+ seen within the hour\)$/));
    expect(stdout).toMatch(
      front === "native" ? /endpoint-monitoring:index:Label \(office\):\n\s+agents \d/ : /label "Office" \(\d+\): agents \d/,
    );
    expect(stdout).toMatch(
      front === "native"
        ? /\(gateway\):\n\s+replaced because .*maxMachines 25 -> 60.*\n\s+agents \d+ -> \d+/
        : /replace agent-to-server test "Gateway" \(\d+\): .*maxMachines 25 -> 60/,
    );
  });

  it("only previews report the affected agents", async () => {
    const steps = await stack.preview();
    expect(steps).toHaveLength(3);
    for (const { newState } of steps) expect(Object.keys(newState?.inputs ?? {})).not.toContain("__preview");
    expect((await shown("refresh", "--yes")).lines).toEqual([]);
    expect((await shown("up", "--yes", "--skip-preview")).lines).toEqual([]);
    const { stdout: state } = await stack.must("stack", "export");
    expect(state).not.toContain("__preview");
  });
});
