/**
 * Enforces the rules of `endpoint-monitoring review --fail-on` in each preview. In the folder of a program:
 *
 *   pulumi preview --policy-pack ../policy-pack
 *   pulumi up --policy-pack ../policy-pack
 */
import { PolicyPack } from "@pulumi/policy";
import { reviewPolicies } from "pulumi-endpoint-monitoring/policy";

new PolicyPack("endpoint-monitoring", {
  policies: reviewPolicies({
    // The preview reports violations of the other rules, and continues.
    levels: {
      protected: "mandatory",
      deletes: "mandatory",
      "selects-all": "mandatory",
      "over-license": "mandatory",
    },
  }),
});
