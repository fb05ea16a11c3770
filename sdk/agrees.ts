import type { InputsOf, Kind, OutputsOf } from "../provider/kind";
import type { ResourceClass } from "./resource";
import type { Resolved } from "./types";

// `Agrees` has a separate file, because the SDK's public types must not depend on zod.

/**
 * Replaces named types and intersections with plain object types. The compiler can then compare two types property by property.
 */
type Flat<T> = T extends string
  ? T
  : T extends readonly (infer I)[]
    ? Flat<I>[]
    : T extends object
      ? { -readonly [P in keyof T]: Flat<T[P]> }
      : T;
// The compiler treats the two generic function types as assignable only if `A` and `B` are identical.
//
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type IsSame<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type ValuesOf<R, N extends PropertyKey> = { [P in keyof R as P extends N ? P : never]: Resolved<R[P]> };

/**
 * `true` if a class's types match the schema of its resource type. Otherwise, `Agrees` contains the differing types. The
 * function `checkedClass` accepts only `true`, so the types and the schema cannot diverge. The type parameter `A` is a single
 * interface that contains all arguments of the class.
 */
export type Agrees<K extends Kind, C extends ResourceClass, A, R> =
  IsSame<Resolved<A>, InputsOf<K>> extends true
    ? IsSame<ValuesOf<R, C["outputs"][number]>, Pick<OutputsOf<K>, C["outputs"][number] & keyof OutputsOf<K>>> extends true
      ? true
      : { outputsDiffer: [ValuesOf<R, C["outputs"][number]>, OutputsOf<K>] }
    : { argumentsDiffer: [Resolved<A>, InputsOf<K>] };
