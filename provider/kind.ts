import type { z } from "zod";
import type { Client } from "../api";

/** Values by property name, in the shape of a kind's inputs: what a program declares, or what a record says. */
export type Properties = Record<string, unknown>;

/** One thing wrong with a resource: where, and what would be right. It never carries a value, which may be secret. */
export interface Failure {
  /** Property path such as `filters[0].key`; empty for the whole resource. */
  path: string;
  reason: string;
}

/** The five operations of the service on one kind of record. `aid` is the account group; undefined is the token's own. */
export interface Operations<R> {
  /** All records of the account group, whole or not (see `Kind.isWhole`). */
  list(aid: string | undefined): Promise<R[]>;
  /** @throws NotFoundError */
  get(id: string, aid: string | undefined): Promise<R>;
  create(body: Properties, aid: string | undefined): Promise<R>;
  update(id: string, body: Properties, aid: string | undefined): Promise<R>;
  /** @throws NotFoundError */
  remove(id: string, aid: string | undefined): Promise<void>;
}

/**
 * The declaration of one kind of resource: everything that is particular to it. Shared code reads these answers and never
 * asks for a kind or a property by name.
 *
 * @typeParam S schema of the inputs
 * @typeParam R record of the service
 * @typeParam X outputs beyond the inputs
 */
export interface Kind<S extends z.ZodObject = z.ZodObject, R extends object = object, X extends object = object> {
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
  /** Properties that only an update takes: a create that declares them otherwise is followed by an update. */
  readonly updateOnly: readonly (keyof z.output<S> & string)[];
  /** Properties the service never returns: state keeps what was last applied, and drift in them cannot be seen. */
  readonly writeOnly: readonly (keyof z.output<S> & string)[];
  /** Optional properties whose value the service chooses when they are left out; then they are not compared. */
  readonly leftToService: readonly (keyof z.output<S> & string)[];
  /** What a replacement costs, as a sentence part: `the test gets a new id and its result history ends`. */
  readonly replacementCost: string;
  /** Comparisons that fold what the service folds; properties without one are compared as JSON. */
  readonly same: { readonly [P in keyof z.output<S>]?: (a: unknown, b: unknown) => boolean };

  /** Rules between properties. `inputs` holds only what is valid by itself and known; `named` tells what was given at all. */
  rules(inputs: Partial<z.output<S>>, named: (property: keyof z.output<S> & string) => boolean): Failure[];
  /** Identifier of a record. */
  idOf(record: R): string;
  /** A record in the shape of the inputs. Members the answer leaves out are left out or undefined. */
  toInputs(record: R): Partial<Record<keyof z.output<S>, unknown>>;
  /** Outputs beyond the inputs. */
  toOutputs(record: R): X;
  /** False where a listed record lacks members that a get would bring. */
  isWhole(record: R): boolean;
  operations(client: Client): Operations<R>;
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
export type OutputsOf<K extends Kind> = Omit<z.output<K["schema"]>, "adopt" | keyof CommonOutputs> &
  ReturnType<K["toOutputs"]> &
  CommonOutputs;

/** Fixes the type parameters of a declaration. */
export function kind<S extends z.ZodObject, R extends object, X extends object>(declaration: Kind<S, R, X>): Kind<S, R, X> {
  return declaration;
}
