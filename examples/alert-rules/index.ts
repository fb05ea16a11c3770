// The runtime compiles what the program names, and looks at no other file.
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

// Of the same program: where the label is replaced, the rule gets its new id in the same update.
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

// Rules that somebody made in the UI name the test by its id: a replacement lists them, to be linked to the new test by hand.
export const test = new HttpServerTest(
  "portal",
  { testName: "Portal", url: "https://portal.example.com", isPrioritized: config.getBoolean("prioritized") ?? false },
  { hooks: relinkHooks },
).id;
