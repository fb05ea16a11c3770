import type * as pulumi from "@pulumi/pulumi";

/** The account group of a resource. */
export interface AccountGroupProperties {
  /**
   * Account group (`aid`) of the record. Default: the stack's `endpoint-monitoring:accountGroupId`, else the token's own. Changing
   * it replaces the record.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
}

/** Arguments of every resource that is a record of the service. */
export interface RecordProperties extends AccountGroupProperties {
  /**
   * Adopts the existing record of the same name instead of creating another, and updates its properties as declared. If several records
   * have that name, or another resource of the program manages the one that has it, the update fails and lists them. This has no effect on
   * a resource that exists already, so it may stay in the program. Default: false, and the update fails if an identical record exists that
   * no resource of the program manages.
   */
  adopt?: pulumi.Input<boolean> | undefined;
}

/** Outputs of every resource. */
export interface CommonOutputs {
  /** Account group (`aid`) of the record. */
  accountGroupId?: string;
  /** Properties that the service never returns and whose value is unknown, because the record was imported or read with `get`. */
  unknownFields?: string[];
  /** Optional properties that the program leaves to the service. */
  unmanagedFields?: string[];
}
