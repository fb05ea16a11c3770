/** Fragments of TypeScript as modules: what a page does not repeat for each of them is added. */
import ts from "typescript";
import * as api from "../../../api/public";
import * as emulator from "../../../emulator";
import * as policy from "../../../policy";
import * as sdk from "../../../sdk";
import * as testing from "../../../testing";
import type { CodeBlock } from "../../support/markdown";

/** What the package exports, by the name that a program imports it from. */
const entries = { "": sdk, "/api": api, "/emulator": emulator, "/policy": policy, "/testing": testing };

/** What readers have of their own, by the name that examples give it. */
const readers: Readonly<Record<string, string>> = {
  branch: `declare const branch: all.AccountGroup;`,
  agentIds: `const agentIds: string[] = ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1"];`,
  config: `const config = new pulumi.Config();`,
  emea: `declare const emea: all.EndpointAgentTag;`,
  gateway: `declare const gateway: all.AgentToServerTest;`,
  kiosk: `declare const kiosk: all.EndpointAgent;`,
  meetings: `declare const meetings: all.DynamicTest;`,
  office: `const office = all.Label.get("office", "400000000000001");`,
  portal: `const portal = all.HttpServerTest.get("portal", "281474976710706");`,
  row: `declare const row: all.DynamicNetworkResult;`,
  token: `declare const token: string;`,
  vault: `declare const vault: { write(path: string, value: object): Promise<void> };`,
  topologies: `declare const topologies: ReturnType<typeof all.getLocalNetworkTopologiesOutput>;`,
  version: `const version: string = "1.2.3";`,
  visits: `declare const visits: all.RealUserResult[];`,
};

/** The same, where an example waits for what the service answers. */
const answers: Readonly<Record<string, string>> = {
  meetings: `declare const meetings: all.TestRecord;`,
};

/** The file of a block. */
export const fileOf = ({ page, line }: CodeBlock): string => `${page.replaceAll(/[/.]/g, "-")}-${line}.mts`;

const parsed = (text: string): ts.SourceFile => ts.createSourceFile("block.mts", text, ts.ScriptTarget.Latest, true);

/** Names that a block declares at its top. */
export function declaredIn(text: string): Set<string> {
  const names = new Set<string>();
  const add = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.add(name.text);
    else for (const element of name.elements) if (!ts.isOmittedExpression(element)) add(element.name);
  };
  for (const statement of parsed(text).statements) {
    if (ts.isVariableStatement(statement)) for (const { name } of statement.declarationList.declarations) add(name);
    else if (ts.isFunctionDeclaration(statement) && statement.name) add(statement.name);
  }
  return names;
}

/** Every name that a block uses, other than behind a point or as a key. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMember(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parsed(text));
  return names;
}

function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return ts.isPropertyAssignment(parent) && parent.name === node;
}

const importsOf = (text: string) => parsed(text).statements.filter((statement) => ts.isImportDeclaration(statement));

/** Names that a block imports. */
function importedBy(text: string): Set<string> {
  const names = new Set<string>();
  for (const { importClause } of importsOf(text)) {
    const bindings = importClause?.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) names.add(bindings.name.text);
    if (bindings && ts.isNamedImports(bindings)) for (const { name } of bindings.elements) names.add(name.text);
  }
  return names;
}

const givesOutput = (text: string) => /\w+Output\(/.test(text);

/** A block as a module: what it neither declares nor imports comes from earlier blocks of its page, from readers or the package. */
export function moduleOf(block: CodeBlock, earlier: readonly CodeBlock[]): string {
  const own = declaredIn(block.text);
  const imported = importedBy(block.text);
  const used = [...namesIn(block.text)].filter((name) => !own.has(name) && !imported.has(name));
  // A form that gives an output takes resources, and no results that an earlier fragment has waited for.
  const takesResources = givesOutput(block.text);
  const before = earlier.filter(({ page, text }) => page === block.page && !takesResources && !givesOutput(text)).toReversed();
  const head = used.flatMap((name) => {
    const from = before.find(({ text }) => declaredIn(text).has(name));
    if (from) return [`import { ${name} } from "./${fileOf(from).replace(/\.mts$/, ".mjs")}";`];
    const entry = Object.entries(entries).find(([, exported]) => name in exported);
    if (entry) return [`import { ${name} } from "pulumi-endpoint-monitoring${entry[0]}";`];
    return (takesResources ? undefined : answers[name]) ?? readers[name] ?? [];
  });
  const text = [...head, block.text].join("\n");
  const [needsPulumi, needsAll] = ["pulumi", "all"].map((name) => text.includes(`${name}.`) && !imported.has(name));
  const exported = new Set([...block.text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name));
  return `${needsPulumi ? 'import * as pulumi from "@pulumi/pulumi";\n' : ""}${needsAll ? 'import * as all from "pulumi-endpoint-monitoring";\n' : ""}${text}
export { ${[...own].filter((name) => !exported.has(name)).join(", ")} };
`;
}
