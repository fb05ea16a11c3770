/** Tests pages of tests, which explain why a test has no results, as the server renders them. */
import { createServer, type Server } from "node:http";
import { thisMachineId } from "../../../emulator/fleet/make";
import { useEmulator } from "../../support/emulator";
import { closeServer, eventually, portOf } from "../loopback";
import { flat, look, paths } from "../support";

const emulator = useEmulator({ agents: 60 });
let target: Server;
let port: number;
beforeAll(async () => {
  target = createServer((_request, response) => response.end("here"));
  port = await portOf(target);
});
beforeEach(() => emulator.reset());
afterAll(() => closeServer(target));

const text = async (path: string) => (await look(emulator.url, path)).text();
const make = (path: string, body: object, aid?: string) => emulator.create(path, body, aid);

// Each row has a test, and changes of this machine's agent.
test.each<[reason: string, path: string, body: object, agent?: object, aid?: string]>([
  ["The test is disabled.", paths.agentToServer, { server: "127.0.0.1" }],
  [
    "The test does not select this machine's agent",
    paths.agentToServer,
    { server: "127.0.0.1", agentSelectorType: "specific-agents", agents: ["00000000-0000-4000-8000-000000000000"] },
  ],
  ["The target www.example.com:443 may not be contacted", paths.httpServer, { url: "https://www.example.com" }],
  ["No session of the test's application is open", paths.dynamic, { application: "zoom" }],
  ["This machine's agent is in another account group.", paths.agentToServer, { server: "127.0.0.1" }, {}, "1002"],
  ["This machine's agent is disabled.", paths.agentToServer, { server: "127.0.0.1" }, { status: "disabled" }],
  [
    "The license of this machine's agent is full: essentials runs 4 tests at once",
    paths.agentToServer,
    { server: "127.0.0.1" },
    { licenseType: "essentials" },
  ],
])(
  "the page of a test and the list of tests show the reason for missing rounds: %s",
  async (reason, path, body, agent = {}, aid = "1001") => {
    await emulator.call("PATCH", `/_emulator/records/agents/${thisMachineId}`, agent);
    for (let n = 0; n < 4; n += 1) await make(paths.dynamic, { testName: "Other", application: "webex" });
    const id = await make(path, { testName: "A", ...body }, aid);
    await emulator.call("PATCH", `${path}/${id}?aid=${aid}`, { isEnabled: reason !== "The test is disabled." });
    expect(flat(await text(`/tests/${id}`))).toContain(`Not measured. ${reason}`);
    expect(flat(await text(`/tests?aid=${aid}`))).toContain(reason);
  },
);

test("pages list failing tests first, and show measurements as a plot and as text", async () => {
  const refused = await make(paths.agentToServer, { testName: "Fails", server: "127.0.0.1", port: 1 });
  const request = await make(paths.httpServer, { testName: "Works 1", url: `http://127.0.0.1:${port}/` });
  const instant = await make(`${paths.httpServer}/instant`, { testName: "Works 2", url: `http://127.0.0.1:${port}/` });
  for (const path of ["/tests", "/"]) {
    const list = await eventually(async () => {
      const markup = await text(path);
      return markup.match(/class="spark"/g)?.length === 3 ? markup : undefined;
    });
    expect(/<bdi>((?:Fails|Works) ?\d?)<\/bdi>/.exec(list)?.[1]).toBe("Fails");
    expect(flat(list)).not.toMatch(/No (more )?rounds/);
  }
  const shown: Record<string, readonly string[]> = {
    [request]: ['class="plot"', "Time of the request: 1 round, all", ">200<", "127.0.0.1"],
    [refused]: ["Latency: 1 round, 1 failed", ">failed<", "The last round failed.</strong> ", "ECONNREFUSED"],
    [instant]: [">instant<", "on demand", ">200<"],
  };
  for (const [id, facts] of Object.entries(shown)) {
    const markup = await text(`/tests/${id}`);
    for (const fact of facts) expect(markup).toContain(fact);
    expect(flat(markup)).not.toContain("Not measured");
  }
});

test("the page of a test shows the test's agents but no password", async () => {
  const label = await make(paths.label, { name: "All hosts", matchType: "or", filters: [{ key: "hostname", values: ["*"] }] });
  const gone = await make(paths.label, { name: "Deleted later", matchType: "or", filters: [] });
  const id = await make(paths.httpServer, {
    testName: "Portal",
    url: `http://127.0.0.1:${port}/x`,
    authType: "basic",
    username: "probe",
    password: "s3cret-word",
    httpTimeLimit: 2500,
    targetResponseTime: 800,
    sslVersionId: "6",
    verifyCertificate: false,
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label, gone],
  });
  await emulator.call("DELETE", `${paths.label}/${gone}`);
  const markup = await text(`/tests/${id}`);
  const shown = flat(markup);
  const settings = "authType basic | username probe | password set, not shown | httpTimeLimit 2500 | targetResponseTime 800";
  const facts = `${settings} | sslVersionId 6 | verifyCertificate false | All hosts , ${gone} (does not exist) ; at most 25 | and 22 more`;
  for (const fact of facts.split(" | ")) expect(shown).toContain(fact);
  expect(markup).not.toContain("s3cret-word");
  // The agents are above the rounds.
  expect(shown.indexOf("Runs on")).toBeLessThan(shown.indexOf(" Rounds "));
});
