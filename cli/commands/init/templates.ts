import { hostname } from "node:os";
import { pluginLines } from "../../plugin-lines";

export const firstStack = "dev";

/** Base URL of the ThousandEyes API. A project must contain a base URL, because the provider has no default. */
export const serviceUrl = "https://api.thousandeyes.com";

/**
 * Returns the source code of a starter program. On an emulator, tests may contact only this machine, so the emulator itself is their
 * target.
 *
 * @param native whether to use the classes of the native plugin
 * @param emulator base URL of the emulator, or undefined for the ThousandEyes API
 */
export function programText(native: boolean, emulator?: string): string {
  const module = native ? "pulumi-endpoint-monitoring/native" : "pulumi-endpoint-monitoring";
  return `import { EndpointAgentTag, HttpServerTest } from "${module}";

// A tag of ThousandEyes Endpoint Agents selects the agents that match its filters, whenever they match. This tag selects only the
// computer that created the program. Other filters may select all agents of the account.
const computers = new EndpointAgentTag("computers", {
  key: "group",
  value: "computers",
  matchType: "or",
  filters: [{ key: "hostname", values: [${JSON.stringify(hostname())}] }],
});

// A scheduled test, which runs on the agents of the tag.
new HttpServerTest("website", {
  testName: "Website",
  url: "${emulator ?? "https://www.example.com"}",
  interval: 60,
  agentSelectorType: "agent-tags",
  tagIds: [computers.id],
});
`;
}

/** @param plugin path of the native plugin, or undefined for dynamic providers */
export function projectFileText(name: string, program: string, packageManager: string, plugin?: string): string {
  return `name: ${name}
description: ThousandEyes Endpoint Monitoring as code
runtime:
  name: nodejs
  options:
    packagemanager: ${packageManager}
main: ${program}
${plugin === undefined ? "" : pluginLines(plugin)}`;
}

/** @param isModule whether Node.js itself removes the types and runs the program without a compiler */
export function compilerSettings(isModule: boolean): string {
  const ofModules = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true };
  const compilerOptions = {
    target: "ES2023",
    module: "node16",
    moduleResolution: "node16",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    ...(isModule && ofModules),
    types: ["node"],
  };
  return `${JSON.stringify({ compilerOptions, include: ["*.ts"] }, null, 2)}\n`;
}

export const ignoredFiles = `node_modules/
*.log
emulator.db*
endpoint-monitoring-reports/
`;

/** Returns the content of the stack settings file for the emulator. The emulator's token is public and therefore not encrypted. */
export function stackText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `  endpoint-monitoring:${name}: ${value}`);
  return `# The emulator on this machine. Its token is not a secret. To use ThousandEyes instead:
#   pulumi config set endpoint-monitoring:baseUrl ${serviceUrl}
#   pulumi config set --secret endpoint-monitoring:token
config:
${lines.join("\n")}
`;
}

/** Converts a folder name to a project name. Pulumi allows at most 100 characters: letters, digits, `-`, `_` and `.`. */
export function projectName(folderName: string): string {
  const name = folderName
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-_.]+|[-_.]+$/g, "")
    .slice(0, 100);
  return name === "" ? "endpoint-monitoring" : name;
}
