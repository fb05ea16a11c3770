import { z } from "zod";
import type { Handler } from "./handler";
import { schemaOf, type Property, type PropertyMap, type SchemaOf } from "./property";
import type { Reach } from "./reach";
import type { Session } from "./session";
import type { Properties } from "./values";

/** One thing that is wrong with a resource: where, and what would be right. It never carries a value, which may be secret. */
export interface Failure {
  /** Property path such as `filters[0].key`; empty for the whole resource. */
  path: string;
  reason: string;
}

/** What a run of a test measures. */
export interface Measures {
  /** Whether it makes an HTTP request. */
  readonly http: boolean;
  /** Whether it probes the network path. */
  readonly network: boolean;
}

/** How the service takes a request to run a test at once: what the run measures, or why the test is not run. */
export type OnDemand = Measures | { readonly refused: string };

/**
 * The declaration of one kind of resource: everything that is particular to it. Shared code reads these answers and never
 * asks for a kind or a property by name.
 *
 * @typeParam M properties a program declares
 * @typeParam O schema of the outputs beyond them
 */
export interface KindDeclaration<M extends PropertyMap = PropertyMap, O extends z.ZodRawShape = z.ZodRawShape> {
  /** Class name, `AgentToServerTest`. The provider exports the kind under this name with a small first letter. */
  readonly name: string;
  /** What messages call one of it, `agent-to-server test`. */
  readonly noun: string;
  /** What a program declares, each property once. */
  readonly properties: M;
  /** What the service or the provider adds, beside the outputs that every kind has. */
  readonly outputs: O;
  /** Property that names a record to people; records with the same value are duplicates to `adopt: true`. */
  readonly nameProperty: keyof M & string;
  /**
   * False where the stack's account group is not filled in for inputs that name none, because naming one moves the resource there.
   * Left out, it is filled in.
   */
  readonly takesDefaultAccountGroup?: false;
  /**
   * How what can be listed came to exist: `made` by people, in a program or in the UI, or `found`: it exists by itself, and a program
   * only adopts it. Absent where nothing can be listed.
   */
  readonly origin?: "made" | "found";
  /** What a replacement costs, as a sentence part: `the test gets a new id and its result history ends`. */
  readonly replacementCost: string;
  /** What running one of it at once does (`TestRun`), by its state. Absent for what is no test. */
  onDemand?(state: Properties): OnDemand;
  /** What one means to agents; absent where it means nothing to them. */
  readonly reach?: Reach;
  /**
   * Rules between properties.
   *
   * @param inputs what is valid by itself and known
   * @param isGiven whether a property was declared at all
   */
  rules?(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): Failure[];
  /** What it does with the service, in one process. */
  handler(session: Session): Handler;
}

/** A kind: its declaration, and what follows from it. */
export interface Kind<M extends PropertyMap = PropertyMap, O extends z.ZodRawShape = z.ZodRawShape> extends KindDeclaration<
  M,
  O
> {
  /** Schema of the inputs. */
  readonly schema: SchemaOf<M>;
  /** Schema of the outputs beyond the inputs. */
  readonly outputSchema: z.ZodObject<typeof commonOutputs & O>;
  /** Properties that only a create takes: changing one replaces. */
  readonly createOnly: readonly string[];
  /** Properties that only an update takes. */
  readonly updateOnly: readonly string[];
  /** Properties that the service never returns. */
  readonly writeOnly: readonly string[];
  /** Properties whose value is always a secret. */
  readonly secrets: readonly string[];
  /** Optional properties whose value the service chooses when they are left out. */
  readonly leftToService: readonly string[];
  /** Properties that steer the provider: neither compared nor kept in state. */
  readonly providerOptions: readonly string[];
  /** Properties that are kept in state alone: a change of one is only recorded. */
  readonly localOnly: readonly string[];
  /** The kind, by its name in the registry, whose resources' ids a property holds, by the property. */
  readonly refersTo: Readonly<Partial<Record<string, string>>>;
  rules(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): Failure[];
}

/** Outputs that every kind has. */
export const commonOutputs = {
  accountGroupId: z.string().optional(),
  unknownFields: z.array(z.string()).optional(),
  unmanagedFields: z.array(z.string()).optional(),
};

/** Declares a kind: derives from its properties what shared code asks for. */
export function defineKind<const M extends PropertyMap, const O extends z.ZodRawShape>(
  declaration: KindDeclaration<M, O>,
): Kind<M, O> {
  const where = (holds: (declared: Property) => boolean): string[] =>
    Object.entries<Property>(declaration.properties).flatMap(([name, declared]) => (holds(declared) ? [name] : []));
  return {
    rules: () => [],
    ...declaration,
    schema: schemaOf(declaration.properties),
    outputSchema: z.object({ ...commonOutputs, ...declaration.outputs }),
    createOnly: where(({ setOn }) => setOn === "create"),
    updateOnly: where(({ setOn }) => setOn === "update"),
    writeOnly: where(({ writeOnly }) => writeOnly === true),
    secrets: where(({ secret }) => secret === true),
    leftToService: where(({ leftToService }) => leftToService === true),
    providerOptions: where(({ role }) => role === "provider-option"),
    refersTo: Object.fromEntries(
      Object.entries<Property>(declaration.properties).flatMap(([name, { refersTo }]) => (refersTo ? [[name, refersTo]] : [])),
    ),
    localOnly: where(({ role, setOn }) => role === "local" && setOn === undefined),
  };
}

/** What a program may declare of a kind. */
export type InputsOf<K extends Kind> = z.input<K["schema"]>;
/** What the engine may hold of a kind: its inputs as the service holds them, and its outputs beyond them. */
export type OutputsOf<K extends Kind> = Omit<
  Filled<z.input<K["schema"]>, z.output<K["schema"]>>,
  keyof z.output<K["outputSchema"]>
> &
  z.output<K["outputSchema"]>;
/** Inputs of which those with a default are there. */
type Filled<I, O> = { [P in keyof O]: P extends keyof I ? (undefined extends O[P] ? I[P] : Exclude<I[P], undefined>) : never };
