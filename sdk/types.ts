import type * as pulumi from "@pulumi/pulumi";
import type { InputsOf, Kind, OutputsOf } from "../provider/kind";
import type { ResourceClass } from "./resource";

/** A value, or an output of another resource, at every depth. */
export type DeepInput<T> = pulumi.Input<
  T extends readonly (infer I)[] ? DeepInput<I>[] : T extends object ? { [P in keyof T]: DeepInput<T[P]> } : T
>;

/** What an input becomes once it is known, at every depth. */
export type Known<T> =
  T extends Promise<infer U>
    ? Known<U>
    : T extends pulumi.OutputInstance<infer U>
      ? Known<U>
      : T extends readonly (infer I)[]
        ? Known<I>[]
        : T extends object
          ? { [P in keyof T]: Known<T[P]> }
          : T;

/**
 * Arguments as outputs: what the service holds of them. The text of each stays that of the argument.
 *
 * @typeParam D arguments with a default, which the service always holds
 */
export type Held<A, D extends keyof A = never> = {
  readonly [P in keyof Pick<A, D>]-?: pulumi.Output<Known<Exclude<A[P], undefined>>>;
} & {
  readonly [P in keyof Pick<A, Exclude<keyof A, D>>]: pulumi.Output<Known<A[P]>>;
};

/** Outputs of a resource class, from their values. */
export type Outputs<O> = { readonly [P in keyof O]: pulumi.Output<O[P]> };

/** The same type without names and intersections on the way, so that two can be compared. */
type Flat<T> = T extends readonly (infer I)[] ? Flat<I>[] : T extends object ? { -readonly [P in keyof T]: Flat<T[P]> } : T;
// The form in which the compiler compares two types for identity.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type ValuesOf<R, N extends PropertyKey> = { [P in keyof R as P extends N ? P : never]: Known<R[P]> };

/**
 * True where the documented types of a class are what its kind declares; else the part that is not. The compiler checks it where a
 * class states its kind, so that types and schema cannot come apart.
 *
 * @typeParam K kind
 * @typeParam C what is generated of the class
 * @typeParam A arguments, one flat interface
 * @typeParam R the class
 */
export type Agrees<K extends Kind, C extends ResourceClass, A, R> =
  Same<Known<A>, InputsOf<K>> extends true
    ? Same<ValuesOf<R, C["outputs"][number]>, Pick<OutputsOf<K>, C["outputs"][number] & keyof OutputsOf<K>>> extends true
      ? true
      : { outputsDiffer: [ValuesOf<R, C["outputs"][number]>, OutputsOf<K>] }
    : { argumentsDiffer: [Known<A>, InputsOf<K>] };
