/** Tests the positions that the real engine reports, and its preview after drift was accepted. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { managedIn, type ManagedResource } from "../../engine/state";
import { Acceptor } from "../../program/acceptor";
import type { ObservedResource } from "../../program/acceptance";
import { ProgramSource } from "../../program/program-source";
import { compare } from "../../provider/compare";
import { Stack } from "./support/stack";
import { told } from "../program/acceptor-support";

const program = {
  "index.ts": `import * as em from "pulumi-endpoint-monitoring";
import { Label as L } from "pulumi-endpoint-monitoring";
import { site } from "./lib/site";
import "./lib/tests";
import "./lib/öffice room";

	/* öäü 😀 */ const tabbed = new L("tabbed", { name: "tabbed", matchType: "and", filters: [] }); const second = new L(
  "second", { name: "second", matchType: "and", filters: [] });
new
  em.Label("broken-line", { name: "broken line", matchType: "and", filters: [] });
for (const name of ["one", "two"]) {
  new em.Label(name, { name, matchType: "and", filters: [] });
}
const mapped = ["three"].map((name) => new em.Label(name, { name, matchType: "and", filters: [] }));
site("berlin");
export const ids = [tabbed.id, second.id, ...mapped.map(({ id }) => id)];
`,
  "lib/site.ts": `import * as pulumi from "@pulumi/pulumi";
import { Label } from "pulumi-endpoint-monitoring";

class Site extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:Site", name);
    new Label("only", { name: "Only", matchType: "and", filters: [] }, { parent: this });
    new Label(\`\${name}-label\`, { name, matchType: "and", filters: [] }, { parent: this });
  }
}

export function site(name: string): Site {
  return new Site(name);
}
`,
  // The engine does not find the source map of a file with an escaped path, so its positions refer to the compiled text.
  "lib/öffice room.ts": `import { Label } from "pulumi-endpoint-monitoring";

interface Room {
  name: string;
}
const room: Room = { name: "Room" };
new Label("room", { name: room.name, color: "#aaaaaa", matchType: "and", filters: [] });
`,
  "lib/labels.ts": `import { Label } from 'pulumi-endpoint-monitoring'

export const office = new Label('office', {
  name: 'Office', // as on the door
  color: '#2266cc',
  matchType: 'or',
  filters: [
    // The whole building.
    { key: 'local-network', values: ['10.20.0.0/16'] },
    { key: 'ssid', values: ['corp-*'] } // and the yard
  ]
})
export const remote = new Label('remote', { name: 'Remote', matchType: 'and', filters: [] })
`,
  "lib/tests.ts": `import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, HttpServerTest } from "pulumi-endpoint-monitoring";
import { office } from "./labels";

const every = 300;
const config = new pulumi.Config();

new AgentToServerTest("dns", {
\ttestName: "DNS",
\tserver: "10.20.0.53",
\tinterval: every,
\tprotocol: "tcp", // the server drops ICMP
\tagentSelectorType: "agent-labels",
\tendpointAgentLabels: [office.id],
});
new HttpServerTest("portal", {
\ttestName: config.get("portal") ?? "Portal",
\turl: "https://portal.example.com/health",
\tinterval: 120,
\tauthType: "basic",
\tusername: "probe",
\tpassword: config.requireSecret("password"),
});
`,
};

