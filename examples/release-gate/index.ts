/**
 * A release gate: the deployment goes on only when agents on users' devices really reach the new version. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <root of the service, or of the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi config set release-gate:url <address of the new version>
 *   pulumi config set release-gate:version 42
 *   pulumi up
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerInstantTest, HttpServerInstantTest, HttpServerTest, TestRun } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("release-gate");
const url = config.require("url");

// Runs once a version. If devices measure otherwise than expected, the update fails here and says what they measured; nothing
// of the run stays in state, so the next update measures anew.
const gate = new HttpServerInstantTest("gate", {
  testName: "Release gate",
  url,
  triggers: [config.require("version")],
  waitForResults: { timeout: config.getNumber("timeout") ?? 120 },
  expect: { minAvailability: 100, maxResponseTime: 2000 },
});

// The path to it, likewise.
const { hostname, port, protocol } = new URL(url);
const path = new AgentToServerInstantTest("path", {
  testName: "Release gate, path",
  server: hostname,
  port: Number(port) || (protocol === "https:" ? 443 : 80),
  triggers: [config.require("version")],
  expect: { maxLoss: 10 },
});

// Whatever depends on the gates waits for them: here, the watch over the version that is now live, and its first round at once.
const watch = new HttpServerTest("watch", { testName: "Live version", url, interval: 60 }, { dependsOn: [gate, path] });
new TestRun("first-round", { testId: watch.id, triggers: [config.require("version")] });

export const measured = gate.results;
