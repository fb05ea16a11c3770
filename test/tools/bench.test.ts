/** Tests the arithmetic, the baselines and the page of the benchmarks. No test depends on a measured value. */
import { compileFunction } from "node:vm";
import type { dynamic } from "@pulumi/pulumi";
import { start } from "../../emulator";
import { inTurns, medianOf, ratioText, spreadText, timed } from "../../tools/bench/measure";
import { sectionText, withSection } from "../../tools/bench/page";
import { followMemory } from "../../tools/bench/processes";
import { programOf, type Subject } from "../../tools/bench/project";
import { textOf } from "../../tools/bench/provider-process";
import { rows } from "../../tools/bench/rows";

test("the benchmark reports the median of repeated measurements", () => {
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  expect(() => medianOf([])).toThrow("no median");
  expect(spreadText([0.5, 0.9, 0.7])).toBe("0.70 (0.50–0.90)");
  expect(spreadText([12.34], 1)).toBe("12.3");
});

test("the benchmark calculates each ratio from the two measurements of a pair", () => {
  expect(ratioText([1, 6], [2, 4])).toBe("1.00 (0.50–1.50)");
  for (const [measured, base] of [
    [[1], [0]],
    [[1, 2], [1]],
  ] as const) {
    expect(() => ratioText(measured, base)).toThrow("are not pairs");
  }
});

test("the benchmark alternates the order of the two measurements in a pair", async () => {
  const reported: string[] = [];
  const order = { pairs: 3, progress: (text: string) => void reported.push(text) };
  expect(await inTurns(order, ["a", "b"], async (name) => name.toUpperCase())).toEqual({
    a: ["A", "A", "A"],
    b: ["B", "B", "B"],
  });
  expect(reported).toEqual(["a, 1 of 3", "b, 1 of 3", "b, 2 of 3", "a, 2 of 3", "a, 3 of 3", "b, 3 of 3"]);
});

test("the measured CPU time includes child processes", async () => {
  const busy = "const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);";
  const child = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`;
  expect((await timed(process.execPath, ["-e", child])).cpu).toBeGreaterThan(0.2);
  await expect(timed(process.execPath, ["-e", 'console.log("no room"); process.exit(3)'])).rejects.toThrow(
    /exited with code 3:\nno room/,
  );
  await expect(timed(process.execPath, ["-e", "process.exit(2)"], { codes: [0, 2] })).resolves.toBeDefined();
});

test("the measured memory includes child processes", async () => {
  const node = (megabytes: number, next = ""): string => `const held = Buffer.alloc(${megabytes}_000_000, 1); ${next}`;
  const inner = node(100, "setTimeout(() => held, 300);");
  const outer = node(100, `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(inner)}]);`);
  let end = (): number => 0;
  await timed(process.execPath, ["-e", outer], { started: (pid) => void (end = followMemory(pid)) });
  const memory = end();
  expect(memory).toBeGreaterThan(250);
  expect(memory).toBeLessThan(1_000);
});

test("each of the six benchmarks states whether its results are ratios", () => {
  const names = rows.map(({ name }) => name);
  expect(names).toEqual(["engine-300", "engine-1000", "growth", "commands", "start-up", "emulator"]);
  for (const { about } of rows) expect(about).toMatch(/^Each ratio .+\.$|^The table shows figures, not ratios\. .+\.$/);
});

test("all compared providers run the same program", () => {
  const programs = (["least", "handwritten", "dynamic", "native"] as Subject[]).map((subject) =>
    programOf(subject, 300).split("\n"),
  );
  expect(new Set(programs.map(([first]) => first)).size).toBe(4);
  expect(new Set(programs.map(([, ...lines]) => lines.join("\n"))).size).toBe(1);
  expect(programs[0]?.join()).toContain("endpointAgentLabels: [label.id]");
});

test("new results replace the benchmark's previous section on the results page", () => {
  const section = (title: string, figure: string) => ({
    row: { title, about: "Each ratio is a test." },
    pairs: 2,
    conditions: "a day",
    table: { head: ["What", "Ratio"], rows: [["preview", figure]] },
  });
  const page = ["# Title", "By hand.", sectionText(section("a", "1")), sectionText(section("b", "2"))].join("\n\n");
  const again = withSection(page, section("a", "3"));
  expect(again).toBe(
    `# Title\n\nBy hand.\n\n## a\n\nEach ratio is a test. The figures come from 2 rounds on a day.\n\n| What | Ratio |\n| --- | --- |\n| preview | 3 |\n\n${sectionText(section("b", "2"))}`,
  );
  expect(withSection(again, section("c", "4"))).toBe(`${again}\n${sectionText(section("c", "4"))}`);
});

describe("the handwritten provider", () => {
  const loaded = async (className: "Label" | "AgentToServerTest"): Promise<Required<dynamic.ResourceProvider>> => {
    const module = { exports: {} as { handler?: () => Required<dynamic.ResourceProvider> } };
    compileFunction(await textOf("handwritten", className), ["exports", "process"])(module.exports, process);
    return module.exports.handler?.() as Required<dynamic.ResourceProvider>;
  };

  test("the handwritten provider creates, reads, updates and deletes records", async () => {
    const emulator = await start({ rateLimit: "off", agents: 0 });
    process.env["ENDPOINT_MONITORING_BASE_URL"] = emulator.url;
    process.env["ENDPOINT_MONITORING_TOKEN"] = "emulator-token";
    try {
      const [labels, tests] = [await loaded("Label"), await loaded("AgentToServerTest")];
      const label = await labels.create({ name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["a*"] }] });
      const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] };
      const inputs = { testName: "VPN", server: "vpn.example.com", ...selection };
      expect((await tests.check({}, { ...inputs, server: "" })).failures).toHaveLength(1);
      const { id, outs = {} } = await tests.create(inputs);
      expect(outs).toMatchObject({ ...inputs, interval: 60, protocol: "icmp", isEnabled: true, testId: id });
      const changed = { ...inputs, interval: 300 };
      expect((await tests.diff(id, outs, inputs)).changes).toBe(false);
      expect((await tests.diff(id, outs, changed)).changes).toBe(true);
      const updated = await tests.update(id, outs, changed);
      expect((await tests.read(id, updated.outs)).props).toMatchObject({ interval: 300 });
      await tests.delete(id, updated.outs);
      await expect(tests.read(id, updated.outs)).rejects.toThrow("404");
    } finally {
      delete process.env["ENDPOINT_MONITORING_BASE_URL"];
      delete process.env["ENDPOINT_MONITORING_TOKEN"];
      await emulator.close();
    }
  });
});