describe("a TypeScript program on the engine", () => {
  let stack: Stack;
  const held = async (): Promise<ManagedResource[]> =>
    managedIn("dev", JSON.parse((await stack.must("stack", "export")).stdout));

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    // Without type checks, the compiler uses the folder of its one file as root, and rejects the next folder.
    Object.assign(stack.environment, { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
    for (const [path, text] of Object.entries(program)) {
      mkdirSync(dirname(join(stack.folder, path)), { recursive: true });
      writeFileSync(join(stack.folder, path), text);
    }
    await stack.secret("password", "hush");
    await stack.up();
  }, 120_000);
  afterAll(() => stack.end());

  test("the engine reports the file and line of each resource", async () => {
    const source = await ProgramSource.read(stack.folder);
    const found = (await held()).map((one): [string, string] => {
      const declaration = one.position && source.at(one.position);
      const { file, line, column } = one.position ?? { file: "", line: 0, column: 0 };
      return [one.name, declaration ? (declaration.name ?? "worked out") : `none at ${file}:${line}:${column}`];
    });
    expect(Object.fromEntries(found)).toEqual({
      ...Object.fromEntries(
        ["tabbed", "second", "broken-line", "only", "office", "remote", "dns", "portal"].map((name) => [name, name]),
      ),
      one: "worked out",
      two: "worked out",
      "berlin-label": "worked out",
      three: "worked out",
      room: expect.stringMatching(/^none at lib\/öffice room\.ts:/),
    });
  }, 120_000);

  test("an update after drift --accept changes nothing", async () => {
    const before = await held();
    const idOf = (name: string): string => before.find((one) => one.name === name)?.id ?? "";
    await stack.api("PATCH", `/v7/endpoint/labels/${idOf("office")}?aid=1001`, {
      color: "#000000",
      filters: [
        { key: "ssid", mode: "in", values: ["guest-*", "corp-*"] },
        { key: "local-network", mode: "in", values: ["10.20.0.0/16"] },
        { key: "platform", mode: "not-in", values: ["Linux"] },
      ],
    });
    await stack.api("PATCH", `/v7/endpoint/labels/${idOf("one")}?aid=1001`, { color: "#000000" });
    await stack.api("PATCH", `/v7/endpoint/labels/${idOf("only")}?aid=1001`, { name: "It's the only one" });
    await stack.api("PATCH", `/v7/endpoint/labels/${idOf("room")}?aid=1001`, { color: "#bbbbbb" });
    const dns = { interval: 900, protocol: "icmp", isEnabled: false };
    await stack.api("PATCH", `/v7/endpoint/tests/scheduled-tests/agent-to-server/${idOf("dns")}?aid=1001`, dns);
    // Create-only properties.
    const labels = { endpointAgentLabels: [idOf("remote"), idOf("office")] };
    await stack.api("PATCH", `/_emulator/records/agent-to-server-tests/${idOf("dns")}`, labels);
    const portal = { testName: "Door", url: "https://door.example.com:443/health" };
    await stack.api("PATCH", `/v7/endpoint/tests/scheduled-tests/http-server/${idOf("portal")}?aid=1001`, portal);
    await stack.refresh();

    // The engine's view of the service, and the program's values at the last update.
    const realities = (await held()).map((real): ObservedResource => {
      const resource = before.find((one) => one.urn === real.urn) ?? real;
      const changes = compare(real.kind, real.outputs, resource.inputs);
      return {
        resource,
        changes: changes.map(({ property, before: after }) =>
          after === undefined ? { property, how: "removed" } : { property, how: "changed", after },
        ),
      };
    });
    const acceptance = new Acceptor(await ProgramSource.read(stack.folder)).accept(realities);
    expect(told(acceptance).toSorted()).toEqual([
      "one.color is shared with two, which has not drifted to the same value (index.ts:12:22)",
      "portal.testName comes from the configuration (portal) (lib/tests.ts:19:12)",
    ]);
    const edits = Object.fromEntries(acceptance.edits.map(({ path, after }) => [path, after]));
    expect(edits).toEqual({
      "lib/site.ts": program["lib/site.ts"].replace('{ name: "Only"', `{ name: "It's the only one"`),
      "lib/öffice room.ts": program["lib/öffice room.ts"].replace("#aaaaaa", "#bbbbbb"),
      "lib/labels.ts": program["lib/labels.ts"]
        .replace("#2266cc", "#000000")
        .replace(
          "['corp-*'] } // and the yard",
          "['corp-*', 'guest-*'] }, // and the yard\n    { key: 'platform', mode: 'not-in', values: ['Linux'] }",
        ),
      "lib/tests.ts": program["lib/tests.ts"]
        .replace(
          'import { office } from "./labels";\n',
          'import { office } from "./labels";\nimport { remote } from "./labels";\n',
        )
        .replace("every = 300", "every = 900")
        .replace('"tcp", //', '"icmp", //')
        .replace("[office.id],\n", "[office.id, remote.id],\n\tisEnabled: false,\n"),
    });
    // The test makes the remaining edits.
    edits["lib/tests.ts"] = edits["lib/tests.ts"]?.replace("portal.example.com", "door.example.com") ?? "";
    for (const [path, text] of Object.entries(edits)) writeFileSync(join(stack.folder, path), text);
    await stack.must("config", "set", "portal", "Door");
    writeFileSync(
      join(stack.folder, "index.ts"),
      readFileSync(join(stack.folder, "index.ts"), "utf8").replace(
        "name, m",
        `name, color: name === "one" ? "#000000" : undefined, m`,
      ),
    );
    expect(await stack.preview()).toEqual([]);
  }, 120_000);
});
