/** Delays the service's reads on the real engine. No record may be lost, duplicated or left behind. */
import { vary } from "../support/variations/start";
import { lines, report } from "./support/drift";
import { frontsWithinTime, Stack } from "./support/stack";

const lagSeconds = 12;
const readLag = "30";

const label = { kind: "Label", args: { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] } };
const testOf = (server: string) => ({
  kind: "AgentToServerTest",
  args: { testName: "Gateway", server, agentSelectorType: "all-agents" },
});

describe.each(frontsWithinTime)("delayed reads with %s resources", (front) => {
  it("commands lose no record while the service's reads lag behind its writes", async () => {
    const stack = await Stack.startWith(front, { agents: 0, as: [`lag=${lagSeconds}s`] });
    try {
      stack.environment["ENDPOINT_MONITORING_READ_LAG"] = readLag;
      stack.declare({ office: label, gateway: testOf("vpn.example.com") });
      const records = async (): Promise<string[]> =>
        [...(await stack.ids("labels")), ...(await stack.ids("agent-to-server-tests"))].toSorted();
      const ids = (): string[] =>
        stack
          .resources()
          .map(({ id }) => id)
          .toSorted();
      await stack.up();
      const before = ids();
      expect(before).toHaveLength(2);
      const { text } = await stack.must("refresh", "--yes");
      for (const id of before)
        expect(text).toContain(`(${id}): the service does not show the record, but the stack wrote the record`);
      expect(ids()).toEqual(before);
      const drift = report(await stack.cli("drift", "--json", "--no-unmanaged"));
      expect([lines(drift), drift.stacks[0]?.recent?.map(({ id }) => id).toSorted()]).toEqual([[], before]);
      expect((await stack.inTypeScript(() => stack.cli("import", "--dry-run"))).code).toBe(0);
      stack.declare({ office: label, gateway: testOf("vpn2.example.com") });
      await stack.up();
      expect(await records()).toEqual(ids());
      expect(ids()).toHaveLength(2);
      const gateway = stack.state()["gateway"];
      await stack.up("--replace", gateway?.urn ?? "");
      expect(await records()).toEqual(ids());
      expect(ids()).not.toContain(gateway?.id);
      // The service shows all writes.
      vary(stack.emulator);
      expect(await stack.refresh()).toEqual({ same: 2 });
      await stack.up();
      await stack.destroy();
      expect([await records(), ids()]).toEqual([[], []]);
    } finally {
      await stack.end();
    }
  });
});
