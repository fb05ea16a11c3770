import * as pulumi from "./pulumi";
import { lazyMembers, makeOutputsLazily } from "./lazy-outputs";
import { checkPlugin } from "./native/plugin-check";
import { withProgramPositions } from "./program-positions";
import { wrongCall } from "./wrong-call";
import { withBriefStacks } from "./registration-stacks";
import { providerOf } from "./provider-string";
import { nativeToken, resourcePath, typeToken } from "./token";

/** The facts about its kind that a resource class needs without loading the kind. */
export interface ResourceClass {
  /** Class name, such as `AgentToServerTest`. */
  readonly name: string;
  /** Names of all outputs. An output that is not listed here is undefined on the object. */
  readonly outputs: readonly string[];
  /** Inputs that are always secret. */
  readonly secrets: readonly string[];
  /**
   * The origin of its records. `made`: users create them. `found`: they exist by themselves, so a replacement adopts another
   * record and deletes nothing. `none`: the resource has no record.
   */
  readonly origin: "made" | "found" | "none";
}

/** Returns `of`. It compiles only if the types of the class agree with its kind (`Agrees`). */
// The compiler checks the type argument at each call.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function checkedClass<_Agreed extends true>(of: ResourceClass): ResourceClass {
  return of;
}

/** A resource class, which constructs `R` and holds the facts about its kind. */
interface ResourceConstructor<A, R> {
  new (name: string, args: A, opts?: pulumi.CustomResourceOptions): R;
  readonly of: ResourceClass;
  readonly isNative: boolean;
}

/** Arguments of `get`, in addition to the id. */
export interface GetArgs {
  /**
   * Account group (`aid`) to search. Default: the stack's `endpoint-monitoring:accountGroupId`, or the token's own if it is
   * not set.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
}

/** Base class of all resource classes. */
export abstract class Resource<A extends object> extends pulumi.CustomResource {
  /** @internal */
  static readonly of: ResourceClass;
  /**
   * Whether the native plugin, not a dynamic provider, manages the resource.
   *
   * @internal
   */
  static readonly isNative: boolean = false;

  static {
    Object.defineProperties(this.prototype, lazyMembers);
  }

  /**
   * @param name name that identifies the resource in the engine
   * @param args arguments of the resource; a preview reports all invalid arguments together
   * @param opts resource options, such as `protect` or `dependsOn`
   */
  constructor(name: string, args: A, opts: pulumi.CustomResourceOptions = {}) {
    const { of, isNative } = new.target;
    const wrong = wrongCall(args, opts);
    if (wrong !== undefined) throw new pulumi.RunError(`${of.name} "${name}": ${wrong}`);
    if (isNative) checkPlugin(`${of.name} "${name}"`);
    else if (opts.import !== undefined) throw new pulumi.RunError(refusedImport(of, name));
    makeOutputsLazily();
    // The SDK makes an output for each of these names, even if the program does not declare it.
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
      // A stack may move between dynamic providers and the plugin. The alias keeps the resource the same, even under its former
      // names.
      aliases: [ofOtherFront(name, otherToken, opts), ...(opts.aliases ?? []).map((alias) => ofType(alias, token, otherToken))],
    });
    // A resource that is only read is never replaced. An explicit provider has its own setting, which its diff returns.
    if (opts.id === undefined && (of.origin === "found" || !(isNative && opts.provider)))
      merged.deleteBeforeReplace ??= deletesBeforeReplace(of);
    // The host of dynamic providers does not report whether an operation is a preview. A resource that is only read is never
    // changed.
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
    for (const warning of ignoredOptions(opts, isNative)) void pulumi.warn(warning, this);
  }

  /**
   * Reads a record that this program does not manage.
   *
   * @param id identifier of the record; the program fails if no record has it
   * @param args account group to search, if it is not the stack's
   */
  static get<A extends object, R extends Resource<A>>(
    this: ResourceConstructor<A, R>,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: GetArgs = {},
    opts: pulumi.CustomResourceOptions = {},
  ): R {
    // A resource that is only read has no declared arguments, not even required ones.
    return new this(name, args as A, { ...opts, id });
  }

  /**
   * Whether `object` is an instance of this class, even from another copy of this package. The native class of the same name
   * extends the dynamic class, so its resources are instances of both.
   */
  // The function is bound to its class, because the typed helpers of @pulumi/policy call it without one.
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
 * Returns the option for the order of replacements, which the provider's diff also returns. The engine requests no diff if a
 * replacement is forced (`pulumi up --replace`, `pulumi state taint`). An option that the program sets takes precedence.
 */
function deletesBeforeReplace({ origin }: ResourceClass): true | undefined {
  const configured = new pulumi.Config("endpoint-monitoring").get("replaceOrder");
  const order = configured || process.env["ENDPOINT_MONITORING_REPLACE_ORDER"];
  return origin !== "found" && order === "create-first" ? undefined : true;
}

/** Returns the types of a resource and of its parents, the outermost first. */
function typesOf(resource: pulumi.Resource | undefined): string[] {
  const types: string[] = [];
  // Every resource of the SDK has both members, but its types declare them as internal.
  for (let at = resource as PlacedResource | undefined; at; at = at["__parentResource"]) types.unshift(at.__pulumiType);
  return types;
}

interface PlacedResource {
  readonly __parentResource?: PlacedResource;
  readonly __pulumiType: string;
}

/**
 * Returns the alias of a resource as the other package (dynamic resources or native plugin) would name it. Without a parent it
 * is the URN, because the SDK needs eight outputs to compute the URN of any other alias.
 */
function ofOtherFront(name: string, type: string, { parent }: pulumi.CustomResourceOptions): pulumi.URN | pulumi.Alias {
  return parent ? { type } : `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}

/** Returns an alias with another type in place of a resource's own type. */
function ofType(
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
  customTimeouts: "Set the setting deadline, or createOutcomeTimeout for the time after a create with an unknown outcome.",
  replaceOnChanges: "To replace this resource once, run `pulumi up --replace URN`.",
  version: "The version of this package in node_modules is the one that runs.",
  pluginDownloadURL: "This package, in node_modules, contains the provider.",
} as const;

/**
 * Options that have no effect for dynamic resources and the native plugin. Other options have no effect for dynamic resources
 * only.
 */
const ignoredByBoth: ReadonlySet<string> = new Set(["customTimeouts"]);

/** Returns a warning for each resource option that is set and has no effect. */
function ignoredOptions(opts: pulumi.CustomResourceOptions, isNative: boolean): string[] {
  return Object.entries(insteadOf).flatMap(([option, instead]) => {
    const value = opts[option as keyof typeof insteadOf];
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (!isSet || (isNative && !ignoredByBoth.has(option))) return [];
    const cause = isNative ? "requests have their own timeouts" : "it does not reach a dynamic provider";
    return [`The resource option ${option} has no effect: ${cause}. ${instead}`];
  });
}

/**
 * Returns advice for the option `import`. The engine reads without a provider string, so it would fail with "code must be a
 * string".
 */
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
