import type * as pulumi from "@pulumi/pulumi";

/** The account group of a resource. */
export interface AccountGroupProperties {
  /**
   * Account group (`aid`) of the record. Default: the stack's setting `endpoint-monitoring:accountGroupId`, or the token's
   * account group. A change replaces the record.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
}

/** Arguments of every resource that manages a record in the service. */
export interface RecordProperties extends AccountGroupProperties {
  /**
   * Whether the provider adopts and updates an existing record with the same name instead of creating a record. If several
   * records have the same name, the update fails and lists the records. The update also fails if another resource in the
   * program manages the existing record. `adopt` may stay in the program, because it has no effect on existing resources.
   * Default: false. Without `adopt`, the resource's creation fails if an identical record exists that the program does not
   * manage.
   */
  adopt?: pulumi.Input<boolean> | undefined;
}

/** Outputs of every resource. */
export interface CommonOutputs {
  /** Account group (`aid`) of the record. */
  accountGroupId?: string;
  /** Properties with values that are unknown after an import or `get`, because the service never returns the values. */
  unknownFields?: string[];
  /** Optional properties that the program omits. The service chooses the values of omitted properties. */
  unmanagedFields?: string[];
}
