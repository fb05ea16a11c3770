/** A resource of the stack, as the engine passes it to a policy pack. */
export interface PolicyResource {
  readonly type: string;
  readonly urn: string;
  /** Properties of the resource. Reading a property that is unknown in a preview throws an error. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly opts: {
    readonly protect: boolean;
    readonly ignoreChanges: string[];
    readonly aliases: string[];
    readonly additionalSecretOutputs: string[];
  };
  readonly propertyDependencies: Readonly<Record<string, readonly { readonly urn: string }[]>>;
}
