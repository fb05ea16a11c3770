// The part of the vendor's provider that this example uses. Delete this file after `pulumi package add` generates the provider.
declare module "@pulumi/thousandeyes" {
  import * as pulumi from "@pulumi/pulumi";

  export interface AlertRuleArgs {
    ruleName: pulumi.Input<string>;
    alertType: pulumi.Input<string>;
    expression: pulumi.Input<string>;
    roundsViolatingOutOf: pulumi.Input<number>;
    roundsViolatingRequired: pulumi.Input<number>;
    alertGroupType?: pulumi.Input<string>;
    minimumSources?: pulumi.Input<number>;
    endpointLabelIds?: pulumi.Input<pulumi.Input<string>[]>;
  }

  export class AlertRule extends pulumi.CustomResource {
    constructor(name: string, args: AlertRuleArgs, options?: pulumi.CustomResourceOptions);
    /** Read-only, because the provider cannot link tests. */
    readonly testIds: pulumi.Output<string[]>;
  }
}
