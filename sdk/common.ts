import type * as pulumi from "@pulumi/pulumi";

/** The account group of a resource. */
export interface AccountGroupProperties {
  /**
   * Account group (`aid`) of the record. Default: the stack's `endpoint-monitoring:accountGroupId`, or the token's own if it
   * is not set. Changing it replaces the record.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
}

/** Arguments of every resource that is a record of the service. */
export interface RecordProperties extends AccountGroupProperties {
  /**
   * Adopts the existing record with the same name instead of creating a new one, and updates its properties as declared. The
   * update fails and lists the records if several have that name, or if another resource of the program manages the record. It
   * has no effect on existing resources, so it may stay in the program. Default: false. Then the update fails if an identical
   * record exists that no resource of the program manages.
   */
  adopt?: pulumi.Input<boolean> | undefined;
}

/** Outputs of every resource. */
export interface CommonOutputs {
  /** Account group (`aid`) of the record. */
  accountGroupId?: string;
  /** Properties with unknown values, because the service never returns them and the record was imported or read with `get`. */
  unknownFields?: string[];
  /** Optional properties that the program omits, so that the service chooses their values. */
  unmanagedFields?: string[];
}
