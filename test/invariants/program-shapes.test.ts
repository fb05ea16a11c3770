/** Accepts drift in programs with common shapes, or reports an instruction in one line. */
import ts from "typescript";
import { resolve } from "node:path";
import { acceptIn, changes, declaredBy, resource } from "../program/acceptor-support";
import { positionText } from "../../common/position";
import { check } from "../../provider/check";
import { compare } from "../../provider/compare";
import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";

interface Shape {
  files: Record<string, string>;
  /** Properties that a user changed in the service, by resource. */
  drift: Record<string, Properties>;
  /** Replacements in the text of files, or the reason for a refused edit. */
  expected: readonly (readonly [from: string, to: string])[] | string;
  config?: Record<string, unknown>;
}

const em = 'import { AgentToServerTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";\n';
const pulumi = 'import * as pulumi from "@pulumi/pulumi";\n';
const http = (name: string, more: string) =>
  `new HttpServerTest("${name}", { testName: "${name}", url: "https://${name}.example.com/", ${more} });\n`;

/** The start of a JavaScript program that reads YAML. */
const inventory =
  'const { AgentToServerTest, Label } = require("pulumi-endpoint-monitoring");\n' +
  'const data = require("yaml").parse(require("node:fs").readFileSync("inventory.yaml", "utf8"), { merge: true });\n';

/** A program in one file of TypeScript. */
const typed = (text: string): Record<string, string> => ({ "index.ts": em + text });

