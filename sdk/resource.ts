import * as pulumi from "./pulumi";
import { lazyMembers, makeOutputsLazily } from "./lazy-outputs";
import { checkPlugin } from "./native/plugin-check";
import { withProgramPositions } from "./program-positions";
import { wrongCall } from "./wrong-call";
import { withBriefStacks } from "./registration-stacks";
import { providerOf } from "./provider-string";
import { nativeToken, resourcePath, typeToken } from "./token";

/** Metadata of a resource type for its SDK class, which must not load the provider. */
export interface ResourceClass {
  /** Class name, such as `AgentToServerTest`. */
  readonly name: string;
  /** Names of all outputs. A resource object has only the outputs that `outputs` lists. */
  readonly outputs: readonly string[];
  /** Inputs that are always secret. */
  readonly secrets: readonly string[];
  /**
   * Origin of the resource's record. With `made`, the provider creates the record. With `found`, the record already exists, so
   * a replacement adopts another record and deletes nothing. With `none`, the resource has no record.
   */
  readonly origin: "made" | "found" | "none";
}

/** Returns `of`. A call to `checkedClass` compiles only if the types of the class match the schema (`Agrees`). */
// The compiler checks `_Agreed` at each call, although the function does not use this type parameter.
//
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function checkedClass<_Agreed extends true>(of: ResourceClass): ResourceClass {
  return of;
}

interface ResourceConstructor<A, R> {
  new (name: string, args: A, opts?: pulumi.CustomResourceOptions): R;
  readonly of: ResourceClass;
  readonly isNative: boolean;
}

/** Arguments of `get`, in addition to the id. */
export interface GetArgs {
  /**
   * Account group (`aid`) to search. Default: the stack's setting `endpoint-monitoring:accountGroupId`, or the token's account
   * group.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
}

/** Base class of all resource classes. */
export abstract class Resource<A extends object> extends pulumi.CustomResource {
  /** @internal */
  static readonly of: ResourceClass;
  /**
   * Whether the native plugin manages the resource instead of a dynamic provider.
   *
   * @internal
   */
  static readonly isNative: boolean = false;

  static {
    Object.defineProperties(this.prototype, lazyMembers);
  }

  /**
   * @param name name of the resource in the program
   * @param args arguments of the resource. A preview reports all invalid arguments at once
   * @param opts resource options, such as `protect` or `dependsOn`
   */
  constructor(name: string, args: A, opts: pulumi.CustomResourceOptions = {}) {
    const { of, isNative } = new.target;
    const wrong = wrongCall(args, opts);
    if (wrong !== undefined) throw new pulumi.RunError(`${of.name} "${name}": ${wrong}`);
    if (isNative) checkPlugin(`${of.name} "${name}"`);
    else if (opts.import !== undefined) throw new pulumi.RunError(refusedImport(of, name));
    makeOutputsLazily();
    // The SDK creates an output for each name, even if the program omits the argument.
    const outputs = Object.fromEntries(of.outputs.map((output) => [output, undefined]));
    const inputs: Record<string, unknown> = Object.fromEntries(Object.entries(args));
    for (const secret of of.secrets) {
      if (inputs[secret] !== undefined) inputs[secret] = pulumi.secret(inputs[secret]);
    }
    const [token, otherToken] = isNative
      ? [nativeToken(of.name), typeToken(of.name)]
      : [typeToken(of.name), nativeToken(of.name)];
    const merged = pulumi.mergeOptions(opts, {
      additionalSecretOutputs: [...of.secrets],
      // Without the aliases, a move between dynamic resources and the native plugin would replace the resource.
      aliases: [
        aliasUnderType(name, otherToken, opts),
        ...(opts.aliases ?? []).map((alias) => aliasWithType(alias, token, otherToken)),
      ],
    });
    // A resource from `get` is never replaced. A native provider that the program passes as an option returns its own
    // replacement order in the diff.
    if (opts.id === undefined && (of.origin === "found" || !(isNative && opts.provider)))
      merged.deleteBeforeReplace ??= deletesBeforeReplace(of);
    // Pulumi does not report to a dynamic provider whether an operation is a preview. A resource from `get` never changes, so
    // `__preview` is unnecessary.
    const preview = opts.id === undefined && pulumi.isDryRun() ? { __preview: true } : {};
    const protocol = isNative
      ? {}
      : { __provider: providerOf(of.name, of.secrets, args), __resource: resourcePath(name, typesOf(opts.parent)), ...preview };
    const ends = [withProgramPositions(Resource), withBriefStacks()];
    try {
      super(token, name, { ...outputs, ...inputs, ...protocol }, merged);
    } finally {
      for (const end of ends) end();
    }
    for (const warning of warningsOfIgnoredOptions(opts, isNative)) void pulumi.warn(warning, this);
  }

