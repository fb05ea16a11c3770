/**
 * Tests conditions of real networks, machines and accounts: broken connections, a changed clock, and an account group without
 * access.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "../support/amount";
import { Authority, Proxy, type Fault, type Tunnel } from "../support/proxy";
import { RefusingFront } from "../support/refusing-front";
import { lines, report, until } from "./support/drift";
import { type Front, fronts, type Program, Stack } from "./support/stack";

/** Returns each value with a front: with another one each by default, because both send requests with the same code. */
const withEachFront = <T>(values: readonly T[]): [Front, T][] =>
  fronts.flatMap((front, frontAt) =>
    values.filter((_, at) => isLong || at === frontAt).map((value): [Front, T] => [front, value]),
  );

const host = "service.invalid";
const labels = (count: number): Program =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `l${i}`,
      { kind: "Label", args: { name: `L ${i}`, matchType: "and", filters: [] } },
    ]),
  );

describe("connections that break before a request is sent", () => {
  let authority: Authority;
  beforeAll(() => (authority = Authority.make(host)));
  afterAll(() => authority.remove());

  test.each(withEachFront<Fault>(["tunnel reset", "tunnel page"]))(
    "an update of %s resources creates each record once despite connection failures: %s",
    async (front, fault) => {
      const stack = await Stack.startWith(front, { agents: 0, allowHosts: [host] });
      const opened: Tunnel[] = [];
      try {
        const tls = await authority.terminateAfter(1, "reset", Number(new URL(stack.emulator.url).port));
        const proxy = await new Proxy({ hosts: { [`${host}:443`]: tls.port }, refuses: fault, every: 3 }).start();
        opened.push(proxy, tls);
        stack.configure({ baseUrl: `https://${host}` });
        Object.assign(stack.environment, { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority.file });
        stack.declare(labels(8));
        expect(await stack.up()).toEqual({ create: 9 });
        // Each create was sent once, and its outcome was always known.
        expect(stack.emulator.requests()["labels.create"]).toBe(8);
        expect(proxy.log.filter((line) => line.endsWith(fault)).length).toBeGreaterThanOrEqual(2);
        expect(stack.output).not.toContain("may have created");
      } finally {
        for (const tunnel of opened) await tunnel.close();
        await stack.end();
      }
    },
  );
});

/** Creates a stack of three labels. Its provider's clock changes once a file exists. */
async function clockStack(front: Front, hours: number): Promise<Stack> {
  const stack = await Stack.startWith(front, { agents: 0 });
  stack.declare(labels(3));
  const preload = ["clock-step.cjs", "lazy-closures.cjs"].map((file) => `--require=${join(__dirname, "support", file)}`);
  Object.assign(stack.environment, {
    TEST_CLOCK_FILE: join(stack.folder, "clock-is-set"),
    TEST_CLOCK_STEP: String(hours * 3_600_000),
    NODE_OPTIONS: preload.join(" "),
  });
  return stack;
}

test.each(withEachFront([-1, 1]))(
  "a retry with %s resources waits the full time although the system clock changes by %i h",
  async (front, hours) => {
    const stack = await clockStack(front, hours);
    try {
      const busy = { kind: "status", status: 429, n: 3, headers: { "retry-after": "3" } } as const;
      stack.emulator.fault({ operation: "labels.create", ...busy });
      const running = stack.up();
      await until("a 429", () => (stack.emulator.requests()["labels.create"] ?? 0) > 0);
      writeFileSync(stack.environment["TEST_CLOCK_FILE"] ?? "", "");
      expect(await running).toEqual({ create: 4 });
      expect(await stack.ids("labels")).toHaveLength(3);
    } finally {
      await stack.end();
    }
  },
);

// The engine passes a cancellation only to plugins, and its host of dynamic providers ignores it.
test("SIGTERM ends an update during the wait before a retry", async () => {
  const stack = await clockStack("native", -1);
  try {
    const busy = { kind: "status", status: 429, n: 100, headers: { "retry-after": "200" } } as const;
    stack.emulator.fault({ operation: "labels.create", ...busy });
    const running = stack.start("up", "--yes", "--skip-preview");
    await until("a 429", () => (stack.emulator.requests()["labels.create"] ?? 0) > 0);
    writeFileSync(stack.environment["TEST_CLOCK_FILE"] ?? "", "");
    running.kill("SIGTERM");
    const { code } = await running.ended;
    expect(code).not.toBe(0);
    // The update ended during the wait, so no create was repeated.
    expect(stack.emulator.requests()["labels.create"]).toBeLessThanOrEqual(3);
    expect(await stack.ids("labels")).toEqual([]);
    stack.emulator.clearFaults();
    await stack.run("cancel", "--yes");
    await stack.must("refresh", "--yes", "--clear-pending-creates");
    expect(await stack.up()).toMatchObject({ create: 3 });
  } finally {
    await stack.end();
  }
});

describe("an account group that rejects every request", () => {
  const imports = 'import { Label } from "pulumi-endpoint-monitoring/native";\n\n';
  const declared = (name: string, rest: string): string =>
    `new Label("${name}", { name: "${name}", matchType: "and", ${rest}filters: [{ key: "platform", values: ["Mac"] }] });\n`;
  const program = `${imports}${declared("near", "")}${declared("far", 'accountGroupId: "1002", ')}`;
  let stack: Stack;
  let front: RefusingFront;
  const ids: Record<string, string> = {};
  const change = (name: "near" | "far", color: string): Promise<void> =>
    stack.change("label", ids[name] ?? "", { color }, name === "far" ? "?aid=1002" : "");
  const colors = async (): Promise<unknown[]> =>
    Promise.all(["near", "far"].map(async (name) => (await stack.stored("labels", ids[name] ?? ""))["color"]));

  beforeAll(async () => {
    stack = await Stack.start({ agents: 0 }, "typescript");
    stack.take("native");
    front = await RefusingFront.start(stack.emulator.url);
    stack.configure({ baseUrl: front.url });
    writeFileSync(join(stack.folder, "index.ts"), program);
    await stack.up();
    for (const { name, id } of stack.resources()) ids[name] = id;
    await change("near", "#123456");
    await change("far", "#123456");
    front.refused.add("1002");
  });
  afterAll(async () => {
    front.close();
    await stack.end();
  });

  test("drift reports unreadable resources and the drift of other account groups", async () => {
    const run = await stack.cli("drift", "--json", "--no-unmanaged");
    const { stacks, failures } = report(run);
    expect([run.code, lines(report(run))]).toEqual([1, ["dev ~ near color"]]);
    expect(stacks[0]?.unread).toMatchObject([{ accountGroupId: "1002", resources: [{ name: "far" }] }]);
    expect(failures.join("\n")).toMatch(/account group 1002.*403/);
  });

  test("drift --accept accepts the drift of the other account groups", async () => {
    await change("near", "#654321");
    const { code } = await stack.cli("drift", "--accept", "--no-unmanaged");
    expect(code).toBe(1);
    const text = readFileSync(join(stack.folder, "index.ts"), "utf8");
    expect(text).toBe(program.replace('["Mac"] }] });', '["Mac"] }], color: "#654321" });'));
    expect(await colors()).toEqual(["#654321", "#123456"]);
  });
});