const shapes: Record<string, Shape> = {
  "a rest object after one member was destructured": {
    files: typed(
      'for (const { testName, ...rest } of [{ testName: "a", url: "https://a.example.com/" }]) {\n' +
        '  new HttpServerTest(testName, { testName: "Portal", ...rest });\n}\n',
    ),
    drift: { a: { testName: "Portal 2" } },
    expected: [['"Portal"', '"Portal 2"']],
  },
  "a plain value": {
    files: typed(http("a", "interval: 60, /* a minute */")),
    drift: { a: { interval: 300 } },
    expected: [["interval: 60,", "interval: 300,"]],
  },
  "a template without expressions": {
    files: typed('new HttpServerTest("a", { testName: `a`, url: `https://a.example.com/` });\n'),
    drift: { a: { url: "https://b.example.com/" } },
    expected: [["`https://a.example.com/`", "`https://b.example.com/`"]],
  },
  "a template of constants": {
    files: typed(
      'const domain = "example.com";\nnew HttpServerTest("a", { testName: "a", url: `https://a.${domain}/health` });\n' +
        'new HttpServerTest("b", { testName: "b", url: `https://b.${domain}/health` });\n',
    ),
    drift: { a: { url: "https://a.example.com/live" } },
    expected: [["`https://a.${domain}/health`", '"https://a.example.com/live"']],
  },
  "a template with a configuration value": {
    files: typed(
      `${pulumi}const domain = new pulumi.Config().require("domain");\nnew HttpServerTest("a", { testName: "a", url: \`https://a.\${domain}/\` });\n`,
    ),
    config: { domain: "example.com" },
    drift: { a: { url: "https://a.example.org/" } },
    expected: 'a: index.ts:4 url is computed by an expression: write url: "https://a.example.org/" by hand',
  },
  "a constant that is used once": {
    files: typed(`const interval = 60;\n${http("a", "interval: interval")}`),
    drift: { a: { interval: 300 } },
    expected: [["const interval = 60", "const interval = 300"]],
  },
  "a member of a constant object": {
    files: typed(`const defaults = { interval: 60, isEnabled: true } as const;\n${http("a", "interval: defaults.interval")}`),
    drift: { a: { interval: 300 } },
    expected: [["{ interval: 60", "{ interval: 300"]],
  },
  "a shared member of a constant object with the same drift in each resource": {
    files: typed(
      `const defaults = { interval: 60 } as const;\n${http("a", "interval: defaults.interval")}${http("b", "interval: defaults.interval")}`,
    ),
    drift: { a: { interval: 300 }, b: { interval: 300 } },
    expected: [["{ interval: 60 }", "{ interval: 300 }"]],
  },
  "a member of a constant object that another resource shares": {
    files: typed(
      `const defaults = { interval: 60 } as const;\n${http("a", "interval: defaults.interval")}${http("b", "interval: defaults.interval")}`,
    ),
    drift: { a: { interval: 300 } },
    expected: "a: index.ts:2 interval is shared with b, which has not drifted to the same value: write interval: 300 by hand",
  },
  "an override after a spread": {
    files: typed(
      `const defaults = { interval: 60, isEnabled: true } as const;\n${http("a", "...defaults, interval: 120")}${http("b", "...defaults")}`,
    ),
    drift: { a: { interval: 300 } },
    expected: [["interval: 120", "interval: 300"]],
  },
  "a spread that other resources share": {
    files: typed(
      `const defaults = { interval: 60, isEnabled: true } as const;\n${http("a", "...defaults")}${http("b", "...defaults")}`,
    ),
    drift: { a: { interval: 300 } },
    expected: [['https://a.example.com/", ...defaults }', 'https://a.example.com/", ...defaults, interval: 300 }']],
  },
  shorthand: {
    files: typed(
      `const interval = 60;\nconst url = "https://a.example.com/";\nnew HttpServerTest("a", { testName: "a", url, interval });\n`,
    ),
    drift: { a: { interval: 300, url: "https://b.example.com/" } },
    expected: [
      ["interval = 60", "interval = 300"],
      ["https://a.", "https://b."],
    ],
  },
  "an object that a loop iterates over": {
    files: typed(
      "const sites = {\n  intranet: 'https://intranet.example.com/', // inside\n  shop: 'https://shop.example.com/',\n};\n" +
        "for (const [name, url] of Object.entries(sites)) {\n  new HttpServerTest(name, { testName: name, url, interval: 60 });\n}\n",
    ),
    drift: { shop: { url: "https://shop.example.org/" } },
    expected: [["https://shop.example.com/", "https://shop.example.org/"]],
  },
  "a list of objects with map()": {
    files: typed(
      'const sites = [\n  { name: "intranet", url: "https://intranet.example.com/" },\n  { name: "shop", url: "https://shop.example.com/" },\n];\n' +
        "export const tests = sites.map(({ name, url }) => new HttpServerTest(`${name}-http`, { testName: name, url }));\n",
    ),
    drift: { "shop-http": { url: "https://shop.example.org/" } },
    expected: [["https://shop.example.com/", "https://shop.example.org/"]],
  },
  "a list of objects whose members are arguments": {
    files: typed(
      'const tests = [\n  { name: "vpn", server: "vpn.example.com", port: 443 },\n  { name: "dns", server: "dns.example.com", port: 53 },\n];\n' +
        "for (const { name, ...args } of tests) new AgentToServerTest(name, { testName: name, ...args });\n",
    ),
    drift: { dns: { port: 853 } },
    expected: [["port: 53", "port: 853"]],
  },
  "a value in a loop body that should change for one iteration only": {
    files: typed(
      'for (const name of ["one", "two"]) {\n  new Label(name, { name, matchType: "or", filters: [], color: "#aaaaaa" });\n}\n',
    ),
    drift: { one: { color: "#bbbbbb" } },
    expected:
      'one: index.ts:3 color is shared with two, which has not drifted to the same value: write color: "#bbbbbb" by hand',
  },
  "a configuration value": {
    files: typed(
      `${pulumi}const config = new pulumi.Config();\nnew AgentToServerTest("a", { testName: "a", server: "a.example.com", port: config.requireNumber("port") });\n`,
    ),
    config: { port: 443 },
    drift: { a: { port: 8443 } },
    expected: "a: index.ts:4 port comes from the configuration (port): run `pulumi config set --stack dev port 8443`",
  },
};

const other = 'import { other } from "./other.js";\n';
const two = `${http("a", "interval: defaults.interval")}${http("b", "interval: defaults.interval")}`;
const label = (args: string) => `new Label(name, { name, matchType: "or", filters: [], ${args} });\n`;

const office = 'new Label("office", { name: "office", matchType: "or", filters: [] })';
const byLabels = (name: string) =>
  `new AgentToServerTest("${name}", { testName: "${name}", server: "a.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [office.id] });\n`;

