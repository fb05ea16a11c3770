export { reviewPolicies, type EnforcementLevel, type ReviewPolicy, type ReviewPolicyOptions } from "./policies";
export type { PolicyResource } from "./resource";
