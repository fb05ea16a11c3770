/** Completes short examples from JSDoc with imports and with the declarations that they assume. */
import ts from "typescript";

/** Declarations that examples assume, by name. */
const declarations = {
  agentIds: `const agentIds = (await getAgents({ searchFilters: { platform: ["mac"] } })).map((agent) => agent.id);`,
  branch: `const branch = (await getAccountGroups())[0];`,
  config: `const config = new pulumi.Config();`,
  emea: `const emea = EndpointAgentTag.get("emea", "c6b78e57-81a2-4c5f-a11a-d96c3c664d55");`,
  gateway: `const gateway = AgentToServerTest.get("gateway", "281474976710706");`,
  gateways: `const gateways = await getLocalNetworkTopologies({ searchFilters: { type: ["gateway"] }, window: "1h" });`,
  kiosk: `const kiosk = await getAgent({ computerName: "kiosk-01" });`,
  latest: `const [latest] = await getPathVisualizations({ test, window: "1h", limit: 1 });`,
  meetings: `const meetings = await getTest({ testName: "Meetings", kind: "dynamic" });`,
  office: `const office = Label.get("office", "400000000000001");`,
  portal: `const portal = HttpServerTest.get("portal", "281474976710706");`,
  row: `const [row] = await getDynamicNetworkResults({ test: meetings, window: "1h", limit: 1 });`,
  test: `const test = await getTest({ testName: "VPN gateway" });`,
  token: `const token = process.env["ENDPOINT_MONITORING_TOKEN"] ?? "";`,
  topologies: `const topologies = getLocalNetworkTopologiesOutput({ window: "1h" });`,
  version: `const version = process.env["RELEASE"] ?? "1.0.0";`,
  visits: `const visits = await getRealUserTests({ searchFilters: { domain: ["example.com"] }, window: "1d" });`,
};

/** Declarations for examples of functions that take outputs of resources, by name. */
const resources = {
  kiosk: `const kiosk = EndpointAgent.get("kiosk", "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1");`,
  meetings: `const meetings = DynamicTest.get("meetings", "281474976710707");`,
};

const parsed = (text) => ts.createSourceFile("block.mts", text, ts.ScriptTarget.Latest, true);

/** Returns the names that a text uses, and the names that a text declares or imports. */
function namesIn(text) {
  const [used, declared] = [new Set(), new Set()];
  const visit = (node) => {
    const { parent } = node;
    if (ts.isIdentifier(node)) {
      const isMember =
        (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) &&
        (parent.name === node || parent.propertyName === node);
      const isDeclared =
        (ts.isVariableDeclaration(parent) ||
          ts.isBindingElement(parent) ||
          ts.isParameter(parent) ||
          ts.isImportSpecifier(parent) ||
          ts.isNamespaceImport(parent)) &&
        parent.name === node;
      if (isDeclared) declared.add(node.text);
      else if (!isMember) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed(text));
  return { used: [...used].filter((name) => !declared.has(name)), declared };
}

/**
 * Returns an example as a complete module for a project that the `init` command created.
 *
 * @param {string} text
 * @param {Record<string, string[]>} modules exported names of the package by module. If several modules export a name, the
 * first module is imported
 */
export function completed(text, modules) {
  const known = /\w+Output\(/.test(text) ? { ...declarations, ...resources } : declarations;
  let body = text;
  let missing = namesIn(body).used.filter((name) => name in known);
  for (; missing.length > 0; missing = namesIn(body).used.filter((name) => name in known)) {
    body = `${missing.map((name) => known[name]).join("\n")}\n${body}`;
  }
  const { used } = namesIn(body);
  const imports = Object.entries(modules).flatMap(([module, exported]) => {
    const names = used.filter((name) => exported.includes(name));
    return names.length > 0 ? [`import { ${names.toSorted((a, b) => a.localeCompare(b)).join(", ")} } from "${module}";`] : [];
  });
  if (used.includes("pulumi")) imports.unshift('import * as pulumi from "@pulumi/pulumi";');
  if (used.includes("writeFile")) imports.unshift('import { writeFile } from "node:fs/promises";');
  const separator = imports.length === 0 ? "" : text.startsWith("import ") ? "\n" : "\n\n";
  return `${imports.join("\n")}${separator}${body}`;
}

export const withCompleted = (markdown, modules) =>
  markdown.replaceAll(/^```ts\n([\s\S]*?)\n```$/gm, (_, text) => `\`\`\`ts\n${completed(text, modules)}\n\`\`\``);
