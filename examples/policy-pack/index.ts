/**
 * The rules of `endpoint-monitoring review --fail-on`, enforced by the engine. In the folder of a program:
 *
 *   pulumi preview --policy-pack ../policy-pack
 *   pulumi up --policy-pack ../policy-pack
 */
import { PolicyPack } from "@pulumi/policy";
import { reviewPolicies } from "pulumi-endpoint-monitoring/policy";

new PolicyPack("endpoint-monitoring", {
  policies: reviewPolicies({
    // Rules that are not named here are reported, and stop nothing.
    levels: {
      protected: "mandatory",
      deletes: "mandatory",
      "selects-all": "mandatory",
      "over-license": "mandatory",
      "too-often": "mandatory",
    },
    // Seconds between rounds of a test, by the license of the agents that run it.
    minIntervals: { essentials: 300, advantage: 60 },
  }),
});
