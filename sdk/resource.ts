import * as pulumi from "@pulumi/pulumi";
import { providerString, typeToken } from "./token";

/** What a resource class has to know of its kind without loading it. */
export interface ResourceClass {
  /** Class name, `AgentToServerTest`. */
  readonly name: string;
  /** Every output: one that is not listed here is undefined on the object. */
  readonly outputs: readonly string[];
  /** Inputs that are secret whether or not the program marks them. */
  readonly secrets: readonly string[];
  /**
   * Where its records come from: `made` by people; `found`, as they exist by themselves, so that a replacement adopts another one and
   * deletes nothing; `none`, as it has no record of its own.
   */
  readonly origin: "made" | "found" | "none";
}

/** Returns `of`; compiles only where the types of the class agree with its kind (`Agrees`). */
// The compiler checks it, at each call.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function agreed<_Agreed extends true>(of: ResourceClass): ResourceClass {
  return of;
}

/** A resource class: constructs `R`, and holds what the base has to know. */
interface ResourceConstructor<A, R> {
  new (name: string, args: A, opts?: pulumi.CustomResourceOptions): R;
  readonly of: ResourceClass;
}

/** Arguments of `get`, beside the id. */
export interface GetArgs {
  /** Account group (`aid`) to look in. Default: the stack's `endpoint-monitoring:accountGroupId`, else the token's own. */
  accountGroupId?: pulumi.Input<string>;
}

/** Base of all resource classes: what they have in common. */
export abstract class Resource<A extends object> extends pulumi.CustomResource {
  /** @internal */
  static readonly of: ResourceClass;

  /**
   * @param name name in the program: the engine identifies the resource by it
   * @param args what to declare; everything wrong with it is reported at once, at preview
   * @param opts options of the engine, such as `protect` or `dependsOn`
   */
  constructor(name: string, args: A, opts: pulumi.CustomResourceOptions = {}) {
    const { of } = new.target;
    if (opts.import !== undefined) throw new pulumi.RunError(refusedImport(of, name));
    const outputs = Object.fromEntries(of.outputs.map((output) => [output, undefined]));
    const inputs: Record<string, unknown> = Object.fromEntries(Object.entries(args));
    for (const secret of of.secrets) {
      if (inputs[secret] !== undefined) inputs[secret] = pulumi.secret(inputs[secret]);
    }
    const merged = pulumi.mergeOptions(opts, { additionalSecretOutputs: [...of.secrets] });
    // One that is only read is never replaced.
    if (opts.id === undefined) merged.deleteBeforeReplace ??= deletesBeforeReplace(of);
    super(typeToken(of.name), name, { ...outputs, ...inputs, __provider: providerOf(of, args) }, merged);
    if ((merged.replaceOnChanges ?? []).length > 0) void pulumi.log.warn(ignoredOption, this);
  }

  /**
   * Reads a record that this program does not manage.
   *
   * @param id identifier of the record; the program fails where there is none
   * @param args where to look, if not in the stack's account group
   */
  static get<A extends object, R extends Resource<A>>(
    this: ResourceConstructor<A, R>,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: GetArgs = {},
    opts: pulumi.CustomResourceOptions = {},
  ): R {
    // Nothing is declared of a record that is only read, so none of the required arguments is there.
    return new this(name, args as A, { ...opts, id });
  }

  /** Whether `object` is of this class, even of another copy of this package. */
  static override isInstance<R>(
    this: { readonly of: ResourceClass; prototype: R },
    object: unknown,
  ): object is R & pulumi.CustomResource {
    return (object as { __pulumiType?: unknown } | undefined)?.__pulumiType === typeToken(this.of.name);
  }
}

/** The provider of a resource: a discreet one where the program says of something that it is secret, beside what always is. */
function providerOf(of: ResourceClass, args: object): pulumi.Input<string> {
  const given = Object.fromEntries(Object.entries(args).filter(([property]) => !of.secrets.includes(property)));
  if (!holdsOutput(given)) return providerString(of.name);
  return pulumi.output(pulumi.isSecret(pulumi.output(given)).then((secret) => providerString(of.name, secret)));
}

function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsOutput);
}

/**
 * The order of replacements, as the provider's diff decides it too. It is a resource option as well, because the engine asks for
 * no diff where a replacement is forced (`pulumi up --replace`, `pulumi state taint`). An option that the program gives wins.
 */
function deletesBeforeReplace({ origin }: ResourceClass): true | undefined {
  const configured = new pulumi.Config("endpoint-monitoring").get("replaceOrder");
  const order = configured || process.env["ENDPOINT_MONITORING_REPLACE_ORDER"];
  return origin === "found" || order === "create-first" ? undefined : true;
}

/** What the engine does not hand on to a dynamic provider. */
const ignoredOption =
  "The resource option replaceOnChanges has no effect: the host of dynamic providers does not pass it on. To replace this resource " +
  "once, run `pulumi up --replace URN`.";

/** What to do instead of the option `import`: the engine would fail with \"code must be a string\", as it reads without a provider. */
function refusedImport({ name: className, origin }: ResourceClass, name: string): string {
  const refused = `${className} "${name}": the resource option import does not work with dynamic resources. Remove it`;
  if (origin === "none") return `${refused}: this resource has no record that could be imported.`;
  const adopt =
    origin === "made" ? "set adopt: true, which adopts the record of the same name" : "give its agentId or a lookup";
  return (
    `${refused}, and either run \`npx endpoint-monitoring import --run\`, which writes the program and imports what it declares, ` +
    `or ${adopt} at the next update.`
  );
}
