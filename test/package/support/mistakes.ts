/** A mistake in a program, and the compiler's expected message. */
export interface Mistake {
  name: string;
  /** The statement. It can use `label`, `gateway` and `pulumi`. */
  program: string;
  /** The property or the arguments' interface that the message names. */
  names: string;
  /** Whether the mistake compiles without the rules for arguments that go together. */
  isOfForms?: true;
}

export const preamble = `
import * as pulumi from "@pulumi/pulumi";
import * as all from "pulumi-endpoint-monitoring";
import { createClient, pages } from "pulumi-endpoint-monitoring/api";
import { start } from "pulumi-endpoint-monitoring/emulator";
declare const label: all.Label;
declare const gateway: all.AgentToServerTest;
declare const client: ReturnType<typeof createClient>;
export { all, client, gateway, label, pages, pulumi, start };
`;

const http = 'testName: "Portal", url: "https://portal.example.com"';
const server = 'testName: "Gateway", server: "vpn.example.com"';

export const mistakes: readonly Mistake[] = [
  {
    name: "a misspelled property",
    program: 'new all.Label("l", { name: "Office", matchType: "or", filters: [], colr: "#000000" });',
    names: "'colr' does not exist in type 'LabelArgs'",
  },
  {
    name: "a wrong word",
    program: 'new all.Label("l", { name: "Office", matchType: "xor", filters: [] });',
    names: `'"xor"' is not assignable to type 'Input<`,
  },
  {
    name: "a wrong word in a nested property",
    program: 'new all.Label("l", { name: "Office", matchType: "or", filters: [{ key: "ssid", mode: "out", values: ["a"] }] });',
    names: `'"out"' is not assignable to type 'Input<`,
  },
  {
    name: "a misspelled nested property",
    program: 'new all.Label("l", { name: "Office", matchType: "or", filters: [{ key: "ssid", value: ["a"] }] });',
    names: "'value' does not exist in type 'Input<LabelFilterArgs>'",
  },
  {
    name: "a required property missing",
    program: 'new all.Label("l", { name: "Office", filters: [] });',
    names: "'matchType' is missing in type '{ name: string; filters: never[]; }' but required in type 'LabelArgs'",
  },
  {
    name: "a string for a number",
    program: `new all.AgentToServerTest("t", { ${server}, port: "443" });`,
    names: "'string' is not assignable to type 'Input<number> | undefined'",
  },
  {
    name: "a number for a string",
    program: 'new all.AgentToServerTest("t", { testName: 1, server: "vpn.example.com" });',
    names: "'number' is not assignable to type 'Input<string>'",
  },
  {
    name: "an interval that there is not",
    program: `new all.AgentToServerTest("t", { ${server}, interval: 90 });`,
    names: "'90' is not assignable to type 'Input<60 | 120 | 300 | 600 | 900 | 1800 | 3600> | undefined'",
  },
  {
    name: "a string for a list",
    program: `new all.AgentToServerTest("t", { ${server}, agentSelectorType: "agent-labels", endpointAgentLabels: label.id });`,
    names: "'Output<string>' is not assignable to type 'Input<Input<string>[]>",
  },
  {
    name: "a resource for its id",
    program: `new all.AgentToServerTest("t", { ${server}, agentSelectorType: "agent-labels", endpointAgentLabels: [label] });`,
    names: "'Label' is not assignable to type 'Input<string>'",
  },
  {
    name: "a selector without its list",
    program: `new all.HttpServerTest("t", { ${http}, agentSelectorType: "agent-labels" });`,
    names: "'HttpServerTestArgs'",
    isOfForms: true,
  },
  {
    name: "a list without its selector",
    program: `new all.HttpServerTest("t", { ${http}, agents: ["861b7557-cd57-4bbb-b648-00bddf88ef49"] });`,
    names: "'HttpServerTestArgs'",
    isOfForms: true,
  },
  {
    name: "a selector with another list",
    program: `new all.DynamicTest("t", { testName: "M", application: "webex", agentSelectorType: "agent-tags", endpointAgentLabels: [label.id] });`,
    names: "'DynamicTestArgs'",
    isOfForms: true,
  },
  {
    name: "a password without a user",
    program: `new all.HttpServerTest("t", { ${http}, authType: "basic", password: "x" });`,
    names: "'HttpServerTestArgs'",
    isOfForms: true,
  },
  {
    name: "a password without authentication",
    program: `new all.HttpServerTest("t", { ${http}, username: "probe", password: "x" });`,
    names: "'HttpServerTestArgs'",
    isOfForms: true,
  },
  {
    name: "a selector without its list, given to a function of the user's own",
    program: `const page = (given: Partial<all.HttpServerTestProperties> & all.AgentSelectionArgs) => new all.HttpServerTest("t", { ${http}, ...given });
page({ agentSelectorType: "agent-labels" });`,
    names: "'endpointAgentLabels' is missing",
    isOfForms: true,
  },
  {
    name: "an agent by neither id nor look-up",
    program: 'new all.EndpointAgent("a", { licenseType: "essentials" });',
    names: "'EndpointAgentArgs'",
    isOfForms: true,
  },
  {
    name: "an agent by id and look-up",
    program: 'new all.EndpointAgent("a", { agentId: "861b7557", lookup: { agentName: "Kiosk" } });',
    names: "'EndpointAgentArgs'",
    isOfForms: true,
  },
  {
    name: "a protocol that there is not",
    program: 'new all.DynamicTest("t", { testName: "M", application: "teams", protocol: "udp" });',
    names: `'"udp"' is not assignable to type`,
  },
  {
    name: "a misspelled nested bound",
    program: 'new all.TestRun("r", { testId: gateway.testId, expect: { minAvailable: 100 } });',
    names: "'minAvailable' does not exist in type 'Input<ExpectArgs>'",
  },
  {
    name: "a move without its target",
    program: 'new all.AgentTransfer("m", { transfers: [{ agentId: "861b7557", fromAid: "1" }] });',
    names: "'toAid' is missing in type '{ agentId: string; fromAid: string; }' but required in type 'TransferArgs'",
  },
  {
    name: "an output that there is not",
    program: "export const color = label.colr;",
    names: "'colr' does not exist on type 'Label'",
  },
  {
    name: "a function without what it looks for",
    program: "void all.getLabel({});",
    names: "'GetLabelArgs'",
  },
  {
    name: "a function with two look-ups",
    program: 'void all.getAgent({ agentId: "1", agentName: "Kiosk" });',
    names: "'GetAgentArgs'",
  },
  {
    name: "a metric that there is not",
    program:
      'void all.getNetworkResults({ test: "1", thresholdFilter: { filters: [{ name: "los", operator: "gte", value: 5 }] } });',
    names: `'"los"' is not assignable to type`,
  },
  {
    name: "a misspelled argument of a function",
    program: 'void all.getAgents({ searchFilter: { platform: ["mac"] } });',
    names: "'searchFilter' does not exist in type 'GetAgentsArgs'",
  },
  {
    name: "a misspelled filter of a function",
    program: 'void all.getAgentsOutput({ searchFilters: { platfrom: ["mac"] } });',
    names: "'platfrom' does not exist in type 'DeepInputs<AgentSearchFilters>",
  },
  {
    name: "a member of a result that there is not",
    program: "void all.getAgent({ agentId: '1' }).then((agent) => agent.hostname);",
    names: "'hostname' does not exist on type 'AgentRecord'",
  },
  {
    name: "a misspelled member of a request of the client",
    program: 'void client.labels.create({ body: { name: "Office", matchtype: "or", filters: [] } });',
    names: "'LabelRequest'",
  },
  {
    name: "a misspelled query of pages",
    program: "void pages(client.labels.list, { query: { maxx: 7 } });",
    names: "'maxx' does not exist in type '{ aid?: string | undefined;",
  },
  {
    name: "a misspelled option of the emulator",
    program: "void start({ agent: 3 });",
    names: "'agent' does not exist in type 'EmulatorOptions'",
  },
];
