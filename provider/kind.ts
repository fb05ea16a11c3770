import type { z } from "zod";
import type { Reach } from "./reach";
import type { Session } from "./session";
import type { Properties } from "./values";

/** One thing wrong with a resource: where, and what would be right. It never carries a value, which may be secret. */
export interface Failure {
  /** Property path such as `filters[0].key`; empty for the whole resource. */
  path: string;
  reason: string;
}

/** A resource as it came to be: its identifier and what the service holds of it. */
export interface Created {
  id: string;
  state: Properties;
}

/** A resource as a read brings it: with the inputs of a program that declares it as it is. */
export interface Found extends Created {
  inputs: Properties;
  /** When the record was last changed, UTC, where it says so. It changes with every change, so it is no part of the state. */
  modified?: string;
}

/** What a run of a test measures. */
export interface Measures {
  /** Whether it makes an HTTP request. */
  readonly http: boolean;
  /** Whether it probes the network path. */
  readonly network: boolean;
}

/** What the service makes of a request to run a test at once: what the run measures, or why the test is not run. */
export type OnDemand = Measures | { readonly refused: string };

/** What a kind does with the service once a difference has been decided on. Every state is what the service answered. */
export interface Behaviour {
  /** @throws PartialFailure where something exists but not as declared, TwinError, and the client's errors */
  create(inputs: Properties): Promise<Created>;
  /**
   * Reads a record; without a former state (`get`) everything comes from the answer.
   *
   * @returns nothing where the record has gone
   */
  read(id: string, former: Properties): Promise<Found | undefined>;
  /** @throws GoneError, PartialFailure and the client's errors */
  update(id: string, former: Properties, inputs: Properties): Promise<Properties>;
  /** What has gone already is deleted. */
  remove(id: string, former: Properties): Promise<void>;
  /**
   * All there is in an account group, each as `read` brings one of which nothing is known yet. Absent where the service keeps
   * nothing that could be listed.
   *
   * @param aid account group; undefined is the one of the settings, else the token's own
   */
  list?(aid: string | undefined): Promise<Found[]>;
  /**
   * Reads as little as shows whether the caller may read such things at all. Absent where nothing is listed.
   *
   * @throws ForbiddenError and the client's other errors
   */
  tryRead?(aid: string | undefined): Promise<void>;
  /**
   * Asks for a change without content of what is not there: it changes nothing, and a service that looks at permissions first refuses
   * it for the lack of one. Absent where nothing can be asked so.
   *
   * @throws NotFoundError where the caller may make such changes, ForbiddenError and the client's other errors
   */
  tryWrite?(aid: string | undefined): Promise<void>;
}

/** Identifier that no record has: identifiers of records are long numbers or UUIDs (shared/api/README.md, Requests and responses). */
export const nowhere = "0";

/**
 * The declaration of one kind of resource: everything that is particular to it. Shared code reads these answers and never
 * asks for a kind or a property by name.
 *
 * @typeParam S schema of the inputs
 * @typeParam X outputs beyond the inputs
 */
export interface Kind<S extends z.ZodObject = z.ZodObject, X extends object = object> {
  /** Class name, `AgentToServerTest`. The provider exports the kind under this name with a small first letter. */
  readonly name: string;
  /** What messages call one of it, `agent-to-server test`. */
  readonly noun: string;
  /** Inputs. Defaults in it are the service's documented ones, so that removing a property goes back to the default. */
  readonly schema: S;
  /** Property that names a record to people; records with the same value are "the same thing" for `adopt: true`. */
  readonly nameProperty: keyof z.output<S> & string;
  /** Properties that only a create takes: changing one replaces. */
  readonly createOnly: readonly (keyof z.output<S> & string)[];
  /** Properties the service never returns: state keeps what was last applied, and drift in them cannot be seen. */
  readonly writeOnly: readonly (keyof z.output<S> & string)[];
  /** Optional properties whose value the service chooses when they are left out; then they are not compared. */
  readonly leftToService: readonly (keyof z.output<S> & string)[];
  /**
   * Values that the service may report and no request may ask for, by property. The schema takes them, so that a program can declare
   * a record as it is; they are never sent.
   */
  readonly reportedOnly?: { readonly [P in keyof z.output<S>]?: readonly string[] };
  /** Properties that steer the provider and are no part of the resource: neither compared nor kept in state. */
  readonly controls: readonly (keyof z.output<S> & string)[];
  /** Properties that are kept in state for later and never sent: a change of one is only recorded. */
  readonly stateOnly: readonly (keyof z.output<S> & string)[];
  /**
   * False where the stack's account group is not filled in for inputs that name none, because naming one moves the resource there.
   * Left out, it is filled in.
   */
  readonly takesDefaultAccountGroup?: false;
  /** Properties that hold the id, or a list of ids, of resources of another kind: by the name of that kind in the registry. */
  readonly refersTo: { readonly [P in keyof z.output<S>]?: string };
  /**
   * How what can be listed came to be: `made` by people, in a program or by hand, or `found`: it is there by itself, and a program
   * only takes hold of it. Absent where nothing can be listed.
   */
  readonly origin?: "made" | "found";
  /** Properties that the service writes more fully than a person would: a value as a person would write it, the same to `same`. */
  readonly plain?: { readonly [P in keyof z.output<S>]?: (value: unknown) => unknown };
  /** What a replacement costs, as a sentence part: `the test gets a new id and its result history ends`. */
  readonly replacementCost: string;
  /** Comparisons that fold what the service folds; properties without one are compared as JSON. */
  readonly same: { readonly [P in keyof z.output<S>]?: (a: unknown, b: unknown) => boolean };
  /** What comes of running one of it at once (`TestRun`), as its state is. Absent for what is no test. */
  onDemand?(state: Properties): OnDemand;
  /** What one means to agents; absent where it means nothing to them. */
  readonly reach?: Reach;
  /** Never set: it carries the type of the outputs beyond the inputs. */
  readonly outputs?: X;

  /** Rules between properties. `inputs` holds only what is valid by itself and known; `named` tells what was given at all. */
  rules(inputs: Partial<z.output<S>>, named: (property: keyof z.output<S> & string) => boolean): Failure[];
  /** What it does with the service, in one process. */
  behaviour(session: Session): Behaviour;
}

/** Outputs that every kind has, beside its inputs and its own. */
export interface CommonOutputs {
  /** Account group (`aid`) the record lives in. */
  accountGroupId?: string;
  /** Properties never returned by the service whose value is not known, because the record was imported or read with `get`. */
  unknownFields?: string[];
  /** Optional properties that the program leaves to the service. */
  unmanagedFields?: string[];
}

/** What a program may declare of a kind. */
export type InputsOf<K extends Kind> = z.input<K["schema"]>;
/** What a program may read of a kind: its inputs as the service holds them, its own outputs and the common ones. */
export type OutputsOf<K extends Kind> = Omit<z.output<K["schema"]>, K["controls"][number] | keyof CommonOutputs> &
  NonNullable<K["outputs"]> &
  CommonOutputs;
