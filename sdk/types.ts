import type * as pulumi from "@pulumi/pulumi";

/** A word from a list that the service may extend. Editors suggest the known words, but the compiler accepts any string. */
export type OpenWord<W extends string> = W | (string & {});

/** A value that may contain outputs of other resources at any depth. */
export type DeepInput<T> = pulumi.Input<
  T extends string ? T : T extends readonly (infer I)[] ? DeepInput<I>[] : T extends object ? DeepInputs<T> : T
>;

/**
 * An object with members that may be outputs. A member of type `undefined` keeps its type, because such members distinguish the
 * types in a union.
 */
export type DeepInputs<T> = { [P in keyof T]: [T[P]] extends [undefined] ? T[P] : DeepInput<T[P]> };

/** The type of an input after all promises and outputs in it are resolved, at any depth. */
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
 * Arguments as outputs. Each output keeps the documentation of its argument. `D` names the arguments that have a default, so
 * that their outputs always have a value.
 */
export type ArgumentOutputs<A, D extends keyof A = never> = {
  readonly [P in keyof Pick<A, D>]-?: pulumi.Output<Resolved<Exclude<A[P], undefined>>>;
} & {
  readonly [P in keyof Pick<A, Exclude<keyof A, D>>]: pulumi.Output<Resolved<A[P]>>;
};

export type Outputs<O> = { readonly [P in keyof O]: pulumi.Output<O[P]> };
