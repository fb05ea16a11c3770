import { vary } from "../support/variations/start";
/** A service that returns values in another form than requested, on the real engine and with both provider types. */
import { join } from "node:path";
import { frontsWithinTime, type Program, Stack } from "./support/stack";

const login = { url: "https://portal.example.com/", authType: "basic", password: "pass-w0rd" };
const program: Program = {
  network: { kind: "AgentToServerTest", args: { testName: "VPN", server: "vpn.example.com", interval: 60 } },
  http: { kind: "HttpServerTest", args: { ...login, testName: "Portal", username: "probe" } },
  hidden: { kind: "HttpServerTest", args: { ...login, testName: "Hidden", username: { $secret: "user" } } },
};

describe.each(frontsWithinTime)("values that the service changes in %s resources", (front) => {
  let stack: Stack;
  const ids = (): (string | undefined)[] => Object.keys(program).map((name) => stack.state()[name]?.id);

  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 5 });
    await stack.secret("user", "account-of-a-user");
    stack.declare(program);
  });
  afterAll(() => stack.end());

  test("the first update fails and reports the sent value and the returned value", async () => {
    vary(stack.emulator, "effective-agents", "masked-username", "least-interval");
    const first = await stack.run("up", "--yes", "--skip-preview");
    expect(first.code).not.toBe(0);
    expect(first.text).toContain("maxMachines: sent 25, but the service returned 3");
    expect(first.text).not.toContain("account-of-a-user");
    const created = ids();
    expect(created).not.toContain(undefined);
    await stack.up();
    for (const args of [[], ["--refresh"], [], ["--refresh"]]) {
      expect(await stack.preview()).toEqual([]);
      expect(await stack.up(...args)).toEqual({ same: 3 });
      expect(ids()).toEqual(created);
    }
    const { http, hidden } = stack.state();
    expect(http?.outputs?.["__reshaped"]).toMatchObject({ username: { returned: "p***", confirmed: true } });
    expect(JSON.stringify(hidden?.outputs?.["__reshaped"])).toContain("ciphertext");
    expect(JSON.stringify(hidden?.outputs?.["__reshaped"])).not.toContain("a***");
    expect((await stack.cli("review", "--fail-on", "any")).code).toBe(0);
    expect(await stack.run("preview")).toMatchObject({ text: expect.stringContaining("the service changes it to 120") });
  });

  test("an update fails if the service returns a value that no program can declare", async () => {
    const before = ids();
    vary(stack.emulator, "effective-agents", "masked-username", "least-interval", "selector-in-capitals");
    await stack.refresh();
    // An update stops at the first failure, which may be that of `hidden`. Its message has no values.
    const { http } = stack.state();
    const values = 'agentSelectorType: the program declares "all-agents", but the service has "ALL_AGENTS"';
    for (const [words, target] of [
      ["agentSelectorType", []],
      [values, ["--target", http?.urn ?? ""]],
    ] as const) {
      const failed = await stack.run("up", "--yes", "--skip-preview", ...target);
      expect(failed.code).not.toBe(0);
      expect(failed.text).toContain(words);
      expect(failed.text).not.toContain("    at ");
      expect(failed.text).not.toContain("account-of-a-user");
    }
    expect(ids()).toEqual(before);
    const approval = join(stack.folder, "approval.json");
    const review = await stack.cli("review", "--approval", approval, "--fail-on", "derived-replacement");
    expect(review.code).toBe(2);
    expect(review.text).toContain("derived-replacement");
    expect((await stack.cli("apply", "--approved", approval)).text).toContain(
      'sent "all-agents", but the service returned "ALL_AGENTS"',
    );
    const unreplaced = (): unknown[] => ids().filter((id, at) => id === before[at]);
    expect(unreplaced().length).toBeLessThan(3);
    // Each replacement reports the returned value as a failure. The engine starts no step after the first failure, so a slow
    // machine may need a second approval for the others.
    for (let round = 0; round < 2 && unreplaced().length > 0; round += 1) {
      await stack.cli("review", "--approval", approval);
      await stack.cli("apply", "--approved", approval);
    }
    expect(unreplaced()).toEqual([]);
    const replaced = ids();
    await stack.up();
    expect(await stack.up("--refresh")).toEqual({ same: 3 });
    expect(ids()).toEqual(replaced);
    await stack.destroy();
  });
});
