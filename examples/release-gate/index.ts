/**
 * A release gate: the deployment continues only if agents on users' devices reach the new version. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi config set release-gate:url <URL of the new version>
 *   pulumi config set release-gate:version 42
 *   pulumi up
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerInstantTest, HttpServerInstantTest, HttpServerTest, TestRun } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("release-gate");
const url = config.require("url");

// Runs once for each version. If the results do not meet the limits, the update fails here with the measurements. The run does
// not stay in the state, so the next update measures again.
const gate = new HttpServerInstantTest("gate", {
  testName: "Release gate",
  url,
  triggers: [config.require("version")],
  waitForResults: { timeout: config.getNumber("timeout") ?? 120 },
  expect: { minAvailability: 100, maxResponseTime: 2000 },
});

// Also tests the network path to the new version.
const { hostname, port, protocol } = new URL(url);
const path = new AgentToServerInstantTest("path", {
  testName: "Release gate, path",
  server: hostname,
  port: Number(port) || (protocol === "https:" ? 443 : 80),
  triggers: [config.require("version")],
  expect: { maxLoss: 10 },
});

// This test waits for both gates. It monitors the new version, and its first round runs immediately.
const watch = new HttpServerTest("watch", { testName: "Live version", url, interval: 60 }, { dependsOn: [gate, path] });
new TestRun("first-round", { testId: watch.id, triggers: [config.require("version")] });

export const measured = gate.results;
