import { managedIn, type ManagedResource } from "../../../../engine/state";
import { secretSignature, signatureKey } from "../../../../provider/values";
import { boundsOf } from "../../../../cli/commands/verify/limits";
import { agentLines, runTests, unusedBounds } from "../../../../cli/commands/verify/test-run";
import { selectTests } from "../../../../cli/commands/verify/selected";
import { typeToken } from "../../../../sdk/token";
import { Bench } from "../../../provider/bench";
import { freePort } from "../../../support/port";
import { skipIdleTime } from "../../../support/idle-time";

skipIdleTime();

const bounds = (options: object) => boundsOf({ "wait-for-more": "0", ...options });
const never = new AbortController().signal;

describe("test runs that `verify` starts", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.end());

  /** A test as in a stack's state, with a secret server. */
  async function make(
    name: string,
    args: { server: string; port: number; [property: string]: unknown },
  ): Promise<ManagedResource[]> {
    const { id, state } = await bench.create("agentToServerTest", { testName: name, interval: 3600, ...args });
    const server = { [signatureKey]: secretSignature, plaintext: JSON.stringify(args.server) };
    const resource = { urn: `urn:pulumi:dev::test::t::${name}`, type: typeToken("AgentToServerTest"), id };
    const properties = { ...state, server };
    return managedIn("dev", { deployment: { resources: [{ ...resource, inputs: properties, outputs: properties }] } });
  }

  it("`verify` hides secrets in the error messages of agents", async () => {
    const port = await freePort();
    const selection = selectTests(await make("secret", { server: "127.0.0.1", port }), "all", undefined);
    const [verdict] = await runTests(bench.session, selection, bounds({}), () => undefined, never);
    expect(verdict).toMatchObject({ outcome: "failed", reasons: ["availability 0 %, under 100 %"] });
    expect(verdict?.measured).toMatchObject([{ errorDetails: `connect ECONNREFUSED [secret]:${port}` }]);
    if (!verdict) throw new Error("There is no verdict");
    expect(await agentLines(bench.session, verdict)).toEqual([
      expect.stringMatching(new RegExp(`^\\S+: .*\\bconnect ECONNREFUSED \\[secret\\]:${port}$`)),
    ]);
  });

  it("`verify` does not run a test with a label that selects no agent", async () => {
    const filters = [{ key: "hostname", mode: "in", values: ["NOWHERE-*"] }];
    const label = await bench.create("label", { name: "Nowhere", matchType: "and", filters });
    const labels = { agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] };
    const selection = selectTests(await make("lost", { server: "127.0.0.1", port: 443, ...labels }), "all", undefined);
    const started = performance.now();
    const [verdict] = await runTests(bench.session, selection, bounds({}), () => undefined, never);
    const reasons = ['label "Nowhere" selects no agent'];
    expect(verdict).toMatchObject({ outcome: "no-verdict", reasons, measured: [], lacksAgents: true });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("`verify` respects the service's limit of runs per minute", async () => {
    // Agents do not contact a target outside of this machine, so these tests get no response.
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) => make(`far ${i}`, { server: "vpn.example.com", port: 443 })),
    );
    const selection = selectTests(made.flat(), "all", undefined);
    await bench.door("requests/reset");
    const runs = (): number => bench.emulator.requests()["tests.run"] ?? 0;
    const stop = new AbortController();
    let atFirst = 0;
    const verdicts = await runTests(
      bench.session,
      selection,
      bounds({ timeout: "0.5" }),
      () => {
        atFirst ||= runs();
        stop.abort();
      },
      stop.signal,
    );
    expect(atFirst).toBe(24);
    expect(verdicts.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...Array.from({ length: 39 }, () => "interrupted"),
      "no-verdict",
    ]);
    // Running tests end on their own.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(runs()).toBe(24);
  });

  it("`verify` reports limits that have no effect on the selected tests", async () => {
    const selection = selectTests(await make("path", { server: "127.0.0.1", port: await freePort() }), "all", undefined);
    const limits = bounds({ "max-response-time": "800", "max-loss": "5" });
    expect(unusedBounds(selection, limits)).toEqual([
      "The limit for response time has no effect: no selected test measures it.",
    ]);
    expect(unusedBounds(selection, bounds({ "max-loss": "5" }))).toEqual([]);
    expect(unusedBounds([], limits)).toEqual([]);
    const [verdict] = await runTests(bench.session, selection, limits, () => undefined, never);
    expect(verdict?.reasons).toEqual(["loss over 5 % on 1 of 1 agents", "availability 0 %, under 100 %"]);
  });

  it("`verify` stops if the service rejects the credentials", async () => {
    const selection = selectTests(
      [
        ...(await make("gone", { server: "vpn.example.com", port: 443 })),
        ...(await make("there", { server: "127.0.0.1", port: await freePort() })),
      ],
      "all",
      undefined,
    );
    await bench.life("agentToServerTest").delete(selection[0]?.resource.id ?? "", {});
    const verdicts = await runTests(bench.newSession(), selection, bounds({}), () => undefined, never);
    expect(verdicts).toMatchObject([
      { outcome: "error", reasons: [expect.stringContaining("There is no scheduled test")] },
      { outcome: "failed" },
    ]);
    const refused = runTests(bench.newSession({ token: "wrong" }), selection, bounds({}), () => undefined, never);
    await expect(refused).rejects.toThrow("answered 401");
  });
});
