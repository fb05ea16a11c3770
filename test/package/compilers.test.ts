import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackage, repository } from "./support/installed";

const program = `
import * as pulumi from "@pulumi/pulumi";
import {
  type AgentSelectionArgs,
  AgentToServerTest,
  getAgentOutput,
  getAgents,
  getNetworkResults,
  type HttpAuthenticationArgs,
  HttpServerTest,
  type HttpServerTestProperties,
  Label,
  type LabelArgs,
} from "pulumi-endpoint-monitoring";
import { createClient, NotFoundError, pages as pagesOf } from "pulumi-endpoint-monitoring/api";
import { start } from "pulumi-endpoint-monitoring/emulator";
import { monitoringMocks } from "pulumi-endpoint-monitoring/testing";

export const mocks: pulumi.runtime.Mocks = monitoringMocks({
  functions: { getLabels: ({ limit = 1 }) => [{ id: String(limit), name: "Office" }] },
});
const args: LabelArgs = { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["a", pulumi.output("b")] }] };
const label = new Label("office", args, { protect: true });
export const test = new AgentToServerTest("gateway", {
  testName: "Gateway",
  server: "vpn.example.com",
  interval: 300,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [label.id],
});

type PageArgs = Partial<HttpServerTestProperties> & AgentSelectionArgs & HttpAuthenticationArgs;
/** A user's function with defaults for any argument. */
const page = (site: string, given: PageArgs = {}): HttpServerTest =>
  new HttpServerTest(site, { testName: site, url: \`https://\${site}.example.com\`, interval: 300, ...given });
export const pages = [
  page("portal"),
  page("wiki", { interval: 60, agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] }),
  page("mail", { testName: "Mail", authType: "basic", username: "probe", password: pulumi.secret("word") }),
];
export const color: pulumi.Output<string> = label.color;
const found: AgentToServerTest = AgentToServerTest.get("found", "1", { accountGroupId: "2" });
export const interval: pulumi.Output<60 | 120 | 300 | 600 | 900 | 1800 | 3600> = found.interval;
const other: unknown = label;
if (Label.isInstance(other)) other.matchType.apply((match) => match === "and");
export const seen = getAgentOutput({ agentId: label.id }).apply((agent) => agent.lastSeen);

export async function report() {
  for await (const page of getAgents.pages({ max: 100 })) console.log(page.map((agent) => agent.lastSeen));
  const rows = await getNetworkResults({
    test: "1",
    thresholdFilter: { filters: [{ name: "loss", operator: "gte", value: 5 }] },
  });
  const emulator = await start({ agents: 3, faults: [{ kind: "latency", ms: 3 }] });
  const client = createClient({ baseUrl: emulator.url, token: "emulator-token" });
  for await (const page of pagesOf(client.agents.list, {})) console.log(page.agents.length);
  try {
    await client.labels.get({ path: { id: "1" } });
  } catch (error) {
    if (error instanceof NotFoundError) console.log(error.fields);
  }
  return rows.map((row) => row.loss ?? 0);
}
`;

/** Code that `pulumi import` generates from the plugin's schema, recorded from Pulumi 3.259.0. */
const importedProgram = readFileSync(join(repository, "test/fixtures/imported/imported.txt"), "utf8");

/** The settings of `pulumi new typescript`, with a check of declarations. */
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
/** The settings that `pulumi new typescript` wrote earlier. */
const olderTemplate = { ...template, module: "commonjs", moduleResolution: "node" };
/** The settings of a bundled project without strict checks. */
const bundled = { target: "es2022", module: "esnext", moduleResolution: "bundler", strict: false };

interface Compiler {
  compiler: string;
  /** The types of Node that this compiler supports. */
  nodeTypes: string;
}

/** The range in package.json: its first and last version. */
const oldest: Compiler = { compiler: "typescript-oldest", nodeTypes: "node-types-oldest" };
const newest: Compiler = { compiler: "typescript", nodeTypes: "@types/node" };

describe("a program without zod and undici", () => {
  /** The package's folder for each version of Node's types. */
  const folders = new Map<string, string>();

  function installedWith(nodeTypes: string): string {
    const folder = folders.get(nodeTypes) ?? installPackage({ without: ["zod", "undici"], nodeTypes });
    folders.set(nodeTypes, folder);
    return folder;
  }

  it.each([
    ["the oldest TypeScript, as CommonJS and as modules", oldest, template, ["index.ts", "module.mts", "modules/index.ts"]],
    ["the oldest TypeScript, with its old module resolution", oldest, olderTemplate, ["index.ts"]],
    ["the newest TypeScript, as CommonJS and as modules", newest, template, ["index.ts", "module.mts", "modules/index.ts"]],
    ["the newest TypeScript, bundled and not strict", newest, bundled, ["modules/index.ts"]],
  ])("the program compiles with %s", (_, { compiler, nodeTypes }, options, files) => {
    const folder = installedWith(nodeTypes);
    // A folder with type module, regardless of the file's suffix.
    mkdirSync(join(folder, "modules"), { recursive: true });
    writeFileSync(join(folder, "modules/package.json"), JSON.stringify({ type: "module" }));
    for (const file of files) writeFileSync(join(folder, file), program);
    writeFileSync(join(folder, "imported.ts"), importedProgram);
    // Libraries are links here, and each must find the others in this folder.
    const compilerOptions = { ...options, types: ["node"], noEmit: true, preserveSymlinks: true };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...files, "imported.ts"] }));
    const tsc = join(repository, "node_modules", compiler, "bin/tsc");
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});
