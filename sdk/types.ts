import type * as pulumi from "@pulumi/pulumi";
import type { InputsOf, Kind, OutputsOf } from "../provider/kind";
import type { ResourceClass } from "./resource";

/** A value that may contain outputs of other resources at every depth. */
export type DeepInput<T> = pulumi.Input<T extends readonly (infer I)[] ? DeepInput<I>[] : T extends object ? DeepInputs<T> : T>;

/** Members that may be outputs. A member that must be absent stays so: the compiler and editors tell forms of an object apart by it. */
export type DeepInputs<T> = { [P in keyof T]: [T[P]] extends [undefined] ? T[P] : DeepInput<T[P]> };

/** The type of an input after it is resolved, at every depth. */
export type Resolved<T> =
  T extends Promise<infer U>
    ? Resolved<U>
    : T extends pulumi.OutputInstance<infer U>
      ? Resolved<U>
      : T extends readonly (infer I)[]
        ? Resolved<I>[]
        : T extends object
          ? { [P in keyof T]: Resolved<T[P]> }
          : T;

/**
 * Arguments as outputs, with the values that the service holds. Each keeps the documentation of its argument.
 *
 * @typeParam D arguments with a default, whose outputs always have a value
 */
export type ArgumentOutputs<A, D extends keyof A = never> = {
  readonly [P in keyof Pick<A, D>]-?: pulumi.Output<Resolved<Exclude<A[P], undefined>>>;
} & {
  readonly [P in keyof Pick<A, Exclude<keyof A, D>>]: pulumi.Output<Resolved<A[P]>>;
};

/** Outputs of a resource class, from the types of their values. */
export type Outputs<O> = { readonly [P in keyof O]: pulumi.Output<O[P]> };

/** The same type without names and intersections, so that two types can be compared. */
type Flat<T> = T extends readonly (infer I)[] ? Flat<I>[] : T extends object ? { -readonly [P in keyof T]: Flat<T[P]> } : T;
// The form in which the compiler compares two types for identity.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type IsSame<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type ValuesOf<R, N extends PropertyKey> = { [P in keyof R as P extends N ? P : never]: Resolved<R[P]> };

/**
 * True if the documented types of a class match the declaration of its kind; otherwise the part that differs. The compiler checks this
 * for each class, so that types and schema cannot diverge.
 *
 * @typeParam K kind
 * @typeParam C generated facts of the class
 * @typeParam A arguments, as one flat interface
 * @typeParam R resource class
 */
export type Agrees<K extends Kind, C extends ResourceClass, A, R> =
  IsSame<Resolved<A>, InputsOf<K>> extends true
    ? IsSame<ValuesOf<R, C["outputs"][number]>, Pick<OutputsOf<K>, C["outputs"][number] & keyof OutputsOf<K>>> extends true
      ? true
      : { outputsDiffer: [ValuesOf<R, C["outputs"][number]>, OutputsOf<K>] }
    : { argumentsDiffer: [Resolved<A>, InputsOf<K>] };
