// The runtime compiles only the files that the program references.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./thousandeyes.d.ts" />
import * as pulumi from "@pulumi/pulumi";
import * as thousandeyes from "@pulumi/thousandeyes";
import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";
import { relinkHooks } from "./relink";

const config = new pulumi.Config();

const office = new Label("office", {
  name: "Office",
  matchType: "or",
  filters: [{ key: "platform", values: ["Windows", "Mac"] }],
  accountGroupId: config.get("accountGroup"),
});

// A rule of the same program. If the label is replaced, the same update sets its new id in the rule.
export const rule = new thousandeyes.AlertRule("slow-pages", {
  ruleName: "Slow pages in the office",
  alertType: "endpoint-browser-sessions-agent",
  alertGroupType: "browser-session",
  expression: "((pageLoadTime >= 5000 ms))",
  minimumSources: 1,
  roundsViolatingOutOf: 1,
  roundsViolatingRequired: 1,
  endpointLabelIds: [office.id],
}).id;

// Rules from the UI contain the test's id. After a replacement, the hooks list these rules, and you link them to the new test.
export const test = new HttpServerTest(
  "portal",
  { testName: "Portal", url: "https://portal.example.com", isPrioritized: config.getBoolean("prioritized") ?? false },
  { hooks: relinkHooks },
).id;
