import { z } from "zod";
import type { KindHandler } from "./handler";
import { schemaOf, type Property, type PropertyMap, type SchemaOf } from "./property";
import type { ReachDeclaration } from "./reach";
import type { ReferredAs } from "./references/references";
import type { Session } from "./session";
import type { Properties } from "./values";

/** A failed check of a property. The reason for the failure omits the declared value, which may be secret. */
export interface CheckFailure {
  /** Path of the property, such as `filters[0].key`. A failure that concerns the whole resource has an empty path. */
  path: string;
  reason: string;
}

/** A note about a value that the service accepts but that may be a mistake. */
export interface Advice extends CheckFailure {
  /** The declared value. If the resource has a secret, messages omit `value`. */
  value?: string;
}

export interface Measures {
  readonly http: boolean;
  readonly network: boolean;
}

/** The measurements that a test returns if it runs on demand, or the reason why the test cannot run on demand. */
export type OnDemand = Measures | { readonly refused: string };

/**
 * The measurements that a test takes in its scheduled rounds, or the reason why the test has no rounds. If `ofSessions` is true, agents
 * take a measurement for each user session instead of each round.
 */
export type InRounds = (Measures & { ofSessions?: true }) | { refused: string };

/**
 * The declaration of a resource type, which the code calls a kind. Code that handles every kind must not depend on the name of a resource
 * type or property.
 */
export interface KindDeclaration<M extends PropertyMap = PropertyMap, O extends z.ZodRawShape = z.ZodRawShape> {
  /**
   * Class name, such as `AgentToServerTest`. The provider exports each resource type under its class name with a lowercase
   * first letter.
   */
  readonly name: string;
  /** Noun for a resource in messages, such as `agent-to-server test`. */
  readonly noun: string;
  readonly properties: M;
  /** Outputs of this resource type, in addition to the inputs and the common outputs. */
  readonly outputs: O;
  readonly nameProperty: keyof M & string;
  /**
   * Properties that identify a record within its account group. With `adopt: true`, a resource adopts the record with the
   * same identity.
   *
   * @defaultValue the `nameProperty` only
   */
  readonly identity?: readonly (keyof M & string)[];
  /**
   * False if a resource that declares no account group stays in its current account group. By default, a resource without a
   * declared account group uses the stack's account group.
   */
  readonly takesDefaultAccountGroup?: false;
  /**
   * `made` if users create the records. `found` if objects such as agents appear in the service without a create request. Resource types
   * that the service cannot list have no origin.
   */
  readonly origin?: "made" | "found";
  /** A sample id for the documentation, in the service's format. */
  readonly sampleId?: string;
  /** The cost of a replacement, as part of a sentence, such as `the test gets a new id`. */
  readonly replacementCost: string;
  /** Returns the measurements of a test that runs on demand. Only resource types for tests have `onDemand`. */
  onDemand?(state: Properties): OnDemand;
  /** Name of the resource type that runs the same test once, without a schedule. */
  readonly instant?: string;
  /** Returns the measurements of a test's scheduled rounds. Only resource types for tests have `inRounds`. */
  inRounds?(state: Properties): InRounds;
  /** How resources of this type affect agents, or undefined if they do not affect agents. */
  readonly reach?: ReachDeclaration;
  /** The member of alert rules and streams that refers to records of this type by id. */
  readonly referredAs?: ReferredAs;
  /**
   * Checks rules that compare several properties.
   *
   * @param inputs valid inputs with known values
   */
  rules?(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): CheckFailure[];
  /** Returns notes about values that the service accepts but that may be mistakes. */
  advice?(inputs: Partial<z.output<SchemaOf<M>>>): Advice[];
  /** Returns notes about a new record, such as a test that authenticates without a password. An existing record keeps its password. */
  newRecordAdvice?(inputs: Properties): Advice[];
  /** Returns the properties with a value that the service has replaced with an equivalent value. */
  inOtherForm?(state: Properties, inputs: Properties): readonly string[];
  handler(session: Session): KindHandler;
}

/** A resource type, which the code calls a kind. */
export interface Kind<M extends PropertyMap = PropertyMap, O extends z.ZodRawShape = z.ZodRawShape> extends KindDeclaration<
  M,
  O
> {
  readonly identity: readonly (keyof M & string)[];
  readonly schema: SchemaOf<M>;
  readonly outputSchema: z.ZodObject<typeof commonOutputs & O>;
  /** Properties that only a create request can set. A change to these properties replaces the resource. */
  readonly createOnly: readonly string[];
  /** Properties that only an update request can set. */
  readonly updateOnly: readonly string[];
  /** Properties that the service never returns. */
  readonly writeOnly: readonly string[];
  readonly secrets: readonly string[];
  /** Optional properties with a value that the service chooses if the program omits the property. */
  readonly leftToService: readonly string[];
  /** Properties that control the provider (provider options). The provider neither sends nor stores these properties. */
  readonly providerOptions: readonly string[];
  /** Properties that are stored only in the state. An update stores a changed value without a request to the service. */
  readonly localOnly: readonly string[];
  /** Properties that contain record ids of any resource type. */
  readonly holdsIds: readonly string[];
  /** For each property that contains record ids, the name of the referenced resource type in the registry. */
  readonly refersTo: Readonly<Partial<Record<string, string>>>;
  rules(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): CheckFailure[];
}

export const commonOutputs = {
  accountGroupId: z.string().optional(),
  unknownFields: z.array(z.string()).optional(),
  unmanagedFields: z.array(z.string()).optional(),
};

export function defineKind<const M extends PropertyMap, const O extends z.ZodRawShape>(
  declaration: KindDeclaration<M, O>,
): Kind<M, O> {
  const where = (matches: (declared: Property) => boolean): string[] =>
    Object.entries<Property>(declaration.properties).flatMap(([name, declared]) => (matches(declared) ? [name] : []));
  return {
    rules: () => [],
    identity: [declaration.nameProperty],
    ...declaration,
    schema: schemaOf(declaration.properties),
    outputSchema: z.object({ ...commonOutputs, ...declaration.outputs }),
    createOnly: where(({ setOn }) => setOn === "create"),
    updateOnly: where(({ setOn }) => setOn === "update"),
    writeOnly: where(({ writeOnly }) => writeOnly === true),
    secrets: where(({ secret }) => secret === true),
    leftToService: where(({ leftToService }) => leftToService === true),
    holdsIds: where(({ holdsIds }) => holdsIds === true),
    providerOptions: where(({ role }) => role === "provider-option"),
    refersTo: Object.fromEntries(
      Object.entries<Property>(declaration.properties).flatMap(([name, { refersTo }]) => (refersTo ? [[name, refersTo]] : [])),
    ),
    localOnly: where(({ role, setOn }) => role === "local" && setOn === undefined),
  };
}

export type InputsOf<K extends Kind> = z.input<K["schema"]>;
/** The outputs of a resource: the inputs as the service returns them, and the read-only outputs. */
export type OutputsOf<K extends Kind> = Omit<
  Filled<z.input<K["schema"]>, z.output<K["schema"]>>,
  keyof z.output<K["outputSchema"]>
> &
  z.output<K["outputSchema"]>;
type Filled<I, O> = { [P in keyof O]: P extends keyof I ? (undefined extends O[P] ? I[P] : Exclude<I[P], undefined>) : never };