/** Resources that must not change, and resources that may. */
const limits: Record<string, Shape> = {
  "a JavaScript program with an object in another file": {
    files: {
      "index.mjs":
        'import { Label } from "pulumi-endpoint-monitoring";\nimport { rows } from "./rows.mjs";\n' +
        'for (const row of rows) new Label(row.name, { ...row, matchType: "or", filters: [] });\n' +
        'new Label("office", { name: "office", matchType: "or", filters: [] });\n',
      "rows.mjs": 'export const rows = [\n  { name: "a", color: "#0000aa" },\n  { name: "b", color: "#0000aa" },\n];\n',
    },
    drift: { b: { color: "#0000ff" }, office: { color: "#0000ff" } },
    expected: [
      'b: rows.mjs:3 color is in a JavaScript file: only TypeScript and data files are edited: write color: "#0000ff" by hand',
      'office: index.mjs:4 color is in a JavaScript file: only TypeScript and data files are edited: write color: "#0000ff" by hand',
    ].join("\n"),
  },
  "a JavaScript declaration that shares its arguments with another": {
    files: {
      "index.js":
        'const { AgentToServerTest } = require("pulumi-endpoint-monitoring");\nconst args = require("./args.json");\n' +
        'for (const testName of ["a", "b"]) new AgentToServerTest(testName, { ...args, testName });\n',
      "args.json": '{ "server": "a.example.com", "interval": 60 }\n',
    },
    drift: { b: { interval: 300 } },
    expected: "b: args.json:1 interval is shared with a, which has not drifted to the same value: write interval: 300 by hand",
  },
  "an array rest variable as the value of a property": {
    files: typed(
      'for (const [name = "", ...values] of [["a", "guest"]]) {\n' +
        '  new Label("a", { name, matchType: "or", filters: [{ key: "ssid", values: values }] });\n}\n',
    ),
    drift: { a: { filters: [{ key: "ssid", values: ["guest", "corp"] }] } },
    expected: 'a: index.ts:3 filters is a variable: write filters: [{ key: "ssid", values: ["guest", "corp"] }] by hand',
  },
  "a removed list item with a comment, next to a similar item that changed": {
    files: typed(
      'new Label("a", {\n  name: "a",\n  matchType: "or",\n  filters: [\n    { key: "ssid", values: ["a"] }, // the lobby\n' +
        '    { key: "ssid", values: ["a", "b", "x", "y"] }, // the halls\n  ],\n});\n',
    ),
    drift: { a: { filters: [{ key: "ssid", values: ["a", "b", "c", "d"] }] } },
    expected: [
      ['    { key: "ssid", values: ["a"] }, // the lobby\n', ""],
      ['["a", "b", "x", "y"]', '["a", "b", "c", "d"]'],
    ],
  },
  "an object key that names resources": {
    files: typed(
      'const sites = { a: "https://a.example.com/" };\nfor (const [name, url] of Object.entries(sites)) new HttpServerTest(name, { testName: name, url });\n',
    ),
    drift: { a: { testName: "b" } },
    expected: 'a: index.ts:3 testName is a key of an object: write testName: "b" by hand',
  },
  "a list item that names resources": {
    files: typed(`["a", "b"].forEach((name) => ${label("").replace(";\n", ");\n")}`),
    drift: { a: { name: "c" } },
    expected: 'a: index.ts:2 name is also part of the name of a resource: write name: "c" by hand',
  },
  "one constant for two resources with different drift": {
    files: typed(`const defaults = { interval: 60 } as const;\n${two}`),
    drift: { a: { interval: 300 }, b: { interval: 120 } },
    expected:
      "a: index.ts:2 interval is shared with b, which has not drifted to the same value: write interval: 300 by hand\n" +
      "b: index.ts:2 interval is shared with a, which has not drifted to the same value: write interval: 120 by hand",
  },
  "a constant object that the program modifies at run time": {
    files: typed(
      `const defaults = { interval: 60, color: "" };\ndefaults.interval = 300;\ndefaults.color = "";\n${http("a", "interval: defaults.interval")}`,
    ),
    drift: { a: { interval: 120 } },
    expected: "a: index.ts:5 interval is the constant defaults, which other code also uses: write interval: 120 by hand",
  },
  "a constant object with another member that other code reads": {
    files: typed(
      `const defaults = { interval: 60, color: "" } as const;\nconsole.log(defaults.color);\n${http("a", "interval: defaults.interval")}`,
    ),
    drift: { a: { interval: 120 } },
    expected: [["interval: 60", "interval: 120"]],
  },
  "a variable of a loop that other code reads": {
    files: typed(
      'const urls = ["https://a.example.com/"];\nfor (const url of urls) {\n  new HttpServerTest("a", { testName: "a", url });\n  console.log(url);\n}\n',
    ),
    drift: { a: { url: "https://b.example.com/" } },
    expected: 'a: index.ts:4 url is the variable url, which other code also uses: write url: "https://b.example.com/" by hand',
  },
  "an object that other code iterates over": {
    files: typed(
      'const sites = [{ name: "a", url: "https://a.example.com/" }];\nfor (const { name, url } of sites) new HttpServerTest(name, { testName: name, url });\n' +
        "for (const site of sites) console.log(site.url);\n",
    ),
    drift: { a: { url: "https://b.example.com/" } },
    expected:
      'a: index.ts:3 url is the constant sites, which other code also uses: write url: "https://b.example.com/" by hand',
  },
  "an array, and other code that reads only its length": {
    files: typed(
      'const sites = [{ name: "a", url: "https://a.example.com/" }];\nfor (const { name, url } of sites) new HttpServerTest(name, { testName: name, url });\nexport const count = sites.length;\n',
    ),
    drift: { a: { url: "https://b.example.com/" } },
    expected: [["https://a", "https://b"]],
  },
  "a constant with the same name as a variable in a loop": {
    files: typed(
      `const interval = 60;\nfor (const name of ["a", "b"]) {\n  const interval = 120;\n  new HttpServerTest(name, { testName: name, url: "a.example.com", interval });\n}\n${http("c", "interval")}`,
    ),
    drift: { c: { interval: 300 } },
    expected: [["interval = 60", "interval = 300"]],
  },
  "a constant in a loop body with the same drift in each iteration": {
    files: typed(
      'for (const name of ["a", "b"]) {\n  const interval = 120;\n  new HttpServerTest(name, { testName: name, url: "a.example.com", interval });\n}\n',
    ),
    drift: { a: { interval: 300 }, b: { interval: 300 } },
    expected: [["interval = 120", "interval = 300"]],
  },
  "the body of a function with two calls": {
    files: typed(
      'const site = (name: string) =>\n  new HttpServerTest(name, { testName: name, url: "a.example.com", interval: 60 });\nsite("a");\nsite("b");\n',
    ),
    drift: { b: { interval: 120 } },
    expected: "b: index.ts:3 interval is shared with a, which has not drifted to the same value: write interval: 120 by hand",
  },
  "a function that calls itself": {
    files: typed(
      "function tests(names: string[], depth: number): void {\n  if (depth === 0) return;\n  tests(names, depth - 1);\n  tests(names, 0);\n" +
        '  new HttpServerTest("a", { testName: "a", url: "https://a.example.com/" });\n}\ntests([], 1);\n',
    ),
    drift: { a: { url: "https://c.example.com/" } },
    expected: [["https://a.", "https://c."]],
  },
  "the arguments of a component": {
    files: typed(
      'class Site {\n  constructor(name: string, { url }: { url: string }) {\n    new HttpServerTest(`${name}-test`, { testName: name, url });\n  }\n}\nnew Site("a", { url: "https://a.example.com/" });\n',
    ),
    drift: { "a-test": { url: "https://c.example.com/" } },
    expected: [["https://a.", "https://c."]],
  },
  "a list in each item of a table": {
    files: typed(
      'const labels = [\n  { name: "a", ssids: ["a-*"] },\n  { name: "b", ssids: ["b-*"] }, // new\n];\n' +
        'labels.map(({ name, ssids }) => new Label(name, { name, matchType: "or", filters: [{ key: "ssid", values: ssids }] }));\n',
    ),
    drift: { b: { filters: [{ key: "ssid", mode: "in", values: ["b-*", "guest"] }] } },
    expected: [['["b-*"]', '["b-*", "guest"]']],
  },
  "a member that only some items have, with a type": {
    files: typed(
      'const sites: { name: string; interval?: 60 | 300 }[] = [\n  { name: "a", interval: 60 },\n  { name: "b" },\n];\n' +
        'for (const { name, interval } of sites) new HttpServerTest(name, { testName: name, url: "a.example.com", interval });\n',
    ),
    drift: { b: { interval: 300 } },
    expected: [['{ name: "b" }', '{ name: "b", interval: 300 }']],
  },
  "destructured constants with a default": {
    files: typed(
      "const defaults: { interval: 60 | 300; isEnabled?: boolean } = { interval: 60 };\nconst { interval, isEnabled = true } = defaults;\n" +
        'const [url] = ["https://a.example.com/"] as const;\nnew HttpServerTest("a", { testName: "a", url, interval, isEnabled });\n',
    ),
    drift: { a: { interval: 300, isEnabled: false, url: "https://b.example.com/" } },
    expected: [
      ["{ interval: 60 };", "{ interval: 300 };"],
      ["isEnabled = true", "isEnabled = false"],
      ["https://a.", "https://b."],
    ],
  },
  "arguments of a nested function call": {
    files: typed(
      "function sites(domain: string) {\n  const site = (name: string, url: string) => new HttpServerTest(`${name}-${domain}`, { testName: name, url });\n" +
        '  site("a", "https://a.example.com/");\n  site("b", "https://b.example.com/");\n}\nsites("com");\n',
    ),
    drift: { "a-com": { url: "https://c.example.com/" } },
    expected: [["https://a.", "https://c."]],
  },
  "a default after ?? that several items share": {
    files: typed(
      'const sites: { name: string; interval?: 60 | 300 }[] = [{ name: "a", interval: 60 }, { name: "b" }];\n' +
        'for (const site of sites) new HttpServerTest(site.name, { testName: site.name, url: "a.example.com", interval: site.interval ?? 120 });\n',
    ),
    drift: { b: { interval: 300 } },
    expected: [["?? 120", "?? 300"]],
  },
  "a constant in another file": {
    files: {
      ...typed(`${other}${http("a", "interval: other.interval")}`),
      "other.ts": "export const other = { interval: 60 } as const;\n",
    },
    drift: { a: { interval: 300 } },
    expected: [["interval: 60", "interval: 300"]],
  },
  "a constant in another file, with a namespace import": {
    files: {
      ...typed(`${other}import * as all from "./other.js";\nconsole.log(all);\n${http("a", "interval: other.interval")}`),
      "other.ts": "export const other = { interval: 60 } as const;\n",
    },
    drift: { a: { interval: 300 } },
    expected: "a: index.ts:5 interval is the constant other, which other files can import: write interval: 300 by hand",
  },
  "a label of another file that several tests get": {
    files: {
      "index.ts":
        'import { AgentToServerTest } from "pulumi-endpoint-monitoring";\nimport { office } from "./labels.js";\n' +
        ["a", "b"].map((name) => byLabels(name)).join(""),
      "labels.ts": `${em}export const office = ${office};\nexport const lab = ${office.replaceAll("office", "lab")};\n`,
    },
    drift: { a: { endpointAgentLabels: ["id-of-office", "id-of-lab"] }, b: { endpointAgentLabels: ["id-of-lab"] } },
    expected: [
      [
        'import { office } from "./labels.js";\n',
        'import { office } from "./labels.js";\nimport { lab } from "./labels.js";\n',
      ],
      ["[office.id]", "[office.id, lab.id]"],
      ["[office.id] }", "[lab.id] }"],
    ],
  },
  "labels of a list in a file that cannot name them": {
    files: {
      "index.ts":
        'import { AgentToServerTest } from "pulumi-endpoint-monitoring";\nimport { office } from "./labels.js";\nimport { rows } from "./rows.js";\nconsole.log(office.id);\n' +
        'for (const { name, labels } of rows)\n  new AgentToServerTest(name, { testName: name, server: "a.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: labels });\n',
      "rows.ts": 'export const rows = [{ name: "a", labels: ["7"] }];\n',
      "labels.ts": `${em}export const office = ${office};\n`,
    },
    drift: { a: { endpointAgentLabels: ["7", "id-of-office"] } },
    expected: [['["7"]', '["7", "id-of-office"]']],
  },
  "names that no code uses after the edit": {
    files: {
      "index.ts":
        'import { AgentToServerTest } from "pulumi-endpoint-monitoring";\nimport {\n  lab, // of the second floor\n  office,\n  home,\n} from "./labels.js";\nimport { spare } from "./spare.js";\nimport {} from "./labels.js";\n' +
        'new AgentToServerTest("a", { testName: "a", server: "a.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [office.id, spare.id, lab.id] });\nconsole.log(home.id);\n',
      "labels.ts": `${em}export const lab = new Label("lab", { name: "Lab", matchType: "or", filters: [] });\nexport const office = ${office};\nexport const home = new Label("home", { name: "Home", matchType: "or", filters: [] });\n`,
      "spare.ts": `${em}export const spare = new Label("spare", { name: "Spare", matchType: "or", filters: [] });\n`,
    },
    drift: { a: { endpointAgentLabels: ["id-of-lab"] } },
    expected: [
      ["  office,\n", ""],
      ['import { spare } from "./spare.js"', 'import "./spare.js"'],
      ["[office.id, spare.id, lab.id]", "[lab.id]"],
    ],
  },
  "rows of a JSON file": {
    files: {
      ...typed(
        'import sites from "./sites.json";\nfor (const site of sites) new HttpServerTest(site.name, { testName: site.name, url: site.url });\n',
      ),
      "sites.json":
        '[\n  { "name": "a", "url": "https://a.example.com/" },\n  { "name": "b", "url": "https://b.example.com/" }\n]\n',
    },
    drift: { b: { url: "https://c.example.com/" } },
    expected: [["https://b.", "https://c."]],
  },
  "members of a JSON file of JavaScript, which get one more": {
    files: {
      "index.js":
        'const { AgentToServerTest } = require("pulumi-endpoint-monitoring");\nconst args = require("./args.json");\nnew AgentToServerTest("a", args);\n',
      "args.json": '{ "testName": "a", "server": "a.example.com", "port": 443 }\n',
    },
    drift: { a: { port: 8443, isEnabled: false } },
    expected: [["443 }", '8443, "isEnabled": false }']],
  },
  "a JSON file that the program parses": {
    files: {
      "index.ts":
        'import { readFileSync } from "node:fs";\nimport { Label } from "pulumi-endpoint-monitoring";\n' +
        'const labels: Record<string, string[]> = JSON.parse(readFileSync("./labels.json", "utf8"));\n' +
        'for (const [name, values] of Object.entries(labels)) new Label(name, { name, matchType: "or", filters: [{ key: "ssid", values }] });\n',
      "labels.json": '{\n  "a": ["a-*"],\n  "b": ["b-*"]\n}\n',
    },
    drift: { b: { filters: [{ key: "ssid", mode: "in", values: ["b-*", "guest"] }] } },
    expected: [['"b-*"', '"b-*", "guest"']],
  },
  "a JSON file that other code also reads": {
    files: {
      ...typed(
        'import * as other from "./other.js";\nimport data from "./data.json";\nconsole.log(other);\n' +
          http("a", "interval: data.interval as 60"),
      ),
      "other.ts": 'import data from "./data.json";\nexport const twice = data.interval * 2;\n',
      "data.json": '{ "interval": 60 }\n',
    },
    drift: { a: { interval: 300 } },
    expected:
      "a: index.ts:5 interval comes from data.json, which the program names more than once: write interval: 300 by hand",
  },
  "rows of YAML with comments, quotes and CRLF, which get and lose items": {
    files: {
      "index.js": `${inventory}for (const t of data.tests) new AgentToServerTest(t.name.replace(" ", "-"), { ...t.more, testName: t.name, server: t.host, interval: t.interval });\n`,
      "inventory.yaml":
        "---\r\n# Tests\r\ntests:   # all\r\n  - { name: a, host: 'a.example.com' }  # kept\r\n  - name:  \"b\"   # moved in May\r\n" +
        "    host: b.example.com\r\n    interval:   300 # often\r\n    more:\r\n      # TCP\r\n      port: 443\r\n      ipVersion: V6_ONLY\r\n      isEnabled: false\r\n  - name: c\r\n    host: c.example.com # last\r\n\r\n# The end",
    },
    drift: {
      a: { server: "it.example.com", interval: 600 },
      b: { server: "c.example.com", interval: 600, port: 8443, ipVersion: undefined, isEnabled: true },
      c: { interval: 600 },
    },
    expected: [
      ["'a.example.com' }", "'it.example.com', interval: 600 }"],
      ["host: b.", "host: c."],
      ["  300 #", "  600 #"],
      ["443\r\n      ipVersion: V6_ONLY\r\n      isEnabled: false", "8443\r\n      isEnabled: true"],
      ["# last", "# last\r\n    interval: 600"],
    ],
  },
  "items of lists in YAML": {
    files: {
      "index.js": `${inventory}for (const [name, values] of Object.entries(data)) new Label(name, { name, matchType: "or", filters: [{ key: "ssid", values }] });\n`,
      "inventory.yaml": "a: [ 'a', b ] # one\nb:\n# two\n- 'b-*'  # three\n- c # four\n- d\n",
    },
    drift: {
      a: { filters: [{ key: "ssid", mode: "in", values: ["a", "guest"] }] },
      b: { filters: [{ key: "ssid", mode: "in", values: ["b-*", "d", "e", "true"] }] },
    },
    expected: [
      ["'a', b ]", "'a', 'guest' ]"],
      ["- c # four\n- d\n", "- d\n- 'e'\n- 'true'\n"],
    ],
  },
  "parts of YAML that stand for more, or for doubt": {
    files: {
      "index.js": `${inventory}for (const t of data.tests) new AgentToServerTest(t.name, { testName: t.name, server: t.host, interval: t.interval });\n`,
      "inventory.yaml":
        "every: &m { interval: 60 }\ntests:\n  - { <<: *m, name: a, host: a.example.com }\n  - name: b\n    host: &h b.example.com\n" +
        "    interval: 300\n  - name: c\n    host: *h\n    interval: 0x3c\n",
    },
    drift: { a: { interval: 600 }, b: { server: "new.example.com" }, c: { server: "new.example.com", interval: 600 } },
    expected:
      "a: inventory.yaml:3 interval is merged from an anchor (tests[0].interval): write interval: 600 by hand\n" +
      'b: inventory.yaml:5 server has an anchor (tests[1].host): write server: "new.example.com" by hand\n' +
      'c: inventory.yaml:8 server is an alias (tests[2].host): write server: "new.example.com" by hand\n' +
      "c: inventory.yaml:9 interval is a value that YAML parsers read differently (tests[2].interval): write interval: 600 by hand",
  },
  "a constant that is an output of the stack": {
    files: typed(`export const interval = 60;\n${http("a", "interval")}`),
    drift: { a: { interval: 300 } },
    expected: "a: index.ts:3 interval is the constant interval, which other files can import: write interval: 300 by hand",
  },
  "a default for a configuration value": {
    files: typed(
      `${pulumi}const config = new pulumi.Config("web");\nnew HttpServerTest("a", { testName: config.get("name") ?? "A", url: "a.example.com" });\n`,
    ),
    drift: { a: { testName: "it's -new" } },
    expected:
      "a: index.ts:4 testName comes from the configuration (web:name): run `pulumi config set --stack dev web:name 'it'\\''s -new'`",
  },
  "a secret configuration value": {
    files: typed(
      `${pulumi}const config = new pulumi.Config();\nnew HttpServerTest("a", { testName: "a", url: "a.example.com", authType: "basic", username: "u", password: config.requireSecret("pass") });\n`,
    ),
    config: { pass: "old-s3cret" },
    drift: { a: { password: "new-s3cret" } },
    expected:
      "a: index.ts:4 password is secret: it is never written into a program: run `pulumi config set --stack dev --secret pass`, which asks for the value",
  },
};

