/** What the demo knows of examples/quickstart: what it declares, and how the demo changes its copy of it. */
import fs from "node:fs";

import { DemoFailure } from "./failure.mjs";

/** Names by kind. */
export const declared = {
  labels: ["Laptops on Wi-Fi", "Office", "Remote on VPN"],
  agentToServer: ["Office DNS", "VPN gateway"],
  httpServer: ["Intranet", "Portal"],
  dynamic: ["Meetings"],
};

/** The resources, and the stack, which the engine counts as one. */
export const everything = Object.values(declared).flat().length + 1;

/** Labels by which tests select agents. */
export const selections = {
  "VPN gateway": ["Remote on VPN"],
  "Office DNS": ["Office"],
  Portal: ["Office", "Remote on VPN"],
  Intranet: ["Laptops on Wi-Fi"],
};

/** A property that an update changes, and one that can be set at creation only. */
export const edits = {
  "vpn-gateway": { property: "interval", from: 300, to: 120 },
  intranet: { property: "httpTimeLimit", from: 3000, to: 4000 },
};

/**
 * Makes the edits in a program.
 * @param {string} file
 * @returns {string[]} What was edited, as a diff.
 */
export function editProgram(file) {
  const lines = fs.readFileSync(file, "utf8").split("\n");
  const diff = Object.entries(edits).flatMap(([resource, { property, from, to }]) => {
    const start = lines.findIndex((line) => line.includes(`Test("${resource}"`));
    const at = lines.indexOf(`  ${property}: ${from},`, start);
    if (start < 0 || at < 0) throw new DemoFailure(`${file} should have "${property}: ${from}" in ${resource}, but has not.`);
    const former = lines[at];
    lines[at] = `  ${property}: ${to},`;
    return [`  ${lines[start]}`, `- ${former}`, `+ ${lines[at]}`];
  });
  fs.writeFileSync(file, lines.join("\n"));
  return diff;
}

/** All records of the service by name. */
export function byName(records) {
  return Object.fromEntries(Object.values(records).flatMap((list) => list.map((record) => [nameOf(record), record])));
}

/** Names of the service's records by kind. */
export function namesByKind(records) {
  return Object.fromEntries(Object.entries(records).map(([kind, list]) => [kind, list.map(nameOf).toSorted()]));
}

function nameOf(record) {
  return record.testName ?? record.name;
}
