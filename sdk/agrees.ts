import type { InputsOf, Kind, OutputsOf } from "../provider/kind";
import type { ResourceClass } from "./resource";
import type { Resolved } from "./types";

// This type has its own file, because the types that a program sees must not depend on the types of the kinds, which need zod.

/** The same type written out, without names and intersections, so that two types can be compared. */
type Flat<T> = T extends string
  ? T
  : T extends readonly (infer I)[]
    ? Flat<I>[]
    : T extends object
      ? { -readonly [P in keyof T]: Flat<T[P]> }
      : T;
// The compiler compares two types for identity in this form.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type IsSame<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type ValuesOf<R, N extends PropertyKey> = { [P in keyof R as P extends N ? P : never]: Resolved<R[P]> };

/**
 * True if the documented types of a class match the declaration of its kind; otherwise the part that differs. The compiler
 * checks this for each class, so that types and schema cannot diverge.
 *
 * @typeParam K kind
 * @typeParam C generated facts of the class
 * @typeParam A the arguments as one interface without nested types
 * @typeParam R resource class
 */
export type Agrees<K extends Kind, C extends ResourceClass, A, R> =
  IsSame<Resolved<A>, InputsOf<K>> extends true
    ? IsSame<ValuesOf<R, C["outputs"][number]>, Pick<OutputsOf<K>, C["outputs"][number] & keyof OutputsOf<K>>> extends true
      ? true
      : { outputsDiffer: [ValuesOf<R, C["outputs"][number]>, OutputsOf<K>] }
    : { argumentsDiffer: [Resolved<A>, InputsOf<K>] };
