import type * as pulumi from "@pulumi/pulumi";

/** Where a resource lives. */
export interface AccountGroupProperties {
  /**
   * Account group (`aid`) of the record. Default: the stack's `endpoint-monitoring:accountGroupId`, else the token's own. Changing
   * it replaces the record.
   */
  accountGroupId?: pulumi.Input<string>;
}

/** Arguments of every resource that is a record of the service. */
export interface RecordProperties extends AccountGroupProperties {
  /**
   * Adopts the existing record of the same name instead of creating a second one, and sets the properties that can change in place
   * as declared. The update fails where several records have that name, and lists them. A resource that exists already is not
   * affected, so this may stay in the program. Default: false, and the update fails where an identical record exists.
   */
  adopt?: pulumi.Input<boolean>;
}

/** Outputs of every resource. */
export interface CommonOutputs {
  /** Account group (`aid`) of the record. */
  accountGroupId?: string;
  /** Properties that the service never returns and whose value is not known, because the record was imported or read with `get`. */
  unknownFields?: string[];
  /** Optional properties that the program leaves to the service. */
  unmanagedFields?: string[];
}
