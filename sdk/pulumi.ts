/**
 * Exports the members of Pulumi's SDK that this package uses, without loading the SDK's index module. The SDK's index module
 * also loads the Automation API, an npm client and the TypeScript compiler. In a small program, loading the index module takes
 * longer than all other work.
 */
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export type { InvokeOptions } from "@pulumi/pulumi/invoke";
export { warn } from "@pulumi/pulumi/log";
export { all, type Input, type Inputs, isSecret, Output, output, secret, unknown } from "@pulumi/pulumi/output";
export {
  type Alias,
  CustomResource,
  type CustomResourceOptions,
  type ID,
  mergeOptions,
  ProviderResource,
  type Resource,
  type ResourceOptions,
  type URN,
} from "@pulumi/pulumi/resource";
export { invoke } from "@pulumi/pulumi/runtime/invoke";
export * as rpc from "@pulumi/pulumi/runtime/rpc";
export { getProject, getStack, hasMonitor, isDryRun } from "@pulumi/pulumi/runtime/settings";