  /**
   * Reads an existing record that this program does not manage.
   *
   * @param id identifier of the record. The program fails if the record does not exist
   * @param args account group of the record, if the stack has a different default account group
   */
  static get<A extends object, R extends Resource<A>>(
    this: ResourceConstructor<A, R>,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: GetArgs = {},
    opts: pulumi.CustomResourceOptions = {},
  ): R {
    // A resource from `get` has no declared arguments, so even required arguments are missing.
    return new this(name, args as A, { ...opts, id });
  }

  /**
   * Whether `object` is an instance of this class, even from another copy of this package. A resource of a native class is also
   * an instance of the dynamic class with the same name.
   */
  // The getter binds the function to the class, because helpers of @pulumi/policy call `isInstance` without a class.
  static override get isInstance(): IsInstance {
    const tokens = new Set([nativeToken(this.of.name), ...(this.isNative ? [] : [typeToken(this.of.name)])]);
    return (object: unknown): object is never => {
      const token = (object as { __pulumiType?: unknown } | undefined)?.__pulumiType;
      return typeof token === "string" && tokens.has(token);
    };
  }
}

type IsInstance = <R>(
  this: { readonly of: ResourceClass; prototype: R },
  object: unknown,
) => object is R & pulumi.CustomResource;

/**
 * Returns the resource option `deleteBeforeReplace`, because the engine requests no diff for a forced replacement
 * (`pulumi up --replace`, `pulumi state taint`). A `deleteBeforeReplace` in the program takes precedence.
 */
function deletesBeforeReplace({ origin }: ResourceClass): true | undefined {
  const configured = new pulumi.Config("endpoint-monitoring").get("replaceOrder");
  const order = configured || process.env["ENDPOINT_MONITORING_REPLACE_ORDER"];
  return origin !== "found" && order === "create-first" ? undefined : true;
}

function typesOf(resource: pulumi.Resource | undefined): string[] {
  const types: string[] = [];
  // Every resource has `__parentResource` and `__pulumiType`, but the SDK's types hide these members.
  for (let at = resource as PlacedResource | undefined; at; at = at["__parentResource"]) types.unshift(at.__pulumiType);
  return types;
}

interface PlacedResource {
  readonly __parentResource?: PlacedResource;
  readonly __pulumiType: string;
}

/**
 * Returns an alias that matches a resource with the type token `type`. For a resource without a parent, the alias is a URN,
 * because the SDK creates eight outputs to compute a URN from an alias object.
 */
function aliasUnderType(name: string, type: string, { parent }: pulumi.CustomResourceOptions): pulumi.URN | pulumi.Alias {
  return parent ? { type } : `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}

function aliasWithType(
  alias: pulumi.Input<pulumi.URN | pulumi.Alias>,
  type: string,
  otherClass: string,
): pulumi.Input<pulumi.URN | pulumi.Alias> {
  return pulumi.output(alias).apply((known): pulumi.URN | pulumi.Alias => {
    if (typeof known === "string") return known.replace(`${type}::`, `${otherClass}::`);
    return known.type === undefined || known.type === type ? { ...known, type: otherClass } : known;
  });
}

/** Advice for each resource option that has no effect. */
const insteadOf = {
  customTimeouts:
    "Set the setting deadline, or createOutcomeTimeout for the time after a create request with an unknown outcome.",
  replaceOnChanges: "To replace this resource once, run `pulumi up --replace URN`.",
  version: "The version of this package in node_modules is the one that runs.",
  pluginDownloadURL: "This package, in node_modules, contains the provider.",
} as const;

const ignoredByNative: ReadonlySet<string> = new Set(["customTimeouts"]);

function warningsOfIgnoredOptions(opts: pulumi.CustomResourceOptions, isNative: boolean): string[] {
  return Object.entries(insteadOf).flatMap(([option, instead]) => {
    const value = opts[option as keyof typeof insteadOf];
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (!isSet || (isNative && !ignoredByNative.has(option))) return [];
    const cause = isNative ? "requests have their own timeouts" : "it does not reach a dynamic provider";
    return [`The resource option ${option} has no effect: ${cause}. ${instead}`];
  });
}

/** Returns an error for the option `import`, because the engine would only report "code must be a string". */
function refusedImport({ name: className, origin }: ResourceClass, name: string): string {
  const refused = `${className} "${name}": the resource option import does not work with dynamic resources. Remove it`;
  if (origin === "none") return `${refused}: this resource has no record that could be imported.`;
  const adopt =
    origin === "made" ? "set adopt: true, which adopts the record of the same name" : "give its agentId or a lookup";
  return (
    `${refused}, and either run \`npx endpoint-monitoring import --run\`, which writes the program and imports its resources, ` +
    `or ${adopt} at the next update.`
  );
}
