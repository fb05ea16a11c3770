import { z } from "zod";
import type { KindHandler } from "./handler";
import { schemaOf, type Property, type PropertyMap, type SchemaOf } from "./property";
import type { ReachDeclaration } from "./reach";
import type { ReferredAs } from "./references/references";
import type { Session } from "./session";
import type { Properties } from "./values";

/** One failure of a check: its path, and the allowed values. It never holds a value, which may be secret. */
export interface CheckFailure {
  /** Property path such as `filters[0].key`; empty for the whole resource. */
  path: string;
  reason: string;
}

/** A note about a value that the service accepts. */
export interface Advice extends CheckFailure {
  /** The value that the note is about. Messages show it unless the resource has a secret. */
  value?: string;
}

/** The measurements of a run of a test. */
export interface Measures {
  /** Whether the run makes HTTP requests. */
  readonly http: boolean;
  /** Whether the run probes the network path. */
  readonly network: boolean;
}

/** The result of a request to run a test on demand: the run's measurements, or the reason why the service refuses it. */
export type OnDemand = Measures | { readonly refused: string };

/**
 * The measurements of scheduled rounds, or the reason why there are none, as part of a sentence. With `ofSessions`, user
 * sessions are measured instead of rounds.
 */
export type InRounds = (Measures & { ofSessions?: true }) | { refused: string };

/**
 * The declaration of one kind of resource: everything that is specific to it. Shared code reads the declaration and never refers to a
 * kind or a property by name.
 *
 * @typeParam M properties that a program declares
 * @typeParam O schema of the further outputs
 */
export interface KindDeclaration<M extends PropertyMap = PropertyMap, O extends z.ZodRawShape = z.ZodRawShape> {
  /** Class name, such as `AgentToServerTest`. The provider exports the kind under this name with a lowercase first letter. */
  readonly name: string;
  /** Noun for one resource in messages, such as `agent-to-server test`. */
  readonly noun: string;
  /** Properties that a program declares. */
  readonly properties: M;
  /** Outputs that the service or the provider adds to those that every kind has. */
  readonly outputs: O;
  /** Property that holds the name of a record. */
  readonly nameProperty: keyof M & string;
  /**
   * Properties that distinguish the records of an account group. With `adopt: true`, a record with the same values is adopted.
   *
   * @defaultValue the `nameProperty` only
   */
  readonly identity?: readonly (keyof M & string)[];
  /**
   * False if the stack's account group does not apply to inputs without an account group, because setting one moves the
   * resource there. Default: the stack's account group applies.
   */
  readonly takesDefaultAccountGroup?: false;
  /**
   * How records come into being. `made`: users create them, in a program or in the UI. `found`: they exist by themselves, and
   * a program only adopts them. Absent if the service cannot list records of this kind.
   */
  readonly origin?: "made" | "found";
  /** An identifier in the service's format, for documentation. Absent if the service cannot list records of this kind. */
  readonly sampleId?: string;
  /** The cost of a replacement, as part of a sentence: `the test gets a new id and its existing result history is lost`. */
  readonly replacementCost: string;
  /** Returns the measurements of a run on demand (`TestRun`) for a test's state. Absent for kinds that are not tests. */
  onDemand?(state: Properties): OnDemand;
  /** Name of the kind that runs the same test once, without a scheduled test. Absent if no kind does. */
  readonly instant?: string;
  /** Returns the measurements of the scheduled rounds for a test's state. Absent for kinds that are not tests. */
  inRounds?(state: Properties): InRounds;
  /** How a resource affects agents. Absent if it does not affect them. */
  readonly reach?: ReachDeclaration;
  /** The member of alert rules and streams that refers to a record by id. Absent if they cannot refer to it. */
  readonly referredAs?: ReferredAs;
  /**
   * Checks rules between properties.
   *
   * @param inputs the inputs that are known and individually valid
   * @param isGiven whether the program declares a property
   */
  rules?(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): CheckFailure[];
  /**
   * Returns notes about values that the service accepts but a user should check. The inputs are known and individually valid.
   */
  advice?(inputs: Partial<z.output<SchemaOf<M>>>): Advice[];
  /** Returns the properties that the service has converted to another form with the same effect. @defaultValue no properties */
  inOtherForm?(state: Properties, inputs: Properties): readonly string[];
  /** Creates the handler of the kind for one session. */
  handler(session: Session): KindHandler;
}

/** A kind: its declaration, and the facts that follow from it. */
export interface Kind<M extends PropertyMap = PropertyMap, O extends z.ZodRawShape = z.ZodRawShape> extends KindDeclaration<
  M,
  O
> {
  readonly identity: readonly (keyof M & string)[];
  /** Schema of the inputs. */
  readonly schema: SchemaOf<M>;
  /** Schema of the outputs that are not inputs. */
  readonly outputSchema: z.ZodObject<typeof commonOutputs & O>;
  /** Properties that only a create sets. Changing one replaces the resource. */
  readonly createOnly: readonly string[];
  /** Properties that only an update sets. */
  readonly updateOnly: readonly string[];
  /** Properties that the service never returns. */
  readonly writeOnly: readonly string[];
  /** Properties that are always secret. */
  readonly secrets: readonly string[];
  /** Optional properties. The service chooses their values if the program omits them. */
  readonly leftToService: readonly string[];
  /** Properties that control the provider. They are neither compared nor stored in state. */
  readonly providerOptions: readonly string[];
  /** Properties that are kept in state only. A change of such a property is only recorded. */
  readonly localOnly: readonly string[];
  /** Properties that hold ids of records of any kind. */
  readonly holdsIds: readonly string[];
  /** Properties that hold ids of other resources, each with the registry name of the kind that it refers to. */
  readonly refersTo: Readonly<Partial<Record<string, string>>>;
  rules(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): CheckFailure[];
}

/** Outputs that every kind has. */
export const commonOutputs = {
  accountGroupId: z.string().optional(),
  unknownFields: z.array(z.string()).optional(),
  unmanagedFields: z.array(z.string()).optional(),
};

/** Declares a kind and derives from its properties the facts that shared code uses. */
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

/** The inputs that a program may declare for a kind. */
export type InputsOf<K extends Kind> = z.input<K["schema"]>;
/** The outputs of a kind in the engine's state: its inputs as the service returns them, and its further outputs. */
export type OutputsOf<K extends Kind> = Omit<
  Filled<z.input<K["schema"]>, z.output<K["schema"]>>,
  keyof z.output<K["outputSchema"]>
> &
  z.output<K["outputSchema"]>;
/** Inputs after check, with all defaults. */
type Filled<I, O> = { [P in keyof O]: P extends keyof I ? (undefined extends O[P] ? I[P] : Exclude<I[P], undefined>) : never };
