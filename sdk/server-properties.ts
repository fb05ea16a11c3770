import type * as pulumi from "@pulumi/pulumi";

/** Target of an agent-to-server test. */
export interface ServerProperties {
  /** Host name or IP address of the target, without a port. Case-insensitive. */
  server: pulumi.Input<string>;
  /** Port of the target, 1 to 65535. Default: 443. */
  port?: pulumi.Input<number> | undefined;
}
