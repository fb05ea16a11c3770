import { setTimeout as sleep } from "node:timers/promises";
import { Stack } from "../real/support/stack";
import { processes, providerOf, until } from "./support/processes";

const program = {
  office: { kind: "Label", args: { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] } },
  gateway: { kind: "AgentToServerTest", args: { testName: "Gateway", server: "vpn.example.com", isEnabled: false } },
};

describe.each(["engine", "provider"] as const)("recovery after SIGKILL of the %s during creates", (victim) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.start();
    stack.declare(program);
  });
  afterEach(() => stack.end());

  it("a refresh and a second update create no duplicate records", async () => {
    // The service is slow, and stores the record although no client waits for the response.
    for (const operation of ["labels.create", "tests.agentToServer.create"]) {
      const body = JSON.stringify({ operation, kind: "latency", ms: 1_500, n: 1 });
      await fetch(`${stack.emulator.url}/_emulator/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    }
    const up = stack.start("up", "--yes", "--skip-preview");
    // Both lists precede both creates.
    await until(
      "the creates to begin",
      () => Object.keys(stack.emulator.requests()).filter((name) => name.endsWith(".list")).length >= 3,
    );
    await sleep(200);
    const provider = providerOf(up.pid);
    if (!provider) throw new Error("no provider process found");
    if (victim === "engine") up.kill();
    else process.kill(provider.pid, "SIGKILL");
    expect((await up.ended).code).not.toBe(0);
    await until("the provider to end", () => !processes().some(({ pid }) => pid === provider.pid));
    await until("the service to have stored", async () => (await stack.ids("agent-to-server-tests")).length === 1);

    if (victim === "engine") await stack.must("cancel", "--yes");
    await stack.must("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    // A second update reports existing records, and duplicates nothing.
    const second = await stack.run("up", "--yes", "--skip-preview");
    expect(second.code).not.toBe(0);
    expect(second.text).toContain("An identical record exists already");
    expect(second.text).toContain("pulumi config set endpoint-monitoring:adopt identical");

    stack.configure({ adopt: "identical" });
    await stack.up();
    for (const [name, collection] of [
      ["office", "labels"],
      ["gateway", "agent-to-server-tests"],
    ] as const) {
      expect(await stack.ids(collection)).toEqual([stack.state()[name]?.id]);
    }
    const [gateway = ""] = await stack.ids("agent-to-server-tests");
    expect(await stack.stored("agent-to-server-tests", gateway)).toMatchObject({ isEnabled: false });
    expect(await stack.up()).toEqual({ same: 2 });
  });
});
