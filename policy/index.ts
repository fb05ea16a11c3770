export {
  reviewPolicies,
  type EnforcementLevel,
  type PolicyResource,
  type ReviewPolicy,
  type ReviewPolicyOptions,
} from "./policies";
