import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackage, repository } from "./support/installed";

const program = `
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, getAgentOutput, getAgents, getNetworkResults, Label, type LabelArgs } from "pulumi-endpoint-monitoring";
import { createClient, NotFoundError, pages } from "pulumi-endpoint-monitoring/api";
import { start } from "pulumi-endpoint-monitoring/emulator";

const args: LabelArgs = { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["a", pulumi.output("b")] }] };
const label = new Label("office", args, { protect: true });
export const test = new AgentToServerTest("gateway", {
  testName: "Gateway",
  server: "vpn.example.com",
  interval: 300,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [label.id],
});
export const color: pulumi.Output<string> = label.color;
export const seen = getAgentOutput({ agentId: label.id }).apply((agent) => agent.lastSeen);

export async function report() {
  for await (const page of getAgents.pages({ max: 100 })) console.log(page.map((agent) => agent.lastSeen));
  const rows = await getNetworkResults({
    test: "1",
    thresholdFilter: { filters: [{ name: "loss", operator: "gte", value: 5 }] },
  });
  const emulator = await start({ agents: 3, faults: [{ kind: "latency", ms: 3 }] });
  const client = createClient({ baseUrl: emulator.url, token: "emulator-token" });
  for await (const page of pages(client.agents.list, {})) console.log(page.agents.length);
  try {
    await client.labels.get({ path: { id: "1" } });
  } catch (error) {
    if (error instanceof NotFoundError) console.log(error.fields);
  }
  return rows.map((row) => row.loss ?? 0);
}
`;

/** As `pulumi new typescript` writes it; it checks declarations, too. */
const template = {
  strict: true,
  target: "es2020",
  module: "nodenext",
  moduleResolution: "nodenext",
  sourceMap: true,
  experimentalDecorators: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};
/** As it wrote it before. */
const olderTemplate = { ...template, module: "commonjs", moduleResolution: "node" };
/** Of a bundler's project, and not strict. */
const sloppy = { target: "es2022", module: "esnext", moduleResolution: "bundler", strict: false };

/** The range of package.json: its first version, with the types of Node that it understands, and its last. */
const compilers = {
  oldest: { compiler: "typescript-oldest", nodeTypes: "node-types-oldest" },
  newest: { compiler: "typescript", nodeTypes: "@types/node" },
};

describe.each(Object.entries(compilers))("the %s TypeScript", (which, { compiler, nodeTypes }) => {
  let folder: string;
  beforeAll(() => {
    folder = installPackage({ without: ["zod", "undici"], nodeTypes });
    writeFileSync(join(folder, "index.ts"), program);
    // The same as a module of its own kind, whatever the package around it is.
    writeFileSync(join(folder, "module.mts"), program);
    mkdirSync(join(folder, "modules"));
    writeFileSync(join(folder, "modules/package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "modules/index.ts"), program);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const old = which === "newest" ? { ...olderTemplate, ignoreDeprecations: "6.0" } : olderTemplate;

  it.each([
    ["a project of Pulumi's template, as CommonJS and as modules", template, ["index.ts", "module.mts", "modules/index.ts"]],
    ["a project of an older template", old, ["index.ts"]],
    ["a project that is bundled and not strict", sloppy, ["modules/index.ts"]],
  ])(
    "checks %s",
    (_, compilerOptions, files) => {
      const types = ["node"];
      // Libraries are links here, and each is to find the others in this very folder.
      const options = { ...compilerOptions, types, noEmit: true, preserveSymlinks: true };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
      const tsc = join(repository, "node_modules", compiler, "bin/tsc");
      const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    },
    120_000,
  );
});