/** Accepts the drift of a shape. */
async function accepted({ files, drift, config = {} }: Shape) {
  const declared = declaredBy(files, config);
  const realities = declared.map(({ kindName, name, args }) => {
    const { inputs } = check(registry[kindName], args);
    return { resource: resource(kindName, name, { inputs }), changes: changes(drift[name] ?? {}) };
  });
  const acceptance = await acceptIn(files, realities);
  const after = { ...files, ...Object.fromEntries(acceptance.edits.map(({ path, after: text }) => [path, text])) };
  const lines = acceptance.refused.map(
    ({ resource: of, property, reason, advice, position }) =>
      `${of.name}: ${position ? positionText(position) : ""} ${property} ${reason}: ${advice}`,
  );
  return { declared, after, lines };
}

describe("drift --accept in common program styles", () => {
  const edited: Record<string, string> = {};

  test.each([...Object.entries(shapes), ...Object.entries(limits)])(
    "drift --accept edits the program or reports the place to edit: %s",
    async (name, shape) => {
      const { files, drift, config, expected } = shape;
      const { declared, after, lines } = await accepted(shape);
      const isAccepted = typeof expected !== "string";
      expect(lines).toEqual(isAccepted ? [] : expected.split("\n"));
      const texts = Object.entries(files).map(([path, text]) => {
        const changed = isAccepted ? expected.reduce((all, [from, to]) => all.replace(from, to), text) : text;
        return [path, changed];
      });
      expect(after).toEqual(Object.fromEntries(texts));
      if (!isAccepted) return;
      // The edited program declares the current values. Everything else is unchanged.
      const now = declaredBy(after, config);
      expect(now.map((declaration) => declaration.name)).toEqual(declared.map((declaration) => declaration.name));
      for (const [i, { kindName, name: of, args }] of declared.entries()) {
        const kind: Kind = registry[kindName];
        const real = { ...check(kind, args).inputs, ...drift[of] };
        const { inputs, failures } = check(kind, now[i]?.args ?? {});
        // The ids of these tests are names.
        const wrong = failures.filter(({ reason }) => !reason.startsWith("must be the id of a label"));
        expect([of, wrong, compare(kind, real, inputs)]).toEqual([of, [], []]);
      }
      // The compiler does not read YAML.
      for (const [path, text] of Object.entries(after))
        if (!path.endsWith(".yaml")) edited[`${name.replaceAll(/\W+/g, "-")}/${path}`] = text;
    },
  );

  test("drift --accept edits most of the tested programs", () => {
    const count = Object.values(shapes).filter(({ expected }) => typeof expected !== "string").length;
    expect([Object.keys(shapes).length, count]).toEqual([17, 13]);
  });

  test("drift --accept accepts only drift that occurs in both stacks of a program", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `site-${i}`);
    const rows = names.map((name) => `  { name: "${name}", url: "https://${name}.example.com/" },\n`);
    const files = typed(
      `const sites = [\n${rows.join("")}];\nfor (const site of sites) new HttpServerTest(site.name, { testName: site.name, url: site.url, interval: 60 });\n`,
    );
    const real = (stack: string, i: number): string => {
      // Ten changes are equal in both stacks. Ten differ.
      return `https://${i < 10 ? "both" : stack}-${i}.example.com/`;
    };
    const realities = ["dev", "prod"].flatMap((stack) =>
      declaredBy(files).map(({ kindName, name, args }, i) => {
        const { inputs } = check(registry[kindName], args);
        return { resource: resource(kindName, name, { stack, inputs }), changes: changes({ url: real(stack, i) }) };
      }),
    );
    expect(realities.flatMap((reality) => reality.changes)).toHaveLength(40);
    const { edits, placed, refused } = await acceptIn(files, realities);
    expect([placed.length, refused.length, edits.length]).toEqual([20, 20, 1]);
    expect(declaredBy({ "index.ts": edits[0]?.after ?? "" }).map(({ args }) => args["url"])).toEqual(
      names.map((name, i) => (i < 10 ? real("dev", i) : `https://${name}.example.com/`)),
    );
    expect(refused.map(({ resource: { stack }, advice }) => [stack, advice])).toEqual(
      refused.map(({ resource: { stack, name } }) => {
        const [key, value] = [`${name}-url`, real(stack, names.indexOf(name))];
        const read = `new pulumi.Config().get("${key}") ?? "https://${name}.example.com/"`;
        return [
          stack,
          `write url: ${read}, which changes no other stack, and run \`pulumi config set --stack ${stack} ${key} ${value}\``,
        ];
      }),
    );
  });

  test("programs that drift --accept has edited compile against the package", () => {
    const root = resolve(__dirname, "../..");
    const options: ts.CompilerOptions = {
      noEmit: true,
      strict: true,
      allowJs: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ["node"],
    };
    const host = ts.createCompilerHost(options);
    const texts = new Map(Object.entries(edited).map(([path, text]) => [resolve(root, "examples/.shapes", path), text]));
    host.readFile = (path) => texts.get(path) ?? ts.sys.readFile(path);
    host.fileExists = (path) => texts.has(path) || ts.sys.fileExists(path);
    // The files are only in memory.
    host.directoryExists = undefined;
    host.resolveModuleNameLiterals = (literals, from) =>
      literals.map(({ text }) =>
        text === "pulumi-endpoint-monitoring"
          ? { resolvedModule: { resolvedFileName: resolve(root, "sdk/index.ts"), extension: ".ts" } }
          : ts.resolveModuleName(text, from, options, host),
      );
    const program = ts.createProgram([...texts.keys()], options, host);
    const mistakes = [...texts.keys()].flatMap((path) => {
      const file = program.getSourceFile(path);
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    });
    expect(
      mistakes.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
    ).toEqual([]);
  });
});
