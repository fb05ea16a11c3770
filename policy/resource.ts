/** A resource as the stack declares it, in the form that the engine passes to a policy pack. */
export interface PolicyResource {
  readonly type: string;
  readonly urn: string;
  /** Reading a property that is unknown in a preview throws. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly opts: {
    readonly protect: boolean;
    readonly ignoreChanges: string[];
    readonly aliases: string[];
    readonly additionalSecretOutputs: string[];
  };
  readonly propertyDependencies: Readonly<Record<string, readonly { readonly urn: string }[]>>;
}
