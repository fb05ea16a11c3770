import type * as pulumi from "@pulumi/pulumi";

/** A word from a list that the service may extend. Editors complete the known words, and the compiler accepts others. */
export type OpenWord<W extends string> = W | (string & {});

/** A value that may contain outputs of other resources at every depth. */
export type DeepInput<T> = pulumi.Input<
  T extends string ? T : T extends readonly (infer I)[] ? DeepInput<I>[] : T extends object ? DeepInputs<T> : T
>;

/**
 * Members that may be outputs. A member of type `undefined` keeps its type, because the compiler and editors use it to
 * distinguish the forms of an object.
 */
export type DeepInputs<T> = { [P in keyof T]: [T[P]] extends [undefined] ? T[P] : DeepInput<T[P]> };

/** The type of an input after it is resolved, at every depth. */
export type Resolved<T> =
  T extends Promise<infer U>
    ? Resolved<U>
    : T extends pulumi.OutputInstance<infer U>
      ? Resolved<U>
      : T extends string
        ? T
        : T extends readonly (infer I)[]
          ? Resolved<I>[]
          : T extends object
            ? { [P in keyof T]: Resolved<T[P]> }
            : T;

/**
 * Arguments as outputs, with the values in the service. Each keeps the documentation of its argument.
 *
 * @typeParam D arguments with a default. Their outputs always have a value
 */
export type ArgumentOutputs<A, D extends keyof A = never> = {
  readonly [P in keyof Pick<A, D>]-?: pulumi.Output<Resolved<Exclude<A[P], undefined>>>;
} & {
  readonly [P in keyof Pick<A, Exclude<keyof A, D>>]: pulumi.Output<Resolved<A[P]>>;
};

/** Outputs of a resource class, from the types of their values. */
export type Outputs<O> = { readonly [P in keyof O]: pulumi.Output<O[P]> };
